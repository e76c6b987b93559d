import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { allPicked } from '../../server/test/support/orders.ts';
import { startReceiver } from '../../server/test/support/receiver.ts';
import { waitFor } from '../support/wait.ts';
import { setStage } from './stage.ts';
import { waitForText, visitAsOwner } from './visitor.ts';

const stage = await setStage();
const receiver = await startReceiver();
after(receiver.close);

/** The tests build on each other. The webhook added in one test receives the orders placed in later ones. */
const { client } = stage;
const params = { vendor_id: 's8ym' };

test('without a webhook, the test order page shows what is missing', async () => {
  const visitor = await visitAsOwner(stage);
  await visitor.open('/test-order?store=s8ym', 'Test order');
  await waitForText(visitor.page, 'Setup incomplete');
  await waitForText(visitor.page, /Add a webhook for the chain or the store/);
  assert.ok(await visitor.page.getByRole('button', { name: 'Send test order' }).isDisabled());
  await visitor.page.getByRole('link', { name: 'Add webhook' }).click();
  await visitor.page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await visitor.leave();
});

test('a webhook can be added, its signing secret is shown once, and a ping reaches it', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/integration/webhooks', 'Webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await waitForText(page, 'Enter a URL for the selected environment');
  await page.getByRole('textbox', { name: 'Staging URL', exact: true }).fill(`${receiver.url}/staging`);
  await page.getByRole('textbox', { name: 'Production URL', exact: true }).fill(`${receiver.url}/production`);
  await page.getByLabel('Authorization header').fill('Bearer ours');
  await page.getByRole('button', { name: 'Save' }).click();
  const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
  assert.match(secret, /^whsec_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Ping' }).click();
  const [ping] = await receiver.waitFor(1);
  assert.deepEqual([ping?.path, ping?.headers.authorization], ['/staging', 'Bearer ours']);
  await waitForText(page, 'Ping delivered');
  await page.getByRole('link', { name: 'View delivery' }).click();
  await page.getByRole('dialog').getByText('Success (200)').waitFor();
  await visitor.leave();
});

test('a test order reaches the webhook and is picked in the picking app, with found, missing, replaced and added items', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/test-order?store=s8ym', 'Test order');
  await page.getByRole('button', { name: 'Send test order' }).click();
  await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor();
  const orderId = page.url().split('/orders/')[1]?.split('?')[0] ?? '';
  await page.getByText('order.received').waitFor();
  const find = () => receiver.received.find(({ body }) => body.order_id === orderId);
  const received = await waitFor(10, 'the order to reach the webhook', find);
  assert.equal(received.body.status, 'RECEIVED');
  await page.getByRole('link', { name: 'Pick', exact: true }).click();
  const lines = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Not found' }) });
  await lines.nth(2).waitFor();
  const [milk, bread, weighed] = await Promise.all((await lines.all()).map((line) => line.getAttribute('aria-label')));
  const line = (name: string | null | undefined) => page.getByRole('listitem', { name: name ?? '', exact: true });
  assert.ok(await page.getByRole('button', { name: 'Ready for pickup' }).isDisabled());
  const dialog = page.getByRole('dialog');
  const choose = async (words: string, product: RegExp) => {
    await dialog.getByRole('searchbox').fill(words);
    await page.keyboard.press('Enter');
    await dialog.getByRole('heading', { name: 'Results' }).waitFor();
    await dialog.getByRole('button', { name: product }).first().click();
  };
  await line(milk).getByRole('button', { name: 'Replace' }).click();
  await dialog.getByRole('heading', { name: 'Suggestions' }).waitFor();
  await choose('lactose', /Lactose Free Milk 1 L/);
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
  await line(bread).getByRole('button', { name: 'Not found' }).click();
  await line(weighed).getByRole('textbox').fill('1.1');
  await line(weighed).getByRole('button', { name: 'In cart' }).click();
  await page.getByRole('button', { name: 'Add item' }).click();
  await choose('bread', /Bread/);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Check the cart' }).click();
  await waitForText(page, 'Looks good. Not submitted yet.');
  assert.equal((await client.getOrder({ params: { order_id: orderId } })).status, 'RECEIVED');
  await page.getByRole('button', { name: 'Ready for pickup' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders to pick' }).waitFor();
  await visitor.open(`/orders/${orderId}`, 'Order');
  await waitForText(page, 'order.ready_for_pickup');
  const order = await client.getOrder({ params: { order_id: orderId } });
  assert.equal(order.status, 'READY_FOR_PICKUP');
  const statuses = order.items.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, ['ADDITION', 'IN_CART', 'IN_CART', 'NOT_FOUND', 'REPLACED']);
  await visitor.leave();
});

