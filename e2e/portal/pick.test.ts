import assert from 'node:assert/strict';
import { test } from 'node:test';
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
} from './picker.ts';
import { setStage } from './stage.ts';
import { waitForText } from './visitor.ts';

const stage = await setStage();
const at = await setPickStage(stage);
const [milk, bread, cream] = at.counted as [Product, Product, Product];
const [apples] = at.weighed as [Product];
const sara = await at.hire('Sara');

test('the first load transfers less than 150 kB and nothing from other hosts, and the app can be installed', async () => {
  const visitor = await visitPick(at);
  const { page } = visitor;
  let bytes = 0;
  page.on('response', (response) => {
    assert.ok(response.url().startsWith(stage.url), response.url());
    const { 'content-length': length, 'content-type': type } = response.headers();
    if (!response.fromServiceWorker() && type !== 'image/png') bytes += Number(length ?? 0);
  });
  await page.goto('/pick');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  assert.ok(bytes > 50_000 && bytes < 150_000, `${bytes} bytes`);
  const get = (path: string) => fetch(new URL(path, stage.url));
  const { headers } = await get('/pick');
  assert.match(String(headers.get('content-security-policy')), /script-src 'self' 'wasm-unsafe-eval';/);
  const manifest = await (await get('/pick/manifest.webmanifest')).text();
  const { start_url, scope, icons } = JSON.parse(manifest);
  assert.deepEqual([start_url, scope], ['/pick', '/pick']);
  for (const { src } of icons) assert.equal((await get(src)).status, 200);
  const worker = await get('/pick/service-worker.js');
  assert.equal(worker.headers.get('service-worker-allowed'), '/pick');
  await assertAccessible(page);
  await visitor.leave();
});

