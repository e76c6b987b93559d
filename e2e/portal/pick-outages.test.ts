import assert from 'node:assert/strict';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Order } from '@aisle/sdk';
import type { Page } from 'playwright-core';
import { waitFor } from '../support/wait.ts';
import {
  lineOf,
  openOrder,
  type Product,
  scan,
  setPickStage,
  signInToPick,
  visitAsPicker,
  visitPick,
  waitForMarks,
  waitForWorker,
} from './picker.ts';
import { setStage } from './stage.ts';
import { acceptInvitation, waitForText } from './visitor.ts';

/** What happens to marks if a proxy or a Wi-Fi answers instead of Aisle, if Aisle rejects them, or if others interfere. */
const stage = await setStage();
const at = await setPickStage(stage);
const [milk, bread, added] = at.counted as [Product, Product, Product];
const proxy = await startProxy();

test('while a proxy responds for the server, the app opens, shows that it is offline, and keeps the marks', async () => {
  const order = await at.placeOrder();
  const visitor = await visitPick({ ...at, stage: { ...stage, url: proxy.url } });
  const { page } = visitor;
  visitor.expectError(/502|demo\/pictures/);
  await signInToPick(page, await at.hire('Dana'));
  await openOrder(page, order);
  await waitForWorker(page);
  proxy.respond(502);
  await lineOf(page, bread).getByRole('button', { name: 'Not found' }).click();
  await waitForText(page, '1 change waiting to be sent');
  await page.reload();
  await lineOf(page, bread).getByText('Not found').waitFor();
  proxy.respond(undefined);
  await waitForMarks(at, order.order_id, 'NOT_FOUND');
  await page.getByText(/^Offline\./).waitFor({ state: 'detached' });
  await visitor.leave();
});

for (const [what, status, contentType, body] of [
  ['a page that is not from Aisle', 404, 'text/html', '<h1>No such host</h1>'],
  ['a page with the status of a success', 200, 'text/html', '<h1>Sign in to the Wi-Fi</h1>'],
  ['a timeout', 408, 'application/problem+json', JSON.stringify({ code: 'request_timeout', detail: 'Too slow' })],
] as const) {
  test(`marks are sent again after ${what}`, async () => {
    const order = await at.placeOrder();
    const visitor = await visitAsPicker(at, await at.hire('Hala'), { serviceWorkers: 'block' });
    const { page } = visitor;
    visitor.expectError(new RegExp(String(status)));
    await openOrder(page, order);
    await page.getByRole('button', { name: 'Check the cart' }).waitFor();
    const marks = '**/picking/marks';
    const answered = page.waitForResponse(marks);
    await page.route(marks, (route) => route.fulfill({ status, contentType, body }), { times: 1 });
    await lineOf(page, milk).getByRole('button', { name: 'In cart' }).click();
    assert.equal((await answered).status(), status);
    await waitForMarks(at, order.order_id, 'IN_CART 2');
    await visitor.leave();
  });
}

test('a mark that the server rejects does not take those with it that were made at the same time without a network', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, await at.hire('Dina'));
  const { page } = visitor;
  visitor.expectError(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|400/);
  await openOrder(page, order);
  await waitForWorker(page);
  await page.getByRole('button', { name: 'Check the cart' }).waitFor();
  await page.context().setOffline(true);
  await lineOf(page, bread).getByRole('button', { name: 'Not found' }).click();
  await lineOf(page, milk).getByRole('button', { name: 'In cart' }).click();
  await page.evaluate(`(() => {
    const key = Object.keys(localStorage).find((one) => one.endsWith('/draft/${order.order_id}'));
    const draft = JSON.parse(localStorage[key]);
    draft.unsent[0].weight = -1;
    localStorage[key] = JSON.stringify(draft);
  })()`);
  await page.reload();
  await waitForText(page, '2 changes waiting to be sent');
  await page.context().setOffline(false);
  await waitForMarks(at, order.order_id, 'IN_CART 2');
  await waitForText(page, /^The server did not accept a change: /);
  await visitor.leave();
});

