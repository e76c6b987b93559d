import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assertAccessible } from './accessibility.ts';
import { setStage } from './stage.ts';
import { visitAsOwner, waitForText } from './visitor.ts';

const stage = await setStage();

test('a number of the comparison of stores opens exactly the orders that it counts', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/numbers?period=LAST_30_DAYS', 'Numbers');
  const table = page.getByRole('table', { name: 'Numbers' });
  await table.waitFor();
  await assertAccessible(page);
  const cancelled = table.getByRole('link', { name: /^Cancelled at / }).nth(1);
  const count = Number(/(\d+) orders?$/.exec((await cancelled.textContent()) ?? '')?.[1]);
  assert.ok(count > 0);
  await cancelled.click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await waitForText(page, 'Without test orders');
  await waitForText(page, new RegExp(`–${count} of ${count}$`));
  await assertAccessible(page);
  // The stores are in two time zones, so only a chosen one gives all of them the same period.
  await visitor.open('/numbers?period=LAST_30_DAYS&zone=UTC', 'Numbers');
  await table.getByRole('link', { name: /^Orders at All stores/ }).click();
  await waitForText(page, /Orders at all stores/);
  await page.getByRole('columnheader', { name: 'Store' }).waitFor();
  await visitor.leave();
});

test('the comparison of stores can be sorted and downloaded', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/numbers?period=LAST_30_DAYS&zone=UTC', 'Numbers');
  await waitForText(page, /, UTC$/);
  await page.getByRole('button', { name: 'Store', exact: true }).click();
  const head = page.getByRole('columnheader', { name: 'Store' });
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  const names = await page.getByRole('rowheader').allTextContents();
  const stores = names.slice(1).map((name) => name.replace(/\d+$/, ''));
  assert.deepEqual(
    stores,
    stores.toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true })),
  );
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const [header, ...rows] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  assert.match(header ?? '', /^vendor_id,external_id,name,.*revenue_AED,revenue_KWD,orders,/);
  assert.equal(rows.length, stores.length);
  await visitor.leave();
});

test('the command palette opens pages, orders, products and stores with the keyboard', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/jobs?store=s8ym', 'Jobs');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search the portal' });
  await field.waitFor();
  await page.getByRole('option', { name: 'Numbers' }).waitFor();
  await assertAccessible(page);
  await page.keyboard.type('webh');
  await page.getByRole('option', { name: 'Numbers' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();

  const { orders } = await stage.client.listOrders({ params: { vendor_id: 's8ym' }, query: { page_size: 1 } });
  const code = String(orders[0]?.order_code);
  await page.keyboard.press('/');
  await field.fill(code);
  await page.getByRole('group', { name: 'Orders' }).getByRole('option').first().waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: `Order ${code}` }).waitFor();

  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await field.fill('mlik');
  const products = page.getByRole('group', { name: /^Products at / }).getByRole('option');
  await products.first().waitFor();
  const title = await products.first().locator('span').first().textContent();
  await products.first().click();
  await page.getByRole('heading', { level: 1, name: title ?? '' }).waitFor();
  await visitor.leave();
});

test('letters typed while the command palette opens are kept', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/orders', 'Orders');
  await page.getByRole('searchbox', { name: 'Search orders' }).press('Control+k');
  await page.keyboard.type('zzqqxxyy');
  const field = page.getByRole('combobox', { name: 'Search the portal' });
  await field.waitFor();
  await page.locator('input[role=combobox]:focus').waitFor();
  await page.keyboard.type('end');
  assert.equal(await field.inputValue(), 'zzqqxxyyend');
  assert.equal(await page.getByRole('searchbox', { name: 'Search orders', includeHidden: true }).inputValue(), '');
  await visitor.leave();
});

test('a slash in a field is typed, and Escape closes the palette and returns the focus', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/orders', 'Orders');
  const search = page.getByRole('searchbox', { name: 'Search orders' });
  await search.press('/');
  assert.equal(await search.inputValue(), '/');
  await page.waitForURL(/term=/);
  await search.press('Control+k');
  await page.getByRole('combobox', { name: 'Search the portal' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Search the portal' }).waitFor({ state: 'detached' });
  await page.locator('input[type=search]:focus').waitFor();
  await visitor.leave();
});