test('a picker scans, weighs, replaces and adds, confirms the higher total, and finishes the order', async () => {
  const order = await at.placeOrder('Please choose ripe apples.');
  const visitor = await visitPick(at);
  const { page } = visitor;
  await signInToPick(page, sara);
  sara.storage = await page.context().storageState();
  const card = page.getByRole('link', { name: new RegExp(order.order_code) });
  await card.getByText('Please choose ripe apples.').waitFor();
  await card.getByText('3 items').waitFor();
  assert.match(await page.title(), /^\(\d+\) Orders to pick$/);
  await card.click();
  await lineOf(page, milk).waitFor();

  await scan(page, milk.barcode);
  await lineOf(page, milk).getByText('1 of 2').waitFor();
  await waitForMarks(at, order.order_id, 'PENDING 1');
  await scan(page, milk.barcode);
  await lineOf(page, milk).getByText('In cart').waitFor();
  await scan(page, milk.barcode);
  await waitForText(page, `${milk.name} is already complete.`);
  await waitForMarks(at, order.order_id, 'IN_CART 2');
  const [first] = await at.getMarks(order.order_id);
  assert.deepEqual(first?.scanned_codes, [milk.barcode, milk.barcode]);

  await lineOf(page, apples).getByRole('textbox').fill('1.02');
  await lineOf(page, apples).getByRole('button', { name: 'In cart' }).click();
  await lineOf(page, bread).getByRole('button', { name: 'Replace' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('heading', { name: 'Suggestions' }).waitFor();
  assert.equal(await sheet.getByRole('button', { name: bread.name, exact: true }).count(), 0);
  await scan(page, bread.barcode);
  await sheet.getByText('This is the item itself.').waitFor();
  await scan(page, cream.barcode);
  await sheet.getByRole('button', { name: 'One more' }).click();
  assert.equal(await page.getByText('This is the item itself.').count(), 0, 'the refusal is gone');
  await sheet.getByRole('button', { name: 'Replace', exact: true }).click();
  await waitForMarks(at, order.order_id, 'IN_CART 2, IN_CART 1.02, REPLACED');

  const stranger = at.counted[5] as Product;
  await scan(page, stranger.barcode);
  await sheet.getByRole('heading', { name: 'Wrong item' }).waitFor();
  // Another scan of an item in the order closes the sheet: the picker has put the wrong one back.
  await scan(page, milk.barcode);
  await sheet.waitFor({ state: 'detached' });
  await scan(page, stranger.barcode);
  await sheet.getByRole('heading', { name: 'Wrong item' }).waitFor();
  await sheet.getByRole('button', { name: 'Add it to the order' }).click();
  await sheet.getByRole('button', { name: 'Add', exact: true }).click();
  await lineOf(page, stranger).getByText('Added').waitFor();

  await page.getByRole('button', { name: 'Check the cart' }).click();
  await waitForText(page, 'Looks good. Not submitted yet.');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Ready for pickup' }).click();
  await sheet.getByText(/The customer has already paid/).waitFor();
  await sheet.getByRole('button', { name: 'Submit with the new total' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders to pick' }).waitFor();
  await waitForText(page, `Order ${order.order_code} is done`);
  assert.equal(await card.count(), 0, 'a finished order is not in the queue');
  const { status, items } = await at.getOrder(order.order_id);
  assert.equal(status, 'READY_FOR_PICKUP');
  assert.deepEqual(
    items.map((item) => `${item.sku} ${item.status}`).toSorted(),
    [
      `${milk.sku} IN_CART`,
      `${bread.sku} REPLACED`,
      `${cream.sku} IN_CART`,
      `${apples.sku} IN_CART`,
      `${stranger.sku} ADDITION`,
    ].toSorted(),
  );
  assert.equal(items.find(({ sku }) => sku === apples.sku)?.pricing.weight, 1.02);
  await visitor.leave();
});

test('every control is large enough and can be tapped at 320, 390, 600 and 820 px', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara, { width: 320 });
  const { page } = visitor;
  await openOrder(page, order);
  await lineOf(page, milk).getByRole('button', { name: 'Not found' }).click();
  await lineOf(page, apples).getByRole('button', { name: 'Replace' }).click();
  await scan(page, cream.barcode);
  await page.getByRole('dialog').getByRole('button', { name: 'Replace', exact: true }).click();
  await lineOf(page, apples).getByText('Replaced by').waitFor();
  await waitForText(page, '2 of 3 done');
  await lineOf(page, bread).getByRole('button', { name: 'Not found' }).click();
  await waitForText(page, 'All done, 2 not found');
  await lineOf(page, bread).getByRole('button', { name: 'Change' }).click();
  const views: [open: () => Promise<void>, close: () => Promise<void>][] = [
    [async () => {}, async () => {}],
    [
      async () => {
        await lineOf(page, bread).getByRole('button', { name: 'Replace' }).click();
        await page.getByRole('heading', { name: 'Suggestions' }).waitFor();
      },
      () => page.getByRole('button', { name: 'Close' }).click(),
    ],
    [
      () => page.getByRole('button', { name: 'More actions' }).click(),
      () => page.getByRole('button', { name: 'Close' }).click(),
    ],
    [
      async () => {
        await page.getByRole('button', { name: 'Back to the orders' }).click();
        await page.getByRole('link', { name: new RegExp(order.order_code) }).waitFor();
      },
      async () => {},
    ],
    [() => page.getByRole('button', { name: 'Settings' }).click(), async () => {}],
  ];
  for (const [open, close] of views) {
    await open();
    for (const width of [320, 390, 600, 820]) {
      await page.setViewportSize({ width, height: 740 });
      await assertTappable(page);
    }
    await close();
  }
  await assertAccessible(page);
  await visitor.leave();
});

test('a weight can be typed key by key, and a weight outside the range is never submitted', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  await openOrder(page, order);
  const line = lineOf(page, apples);
  const field = line.getByRole('textbox');
  const type = async (text: string) => {
    await field.fill('');
    for (const [index, key] of [...text].entries()) {
      await page.keyboard.press(key);
      assert.equal(await field.inputValue(), text.slice(0, index + 1));
    }
  };
  assert.equal(await field.inputValue(), '', 'no weight is filled in');
  await line.getByText(/Allowed: .*\skg to .*\skg/).waitFor();
  await line.getByRole('button', { name: 'In cart' }).click();
  await line.getByText('Enter the weight.').waitFor();
  await type('7.5');
  await field.blur();
  await line.getByText(/Must be between/).waitFor();
  await line.getByRole('button', { name: 'In cart' }).click();
  assert.equal(await line.getByRole('button', { name: 'In cart' }).count(), 1, 'the line is still open');
  assert.deepEqual(await at.getMarks(order.order_id), []);
  await type('0.98');
  await field.blur();
  await waitForMarks(at, order.order_id, 'PENDING 0.98');
  await type('1.1');
  await page.reload();
  assert.equal(await field.inputValue(), '1.1', 'what was typed is still there after a reload');
  await type('1,05');
  await page.keyboard.press('Enter');
  await line.getByText('1.05 kg').waitFor();
  await waitForMarks(at, order.order_id, 'IN_CART 1.05');
  await visitor.leave();
});

test('a scan while a field has the focus does not change the field', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  await openOrder(page, order);
  const field = lineOf(page, apples).getByRole('textbox');
  await field.fill('0.9');
  await field.focus();
  await scan(page, milk.barcode);
  await lineOf(page, milk).getByText('1 of 2').waitFor();
  assert.equal(await field.inputValue(), '0.9');
  await visitor.leave();
});