test('marks wait on the device until an owner whose chain now requires a second factor has set one up', async () => {
  const email = 'owner@picker.example';
  const body = { email, name: 'Olga', role: 'OWNER', must_change_password: false } as const;
  const { password = '' } = await stage.client.createUser({ body });
  const order = await at.placeOrder();
  const visitor = await visitPick(at);
  const { page } = visitor;
  visitor.expectError(/403/);
  await signInToPick(page, { email, password, name: 'Olga' });
  await openOrder(page, order);
  await page.getByRole('button', { name: 'Check the cart' }).waitFor();
  await stage.client.updateSettings({ body: { require_second_factor_for_owners: true } });
  await lineOf(page, bread).getByRole('button', { name: 'Not found' }).click();
  await page.getByRole('link', { name: 'Set it up in the portal' }).waitFor();
  await stage.client.updateSettings({ body: { require_second_factor_for_owners: false } });
  await page.reload();
  await waitForMarks(at, order.order_id, 'NOT_FOUND');
  await visitor.leave();
});

test('if another user signs in in the portal, the app does not act for that user as if it were the picker', async () => {
  const body = { email: 'maha@picker.example', name: 'Maha', role: 'MANAGER', invite: true } as const;
  const { url = '' } = (await stage.client.createUser({ body })).invitation ?? {};
  const visitor = await visitAsPicker(at, await at.hire('Rana'));
  const { page } = visitor;
  await page.goto('/pick');
  await page.getByRole('button', { name: 'Settings' }).waitFor();
  const reloaded = page.waitForEvent('load');
  await acceptInvitation(await page.context().newPage(), url);
  await reloaded;
  await page.getByRole('button', { name: 'Settings' }).click();
  await waitForText(page, /^Maha · /);
  await visitor.leave();
});

test('an order is not finished with a cart that another picker has changed since', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, await at.hire('Noor'), { serviceWorkers: 'block' });
  const { page } = visitor;
  await ignoreWaiting(page);
  await openOrder(page, order);
  const lines = page.getByRole('listitem');
  for (const name of [milk, bread].map((product) => product.name)) {
    await lineOf(page, { name }).getByRole('button', { name: 'In cart' }).click();
  }
  await lines.filter({ hasText: 'kg' }).getByRole('button', { name: 'Not found' }).click();
  await waitForMarks(at, order.order_id, 'IN_CART 2, IN_CART 1, NOT_FOUND');
  const item = order.items.find(({ sku }) => sku === bread.sku);
  await stage.client.markItems({
    params: { order_id: order.order_id },
    body: { order_revision: order.revision, marks: [notFound(String(item?._id))] },
  });
  await page.getByRole('button', { name: 'Ready for pickup' }).click();
  await waitForText(page, 'This order has changed');
  await lineOf(page, bread).getByText('Not found').waitFor();
  assert.equal((await at.getOrder(order.order_id)).status, 'RECEIVED');
  await page.getByRole('button', { name: 'Ready for pickup' }).click();
  await waitForText(page, `Order ${order.order_code} is done`);
  const { items } = await at.getOrder(order.order_id);
  assert.equal(items.find(({ sku }) => sku === bread.sku)?.status, 'NOT_FOUND');
  await visitor.leave();
});

test('an order that another picker has taken over is not cancelled', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, await at.hire('Huda'), { serviceWorkers: 'block' });
  const { page } = visitor;
  await ignoreWaiting(page);
  const claimed = page.waitForResponse('**/picking/claim');
  await openOrder(page, order);
  await claimed;
  const { order_id } = order;
  await stage.client.claimOrder({ params: { order_id }, body: { mode: 'TAKE_OVER' } });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('button', { name: 'The store is too busy' }).click();
  await page.getByRole('dialog', { name: /^Taken over by / }).waitFor();
  assert.equal((await at.getOrder(order_id)).status, 'RECEIVED');
  await visitor.leave();
});

test('the question about a higher total disappears if another picker changes the cart', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, await at.hire('Lama'));
  const { page } = visitor;
  await openOrder(page, order);
  for (const product of [milk, bread]) await lineOf(page, product).getByRole('button', { name: 'In cart' }).click();
  await page.getByRole('listitem').filter({ hasText: 'kg' }).getByRole('textbox').fill('1');
  await page.getByRole('listitem').filter({ hasText: 'kg' }).getByRole('button', { name: 'In cart' }).click();
  await waitForMarks(at, order.order_id, 'IN_CART 2, IN_CART 1, IN_CART 1');
  await addProduct(order, 1);
  await page.getByRole('listitem').filter({ hasText: added.name }).waitFor();
  await page.getByRole('button', { name: 'Ready for pickup' }).click();
  const question = page.getByRole('dialog', { name: 'The total increases' });
  await question.waitFor();
  await addProduct(order, 20);
  await question.waitFor({ state: 'detached' });
  assert.equal((await at.getOrder(order.order_id)).status, 'RECEIVED');
  await visitor.leave();
});