test('a test order can be cancelled on behalf of the selected party', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/test-order?store=s8ym', 'Test order');
  await page.getByRole('radio', { name: /^Cancelled/ }).check();
  await page.getByRole('textbox', { name: 'Reason' }).fill('NO_RIDER');
  await page.getByRole('combobox', { name: 'Cancelled by' }).click();
  await page.getByRole('option', { name: 'Logistics' }).click();
  await page.getByRole('button', { name: 'Send test order' }).click();
  await waitForText(page, 'Cancelled by logistics');
  await waitForText(page, /NO_RIDER/);
  await waitForText(page, 'order.cancelled');
  await visitor.leave();
});

test('an order at a test store can be delivered by simulating the customer and the rider', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/sandbox?store=s8ym', 'Sandbox');
  await page.getByLabel('Comment').fill('Sandbox order');
  await page.getByRole('button', { name: 'Place order' }).click();
  const [, code = ''] = /Order (\S+) placed/.exec(await page.getByText(/ placed\.$/).innerText()) ?? [];
  const { orders } = await client.listOrders({ params, query: { query_term: code } });
  const order = orders[0] ?? assert.fail(`${code} is not in the list`);
  const body = { status: 'READY_FOR_PICKUP', items: allPicked(order) } as const;
  await client.putOrder({ params: { order_id: order.order_id }, body });
  const line = page.getByRole('region', { name: `Order ${code}` });
  await line.getByRole('button', { name: 'Rider picks up' }).click();
  await line.getByRole('button', { name: 'Rider delivers' }).click();
  await line.getByText('Delivered', { exact: true }).waitFor();
  await visitor.leave();
});

test('the automatic rider picks up and delivers an order while the page is closed', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/sandbox?store=s8ym', 'Sandbox');
  await page.getByLabel('Seconds until the rider arrives').fill('1');
  await page.getByRole('switch', { name: 'Automatic rider after', disabled: false }).click({ force: true });
  const ready = page.getByText('Ready for pickup', { exact: true });
  await ready.first().waitFor();
  await page.getByRole('switch', { name: 'Automatic rider after', checked: true }).waitFor();
  // The server simulates the rider, so the page can be closed.
  await visitor.leave();
  await waitFor(60, 'the rider', async () => {
    const { total_items } = await client.listOrders({ params, query: { status: 'READY_FOR_PICKUP' } });
    return total_items === 0 || undefined;
  });
  const again = await visitAsOwner(stage);
  await again.open('/sandbox?store=s8ym', 'Sandbox');
  await again.page.getByRole('switch', { name: 'Automatic rider after', checked: true }).click({ force: true });
  await again.page.getByRole('switch', { name: 'Automatic rider after', checked: false }).waitFor();
  await again.leave();
});

test('an order can be found by its code and cancelled by the store with a reason', async () => {
  const { orders } = await client.listOrders({ params, query: { status: 'RECEIVED' } });
  const order = orders[0] ?? assert.fail('no order is waiting');
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/orders?store=s8ym', 'Orders');
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(order.order_code);
  await page.waitForURL(/term=/);
  await page.getByRole('table', { name: 'Orders' }).getByText(order.order_code).click();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('radio', { name: 'Store is too busy' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await waitForText(page, /TOO_BUSY/);
  await visitor.leave();
});

test('a delivery is shown with its attempts and its body, and can be resent', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/integration/deliveries', 'Deliveries');
  await page.getByRole('table', { name: 'Deliveries' }).getByText('order.received').first().click();
  await page.getByRole('dialog').getByText('"status"').first().waitFor();
  const before = receiver.received.length;
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
  await waitForText(page, 'Resent.');
  await receiver.waitFor(before + 1);
  await page.getByRole('table', { name: 'Attempts' }).getByRole('row').nth(2).waitFor();
  await visitor.leave();
});

test('a 410 response disables the webhook, and the user can see why and re-enable it in the portal', async () => {
  receiver.respondWith((response) => {
    response.statusCode = 410;
    response.end();
  });
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/integration/webhooks', 'Webhooks');
  await page.getByRole('button', { name: 'Ping' }).click();
  await waitForText(page, /The endpoint returned 410 Gone/);
  receiver.respondWith((response) => response.end('{}'));
  await page.getByRole('button', { name: 'Enable' }).click();
  await waitForText(page, 'Webhook enabled. Sending queued deliveries.');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rotate signing secret' }).click();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  assert.match(await page.getByRole('textbox', { name: 'Signing secret' }).inputValue(), /^whsec_/);
  await visitor.leave();
});

test('the home page shows a completed checklist', async () => {
  const visitor = await visitAsOwner(stage);
  await visitor.open('/?store=s8ym', 'Saltbush Market');
  await waitForText(visitor.page, '7 of 7');
  await visitor.page.getByRole('button', { name: 'Copy List products' }).waitFor();
  await visitor.leave();
});
