import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { waitFor } from '../support/wait.ts';
import { assertAccessible } from './accessibility.ts';
import {
  assertTappable,
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
import { type Visitor, waitForText } from './visitor.ts';

const stage = await setStage();
const at = await setPickStage(stage);
const [milk, bread] = at.counted as [Product, Product];
const [apples] = at.weighed as [Product];
const sara = await at.hire('Sara');
const omar = await at.hire('Omar');
const session = '**/v2/portal/session';

test('without a network the app opens, keeps marks in order, and sends them on reconnect', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  allowOffline(visitor);
  await openOrder(page, order);
  await waitForWorker(page);
  await page.context().setOffline(true);
  await scan(page, milk.barcode);
  await scan(page, milk.barcode);
  await lineOf(page, milk).getByText('In cart').waitFor();
  await waitForText(page, /^Offline\./);
  await page.reload();
  await lineOf(page, milk).getByText('In cart').waitFor();
  await lineOf(page, bread).getByRole('button', { name: 'Not found' }).click();
  await lineOf(page, apples).getByRole('textbox').fill('0,97');
  await lineOf(page, apples).getByRole('button', { name: 'In cart' }).click();
  await waitForText(page, '5 changes waiting to be sent');
  assert.ok(await page.getByRole('button', { name: 'Waiting for the network' }).isDisabled());
  await page.context().setOffline(false);
  await waitForMarks(at, order.order_id, 'IN_CART 2, NOT_FOUND, IN_CART 0.97');
  await page.getByText(/^Offline\./).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Ready for pickup' }).click();
  await waitForText(page, `Order ${order.order_code} is done`);
  await visitor.leave();
});

test('an order that was cancelled while the device was offline shows it, with who cancelled it and what was not saved', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  allowOffline(visitor);
  visitor.expectError(/409/);
  await openOrder(page, order);
  await page.getByRole('button', { name: 'Check the cart' }).waitFor();
  await page.context().setOffline(true);
  await lineOf(page, bread).getByRole('button', { name: 'Not found' }).click();
  const { order_id } = order;
  await stage.client.sandboxCancelOrder({
    params: { order_id },
    body: { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' },
  });
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'This order was cancelled' }).waitFor();
  await waitForText(page, 'Cancelled by the customer. Put the items back.');
  await waitForText(page, '1 change on this device was not saved:');
  await waitForText(page, `${bread.name}: not found`);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Back to the orders' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders to pick' }).waitFor();
  assert.equal(await page.getByRole('link', { name: new RegExp(order.order_code) }).count(), 0);
  await visitor.leave();
});