test('a correct scan right after a wrong one does not look wrong', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  await openOrder(page, order);
  await lineOf(page, bread).getByRole('button', { name: 'In cart' }).click();
  const edges = await page.evaluate<(string | undefined)[]>(
    `['${bread.barcode}', '${milk.barcode}'].map((code) => (inPage.scan(code), document.body.dataset.flash))`,
  );
  assert.deepEqual(edges, ['bad', undefined]);
  await lineOf(page, milk).getByText('1 of 2').waitFor();
  await visitor.leave();
});

test('suggestions that arrive after the results of a search do not replace them', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  await openOrder(page, order);
  await page.evaluate("inPage.holdResponses('/replacement-candidates')");
  await lineOf(page, milk).getByRole('button', { name: 'Replace' }).click();
  const sheet = page.getByRole('dialog');
  const field = sheet.getByRole('searchbox');
  await field.fill(bread.name);
  await field.press('Enter');
  await sheet.getByRole('heading', { name: 'Results' }).waitFor();
  const results = await sheet.getByRole('listitem').allInnerTexts();
  assert.equal(await page.evaluate('inPage.releaseResponses()'), 1);
  await page.waitForTimeout(300);
  assert.deepEqual(await sheet.getByRole('listitem').allInnerTexts(), results);
  await sheet.getByRole('heading', { name: 'Results' }).waitFor();
  await visitor.leave();
});

test('an order of which nothing was found is cancelled with the button in the bar', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  await openOrder(page, order);
  for (const product of [milk, bread, apples]) {
    await lineOf(page, product).getByRole('button', { name: 'Not found' }).click();
  }
  await waitForText(page, 'Nothing was picked. Cancel the order instead.');
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Items are not available' }).click();
  await waitForText(page, `Order ${order.order_code} cancelled`);
  assert.equal((await at.getOrder(order.order_id)).status, 'CANCELLED');
  await visitor.leave();
});

test('an order that was cancelled while the queue was being loaded is not offered again', async () => {
  const [order, waiting] = [await at.placeOrder(), await at.placeOrder()];
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  const card = (code: string) => page.getByRole('link', { name: new RegExp(code) });
  await openOrder(page, order);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.evaluate(`inPage.holdResponses('/picking/queue')`);
  await page.evaluate('inPage.firstHeld');
  await page.getByRole('dialog').getByRole('button', { name: 'Items are not available' }).click();
  await waitForText(page, `Order ${order.order_code} cancelled`);
  await page.evaluate(`globalThis.release = inPage.releaseResponses; inPage.holdResponses('/picking/queue')`);
  await page.evaluate('release()');
  // The queue is requested again when the response before has been processed.
  await page.evaluate('inPage.firstHeld');
  await card(waiting.order_code).waitFor();
  assert.equal(await card(order.order_code).count(), 0);
  await visitor.leave();
});

test('marks survive a reload and a change of device', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  await openOrder(page, order);
  await scan(page, milk.barcode);
  await lineOf(page, bread).getByRole('button', { name: 'In cart' }).click();
  await page.reload();
  await lineOf(page, milk).getByText('1 of 2').waitFor();
  await lineOf(page, bread).getByRole('button', { name: 'Change' }).waitFor();
  await waitForMarks(at, order.order_id, 'PENDING 1, IN_CART 1');
  const { email, password, name } = sara;
  const other = await visitAsPicker(at, { email, password, name });
  await openOrder(other.page, order);
  await lineOf(other.page, milk).getByText('1 of 2').waitFor();
  await other.leave();
  await visitor.leave();
});

test('a long link in the comment of a customer does not make the pages wider than the phone', async () => {
  const order = await at.placeOrder(`https://maps.example/${'a'.repeat(200)}`);
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  await page.goto('/pick');
  await page.getByText('maps.example').first().waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  await openOrder(page, order);
  await page.getByText('maps.example').first().waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  await visitor.leave();
});

test('the portal sends pickers and old links to the app, and the account stays reachable', async () => {
  const order = await at.placeOrder();
  const visitor = await visitAsPicker(at, sara);
  const { page } = visitor;
  await page.goto('/portal/catalog');
  await page.getByRole('heading', { level: 1, name: 'Orders to pick' }).waitFor();
  await page.goto(`/portal/orders/${order.order_id}/pick`);
  await page.getByRole('heading', { level: 1, name: order.order_code }).waitFor();
  await page.goto('/portal/settings/account');
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
  await visitor.leave();
});
