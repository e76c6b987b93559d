import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setStage } from './stage.ts';
import { waitForText, visitAsOwner } from './visitor.ts';

const stage = await setStage();

const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

test('a product can be found, and its price, stock and status can be edited in the table', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/catalog?store=s8ym', 'Catalog');
  await page.getByRole('searchbox', { name: 'Search catalog' }).fill('lactose');
  await page.waitForURL(/term=lactose/);
  await waitForText(page, 'MLK-00010');
  const row = page.getByRole('row').filter({ hasText: 'MLK-00010' });
  await row.getByRole('button', { name: /^Price of/ }).click();
  await row.getByRole('textbox', { name: /^Price of/ }).fill('9.45');
  await page.keyboard.press('Enter');
  await row.getByText('9.45').waitFor();
  await row.getByRole('button', { name: /^Stock of/ }).click();
  await row.getByRole('textbox', { name: /^Stock of/ }).fill('77');
  await page.keyboard.press('Enter');
  await row.getByText('77', { exact: true }).waitFor();
  const before = await row.getByRole('switch').isChecked();
  await row.getByRole('switch').click({ force: true });
  await waitForText(page, / saved\./);
  await page.reload();
  await row.getByText('77', { exact: true }).waitFor();
  assert.equal(await row.getByRole('switch').isChecked(), !before);
  await visitor.leave();
});

test('the catalog can be filtered by category and status', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/catalog', 'Catalog');
  const tree = page.getByRole('complementary', { name: 'Categories' });
  await tree.getByRole('button', { name: /^Dairy & Eggs/ }).click();
  await page.waitForURL(/category=/);
  await tree.getByRole('button', { name: /^Milk/ }).first().waitFor();
  await page.getByText('Inactive', { exact: true }).click();
  await page.waitForURL(/active=false/);
  await page.getByRole('searchbox', { name: 'Search catalog' }).fill('no such thing at all');
  await waitForText(page, 'No results');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('table', { name: 'Products' }).getByRole('row').nth(5).waitFor();
  await visitor.leave();
});

test('a file is previewed before it is uploaded, and its failed rows can be downloaded', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/catalog/upload?store=s8ym', 'Upload products');
  const text = 'sku,price,quantity,shelf\nMLK-00012,6.95,31,A1\nNO-SUCH,1,1,A2\nMLK-00024,cheap,3,A3\n';
  await page.locator('input[type=file]').setInputFiles(file('prices.csv', text));
  await waitForText(page, 'Ignored columns: shelf');
  await page.getByRole('button', { name: 'Update 3 products' }).click();
  await page.getByRole('table', { name: 'Failed items' }).getByText('NO-SUCH', { exact: true }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download failed rows' }).click(),
  ]);
  const saved = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  assert.equal(saved.length, 3);
  assert.equal(saved[0], 'sku,price,quantity,shelf,error');
  assert.match(saved[1] ?? '', /^NO-SUCH,1,1,A2,/);
  await visitor.leave();
});

test('an unreadable file is rejected with a message', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/catalog/upload', 'Upload products');
  await page.locator('input[type=file]').setInputFiles(file('notes.csv', 'name,price\nx,1\n'));
  await waitForText(page, /Cannot read notes.csv: The header row must contain a "sku" column/);
  await visitor.leave();
});

test('new products can be created from a file', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/catalog/upload?store=s8ym', 'Upload products');
  const text = 'sku,title,price\nE2E-1,Test tea,4.5\nE2E-2,Test coffee,7\n';
  await page.locator('input[type=file]').setInputFiles(file('new.csv', text));
  await page.getByRole('button', { name: 'Create 2 products' }).click();
  await waitForText(page, 'Completed');
  await page.getByRole('link', { name: 'View catalog' }).click();
  await page.getByRole('searchbox', { name: 'Search catalog' }).fill('Test tea');
  await waitForText(page, 'E2E-1');
  await visitor.leave();
});

test('the catalog can be exported and downloaded', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/catalog', 'Catalog');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('heading', { level: 1, name: 'Job' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download catalog' }).click(),
  ]);
  const [header, ...rows] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  assert.equal(header, 'sku,barcode,price,active,max_sales_quantity,quantity');
  assert.ok(rows.length > 1000);
  await page.getByRole('link', { name: 'All jobs' }).click();
  await page.getByRole('table', { name: 'Jobs' }).getByText('Catalog export').first().waitFor();
  await visitor.leave();
});