test('an order that changes while the last marks are sent is not completed before the picker has seen the change', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara, { serviceWorkers: 'block' });
  const { page } = visitor;
  visitor.expectError(/409/);
  await openOrder(page, order);
  await page.getByRole('button', { name: 'Check the cart' }).waitFor();
  const held = Promise.withResolvers<void>();
  await page.route('**/picking/marks', (route) => held.promise.then(() => route.continue()));
  await lineOf(page, milk).getByRole('button', { name: 'In cart' }).click();
  for (const product of [bread, apples]) await lineOf(page, product).getByRole('button', { name: 'Not found' }).click();
  const checked = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Ready for pickup' }).click();
  await checked;
  const edited = await fetch(`${stage.url}/platform/v1/orders/${order.order_id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${stage.demo.platform_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ comment: 'No nuts, please.' }),
  });
  assert.equal(edited.status, 200);
  held.resolve();
  await page.getByRole('heading', { level: 1, name: 'This order has changed' }).waitFor();
  await page.waitForTimeout(500);
  assert.equal((await at.getOrder(order.order_id)).status, 'RECEIVED');
  await page.getByRole('button', { name: 'Continue with the new version' }).click();
  await page.getByRole('button', { name: 'Ready for pickup' }).click();
  await waitForText(page, `Order ${order.order_code} is done`);
  await visitor.leave();
});

test('a sign-out without a network ends the session when the device is online again', async () => {
  const visitor = await visitAsPicker(at, await at.hire('Rami'));
  const { page } = visitor;
  allowOffline(visitor);
  await page.goto('/pick');
  await waitForWorker(page);
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const readSession = async () => (await fetch(`${stage.url}/v2/portal/session`, { headers: { cookie } })).status;
  assert.equal(await readSession(), 200);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.context().setOffline(true);
  // A page that is being loaded can still send a request for a moment.
  await page.route(session, blockSignOut);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await isTrue(page, "!Object.keys(localStorage).some((key) => key.startsWith('aisle-pick/user'))");
  assert.equal(await page.evaluate("localStorage.getItem('aisle-sign-out')"), 'yes');
  await page.unroute(session, blockSignOut);
  await page.context().setOffline(false);
  await isTrue(page, "localStorage.getItem('aisle-sign-out') === null");
  assert.equal(await readSession(), 401);
  await visitor.leave();
});

test('orders that arrive during a sign-out do not stay on the device', async () => {
  await at.placeOrder();
  const visitor = await visitAsPicker(at, await at.hire('Tala'), { serviceWorkers: 'block' });
  const { page } = visitor;
  await page.goto('/pick');
  await page.evaluate("inPage.holdResponses('/picking/queue')");
  // Not the response to a request from before, which the page receives.
  await page.evaluate('inPage.firstHeld');
  const held = Promise.withResolvers<void>();
  await page.route(session, (route) => held.promise.then(() => route.continue()));
  await page.getByRole('button', { name: 'Settings' }).click();
  const sent = page.waitForRequest((request) => request.method() === 'DELETE');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await sent;
  assert.equal(await page.evaluate('inPage.releaseResponses()'), 1);
  await page.waitForTimeout(500);
  const noOrders = "!Object.keys(localStorage).some((key) => key.startsWith('aisle-pick/user'))";
  assert.ok(await page.evaluate(noOrders));
  held.resolve();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  assert.ok(await page.evaluate(noOrders));
  await visitor.leave();
});

test('a sign-out that has not reached the server does not end the session of the next picker', async () => {
  const visitor = await visitAsPicker(at, await at.hire('Yara'), { serviceWorkers: 'block' });
  const { page } = visitor;
  allowOffline(visitor);
  await page.goto('/pick');
  await page.route(session, blockSignOut);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  assert.equal(await page.evaluate("localStorage.getItem('aisle-sign-out')"), 'yes');
  await signInToPick(page, await at.hire('Zaid'));
  assert.equal(await page.evaluate("localStorage.getItem('aisle-sign-out')"), null);
  await page.unroute(session, blockSignOut);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Orders to pick' }).waitFor();
  assert.equal((await page.request.get('/v2/portal/session')).status(), 200);
  await visitor.leave();
});

test('a mark without a network is not lost if another tab overwrites the order at the same time', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, await at.hire('Mona'));
  const { page } = visitor;
  allowOffline(visitor);
  await openOrder(page, order);
  await page.getByRole('button', { name: 'Check the cart' }).waitFor();
  const other = await page.context().newPage();
  await other.goto('/docs');
  await page.context().setOffline(true);
  const key = `Object.keys(localStorage).find((key) => key.endsWith('/draft/${order.order_id}'))`;
  const before = await other.evaluate<string>(`localStorage[${key}]`);
  await lineOf(page, bread).getByRole('button', { name: 'Not found' }).click();
  await waitForText(page, '1 change waiting to be sent');
  await other.evaluate(`localStorage.setItem(${key}, ${JSON.stringify(before)})`);
  await waitFor(30, 'the mark', async () => (await readUnsent(other, key)) === 1 || undefined);
  await page.context().setOffline(false);
  await waitForMarks(at, order.order_id, 'NOT_FOUND');
  await visitor.leave();
});

function readUnsent(page: Page, key: string): Promise<number> {
  return page.evaluate(`JSON.parse(localStorage[${key}]).unsent.length`);
}

test('marks wait on the device until a picker whose password was reset has chosen a new one', async () => {
  const lina = await at.hire('Lina');
  const order = await at.placeOrder();
  const visitor = await visitPick(at);
  const { page } = visitor;
  allowOffline(visitor);
  visitor.expectError(/401/);
  await signInToPick(page, lina);
  await openOrder(page, order);
  await page.context().setOffline(true);
  await lineOf(page, bread).getByRole('button', { name: 'Not found' }).click();
  const { users } = await stage.client.listUsers({ query: { page_size: 100 } });
  const user_id = String(users.find(({ email }) => email === lina.email)?.user_id);
  const { password = '' } = await stage.client.resetPassword({ params: { user_id } });
  await page.context().setOffline(false);
  await page.getByLabel('Email').fill(lina.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Choose a password in the portal' }).waitFor();
  await page.reload({ waitUntil: 'networkidle' });
  await page.getByRole('link', { name: 'Choose a password in the portal' }).waitFor();
  const body = { current_password: password, new_password: 'plum violin cactus tractor' };
  const changed = await page.request.put('/v2/portal/session/password', { data: body, headers: { origin: stage.url } });
  assert.equal(changed.status(), 200, await changed.text());
  await page.reload();
  await waitForMarks(at, order.order_id, 'NOT_FOUND');
  await visitor.leave();
});

test('an order that the picker has lost access to is removed, and the next ones are stored on the device', async () => {
  const lost = await at.placeOrder();
  const samir = await at.hire('Samir');
  const visitor = await visitAsPicker(at, samir);
  const { page } = visitor;
  // A request that waits for changes fails with 403.
  visitor.expectError(/403|404/);
  await openOrder(page, lost);
  await lineOf(page, bread).getByRole('button', { name: 'Not found' }).click();
  await waitForMarks(at, lost.order_id, 'NOT_FOUND');
  const { users } = await stage.client.listUsers({ query: { page_size: 100 } });
  const user_id = String(users.find(({ email }) => email === samir.email)?.user_id);
  await stage.client.updateUser({ params: { user_id }, body: { vendor_ids: ['k3qd'] } });
  const { products } = await stage.client.listCatalog({ params: { vendor_id: 'k3qd' }, query: { page_size: 300 } });
  const sold = products.find(({ available, is_sold_by_weight: isByWeight }) => available && !isByWeight);
  const next = await stage.client.sandboxPlaceOrder({
    body: {
      vendor_id: 'k3qd',
      customer: { first_name: 'Sam', phone_number: '+971500000000' },
      items: [{ sku: String(sold?.sku), quantity: 1 }],
      payment: { type: 'PAID' },
    },
  });
  await page.goto('/pick');
  const isStored = (orderId: string) => `Object.keys(localStorage).some((key) => key.endsWith('/draft/${orderId}'))`;
  await isTrue(page, isStored(next.order_id));
  await isTrue(page, `!${isStored(lost.order_id)}`);
  await visitor.leave();
});

test('if another picker signs in in one tab, so do the other tabs, and no orders of the first one stay', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, await at.hire('Nora'));
  const { page } = visitor;
  visitor.expectError(/401/);
  const other = await page.context().newPage();
  await openOrder(other, order);
  await page.goto('/pick');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await signInToPick(page, await at.hire('Zaid'));
  await other.getByRole('heading', { level: 1, name: order.order_code }).waitFor();
  const owners = await other.evaluate<string[]>(
    "Object.keys(localStorage).filter((key) => key.startsWith('aisle-pick/user/')).map((key) => key.split('/')[2])",
  );
  assert.equal(new Set(owners).size, 1);
  await visitor.leave();
});

async function isTrue(page: Page, expression: string): Promise<void> {
  await waitFor(30, expression, async () => (await page.evaluate<boolean>(expression)) || undefined);
}

test('two pickers share an order and see each other’s marks; one takes it over', async () => {
  const order = await at.placeOrder();
  const one = await visitAsPicker(at, sara);
  const two = await visitAsPicker(at, omar);
  await openOrder(one.page, order);
  await scan(one.page, milk.barcode);
  await waitForMarks(at, order.order_id, 'PENDING 1');
  await two.page.goto('/pick');
  await two.page
    .getByRole('link', { name: new RegExp(order.order_code) })
    .getByText('Sara · 0 of 3')
    .waitFor();
  await openOrder(two.page, order);
  await two.page.getByRole('heading', { name: 'Being picked by Sara' }).waitFor();
  await scan(two.page, bread.barcode);
  await waitForText(two.page, /^First choose/);
  await waitForMarks(at, order.order_id, 'PENDING 1');
  await two.page.getByRole('button', { name: /^Pick it together/ }).click();
  await one.page.getByText('Shared with Omar').waitFor();
  await scan(two.page, milk.barcode);
  await lineOf(one.page, milk).getByText('Changed by Omar').waitFor();
  await lineOf(one.page, bread).getByRole('button', { name: 'In cart' }).click();
  await lineOf(two.page, bread).getByText('Changed by Sara').waitFor();
  const { email, password } = await at.hire('Lina');
  const three = await visitAsPicker(at, { email, password, name: 'Lina' });
  await openOrder(three.page, order);
  await three.page.getByRole('button', { name: /^Take over/ }).click();
  await one.page.getByRole('heading', { name: 'Taken over by Lina' }).waitFor();
  await lineOf(three.page, bread).getByRole('button', { name: 'Change' }).waitFor();
  for (const visitor of [one, two, three]) await visitor.leave();
});

test('in Arabic at 820 px, an order is picked right to left, with Arabic product names, and fits at 320 px', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, omar, { width: 820, scheme: 'dark' });
  const { page } = visitor;
  await page.goto('/pick');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Language').selectOption('ar');
  await page.locator('html[dir="rtl"]').waitFor();
  await page.getByRole('button', { name: 'إغلاق' }).click();
  await assertAccessible(page);
  await assertTappable(page);
  await openOrder(page, order);
  const [milkLine, breadLine, applesLine] = [milk, bread, apples].map(({ arabicName }) =>
    lineOf(page, { name: arabicName }),
  );
  assert.ok(milkLine && breadLine && applesLine);
  await applesLine.getByRole('textbox').waitFor();
  for (const width of [320, 820]) {
    await page.setViewportSize({ width, height: 900 });
    await assertTappable(page);
  }
  await milkLine.getByRole('button', { name: 'في السلة' }).click();
  await breadLine.getByRole('button', { name: 'غير موجود' }).click();
  await applesLine.getByRole('textbox').fill('١٫٠٥');
  await applesLine.getByRole('button', { name: 'في السلة' }).click();
  await waitForText(page, /^أُنجز الكل، غير الموجود: /);
  await assertAccessible(page);
  await assertTappable(page);
  await page.getByRole('button', { name: 'فحص السلة' }).click();
  await waitForText(page, 'كل شيء سليم. لم تُرسل بعد.');
  await page.getByRole('button', { name: 'جاهز للاستلام' }).click();
  // The code is between invisible marks, so that it is shown from left to right.
  await waitForText(page, new RegExp(`اكتمل الطلب .?${order.order_code}`));
  await waitForMarks(at, order.order_id, 'IN_CART 2, NOT_FOUND, IN_CART 1.05');
  await visitor.leave();
});

test('the camera reads a barcode with WebAssembly where the browser has no reader', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  await openOrder(page, order);
  await page.evaluate(`inPage.showToCamera('${milk.barcode}')`);
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  await lineOf(page, milk).getByText('1 of 2').waitFor();
  await visitor.leave();
});

function blockSignOut(route: Route): Promise<void> {
  return route.request().method() === 'DELETE' ? route.abort('internetdisconnected') : route.continue();
}

/** Requests without a network are logged by the browser. */
function allowOffline(visitor: Visitor): void {
  visitor.expectError(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
}