test('changes of others still arrive after the picker has lost access to another store', async () => {
  const order = await at.placeOrder();
  const picker = await at.hire('Rana');
  const { users } = await stage.client.listUsers({ query: { page_size: 100 } });
  const params = { user_id: String(users.find(({ email }) => email === picker.email)?.user_id) };
  const [, other] = stage.demo.vendors;
  await stage.client.updateUser({ params, body: { vendor_ids: [at.vendorId, String(other?.vendor_id)] } });
  const visitor = await visitAsPicker(at, picker, { serviceWorkers: 'block' });
  const { page } = visitor;
  // The orders of the other store are no longer found.
  visitor.expectError(/40[34]/);
  const waiting = page.waitForRequest((request) => new URL(request.url()).searchParams.has('wait_seconds'));
  const claimed = page.waitForResponse('**/picking/claim');
  await openOrder(page, order);
  await Promise.all([waiting, claimed]);
  await stage.client.updateUser({ params, body: { vendor_ids: [at.vendorId] } });
  await addProduct(order, 1);
  await page.getByRole('listitem').filter({ hasText: added.name }).waitFor();
  await visitor.leave();
});

/** A connection that has died without a sign, so that the changes of others do not arrive. */
function ignoreWaiting(page: Page) {
  return page.route(
    (url) => url.searchParams.has('wait_seconds'),
    () => {},
  );
}

function addProduct({ order_id, revision: order_revision }: Order, quantity: number) {
  const about = { line_id: crypto.randomUUID(), state: 'ADDED' as const, sku: added.sku, quantity };
  const mark = { ...about, mark_id: crypto.randomUUID(), marked_at: new Date().toISOString() };
  return stage.client.markItems({ params: { order_id }, body: { order_revision, marks: [mark] } });
}

function notFound(lineId: string) {
  const marked_at = new Date().toISOString();
  return { mark_id: crypto.randomUUID(), line_id: lineId, state: 'NOT_FOUND' as const, quantity: null, marked_at };
}

/** A proxy in front of the server that can respond by itself. */
async function startProxy() {
  let status: number | undefined;
  const server = createServer((incoming, response) => {
    if (status !== undefined) {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
      return;
    }
    const { method, headers, url = '' } = incoming;
    const outgoing = send(new URL(url, stage.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Responds to every request with this status, or passes requests on if it is undefined. */
    respond: (next: number | undefined) => void (status = next),
  };
}

test('marks that are stored while an order is being loaded stay, and are counted on', async () => {
  await at.emptyQueue();
  const order = await at.placeOrder();
  const path = `/orders/${order.order_id}`;
  const visitor = await visitAsPicker(at, await at.hire('Hala'), { serviceWorkers: 'block' });
  const { page } = visitor;
  await page.goto('/pick');
  const isStored = `Object.keys(localStorage).some((key) => key.endsWith('/draft/${order.order_id}'))`;
  await waitFor(30, 'the order on the device', async () => (await page.evaluate<boolean>(isStored)) || undefined);
  await page.evaluate(`inPage.holdResponses('${path}')`);
  const isPicking = (one: { url(): string }) => new URL(one.url()).pathname.endsWith(`${path}/picking`);
  const read = page.waitForResponse(isPicking);
  await page.getByRole('link', { name: new RegExp(order.order_code) }).click();
  await Promise.all([read, page.evaluate('inPage.firstHeld')]);
  await scan(page, milk.barcode);
  await waitForMarks(at, order.order_id, 'PENDING 1');
  // The state that is read next would correct the one that was read before the mark.
  await page.evaluate(`globalThis.release = inPage.releaseResponses; inPage.holdResponses('/picking')`);
  const followed = page.waitForRequest(isPicking);
  await page.evaluate('release()');
  await followed;
  await scan(page, milk.barcode);
  await waitForMarks(at, order.order_id, 'IN_CART 2');
  await visitor.leave();
});
