import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import { setStage } from './stage.ts';
import { choose, visitAsOwner, waitForText } from './visitor.ts';

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

test('a file is previewed, applied and reverted, and its failed rows can be downloaded', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  const text = 'sku;price;quantity\nMLK-00012;26,95;31\nNO-SUCH;1;1\nMLK-00024;cheap;3\nMLK-00036;;44\n';
  await visitor.open('/files/upload?store=s8ym', 'Upload file');
  await previewChosen(page, file('prices.csv', text));
  await waitForText(page, '2 rows have errors and will be skipped.');
  const rows = page.getByRole('table', { name: 'Rows' }).getByRole('row');
  await rows.nth(1).getByText('NO-SUCH', { exact: true }).waitFor();
  await rows.nth(3).getByText('MLK-00012', { exact: true }).waitFor();
  await rows.nth(3).getByText('26.95').waitFor();
  await rows
    .nth(3)
    .getByText(/^The price changes by/)
    .waitFor();
  await assertAccessible(page);
  await page.getByText(/^Changes \(/).click();
  await rows.nth(1).getByText('MLK-00036', { exact: true }).waitFor();
  assert.equal(await rows.count(), 2);

  await page.getByRole('button', { name: 'Apply now' }).click();
  await waitForText(page, 'Completed with failures');
  await page.getByRole('table', { name: 'Failed items' }).getByText('NO-SUCH', { exact: true }).waitFor();
  await waitForText(page, 'prices.csv');
  await waitForText(page, 'Portal, 127.0.0.1');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Revert' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revert this job?' });
  await dialog.getByLabel('Only these SKUs').fill('MLK-00012\n');
  await dialog.getByRole('button', { name: 'Revert' }).click();
  await page.getByRole('heading', { level: 1, name: 'Revert job' }).waitFor();
  await waitForText(page, 'Restored');
  await page.getByRole('link', { name: 'View the reverted job' }).waitFor();

  await visitor.open('/files?store=s8ym', 'Files');
  const row = page.getByRole('table', { name: 'Files' }).getByRole('row').filter({ hasText: 'prices.csv' });
  await row.getByText('2 failed rows').waitFor();
  await row.getByText(/^Portal · /).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('link', { name: 'Download failed rows of prices.csv' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'prices.failed.csv');
  const saved = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  assert.equal(saved.length, 3);
  assert.equal(saved[0], 'sku;price;quantity;reason');
  assert.match(saved[1] ?? '', /^NO-SUCH;1;1;./);
  const [, other] = stage.demo.vendors;
  await visitor.open(`/files?store=${other?.vendor_id}`, 'Files');
  await page.getByText(/^No files for /).waitFor();
  await page.getByRole('button', { name: 'Show files for all stores' }).click();
  await row.getByText('2 failed rows').waitFor();
  await row.getByRole('link', { name: 'prices.csv', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'prices.csv' }).waitFor();
  await visitor.leave();
});

test('a preview is scheduled, and the scheduled job is cancelled', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/files/upload?store=s8ym', 'Upload file');
  await previewChosen(page, file('tomorrow.csv', 'sku,quantity\nMLK-00012,3\n'));
  await page.getByRole('button', { name: 'Apply at a time' }).click();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel(/^Date and time/).fill(tomorrow);
  await page.getByRole('button', { name: 'Schedule' }).click();
  await waitForText(page, /^Scheduled for /);
  await assertAccessible(page);
  const job = new URL(page.url()).pathname.replace('/portal', '');
  await visitor.open('/jobs', 'Jobs');
  const listed = page.getByRole('row').filter({ hasText: 'tomorrow.csv' }).filter({ hasText: 'Scheduled' });
  const shown = await listed.locator('time').first().getAttribute('datetime');
  assert.equal(Date.parse(shown ?? ''), Date.parse(tomorrow));
  await page.goto(`/portal${job}`);
  await page.getByRole('button', { name: 'Cancel job' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
  await waitForText(page, /before it was applied/);
  await visitor.leave();
});

test('a file that cannot be read is listed with the reason', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/files/upload', 'Upload file');
  await choose(page, page.getByRole('combobox', { name: 'Apply to' }), `All stores (${stage.demo.vendors.length})`);
  await previewChosen(page, file('notes.csv', 'shelf,price\nx,1\n'));
  await waitForText(page, 'Job failed');
  await page.getByRole('button', { name: 'Apply now' }).waitFor({ state: 'detached' });
  await visitor.open('/files?store=s8ym', 'Files');
  const row = page.getByRole('table', { name: 'Files' }).getByRole('row').filter({ hasText: 'notes.csv' });
  await row.getByText('Failed', { exact: true }).waitFor();
  await row.getByText(/sku/).waitFor();
  await visitor.leave();
});

test('products are created from a file that is dropped on the page', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/files/upload', 'Upload file');
  await page.getByRole('radio', { name: 'New products' }).check();
  await page.getByRole('table', { name: 'Columns' }).getByText('title', { exact: true }).waitFor();
  const dropped = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File(['sku,title,price\\nE2E-1,Test tea,4.5\\nE2E-2,Test coffee,7\\n'], 'new.csv'));
    return data;
  })()`);
  await page.getByText('Drop a CSV file here').dispatchEvent('drop', { dataTransfer: dropped });
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await waitForText(page, 'Completed');
  await visitor.open('/catalog?store=s8ym&term=Test%20tea', 'Catalog');
  await waitForText(page, 'E2E-1');
  await visitor.leave();
});

test('a promotion is created from a file', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  const start = new Date(Date.now() + 86_400_000).toISOString();
  const end = new Date(Date.now() + 2 * 86_400_000).toISOString();
  const text = [
    'type,display_name,start_time,end_time,stores,sku,discount_subtype,discount_value',
    `STRIKETHROUGH,Tea week,${start},${end},s8ym,MLK-00012,PERCENTAGE,20`,
    `STRIKETHROUGH,Tea week,${start},${end},s8ym,MLK-00024,PERCENTAGE,much`,
  ].join('\n');
  await visitor.open('/files/upload?kind=promotions', 'Upload file');
  await uploadChosen(page, file('tea-week.csv', text));
  await waitForText(page, 'Discount applied to 1 product');
  const invalid = page.getByRole('table', { name: 'Not applied' }).getByRole('row').filter({ hasText: 'Line 3' });
  await invalid.getByText('discount_value must be a number.').waitFor();
  await page.getByRole('link', { name: 'View promotion' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tea week' }).waitFor();
  await visitor.leave();
});

test('a file that is too large is not sent', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await page.route('**/v2/limits', (route) => route.fulfill({ json: { file_bytes: 10 } }));
  await visitor.open('/files/upload', 'Upload file');
  await page.locator('input[type=file]').setInputFiles(file('prices.csv', 'sku,price\nMLK-00012,7\n'));
  await waitForText(page, 'A file can have up to 10 bytes.');
  assert.equal(await page.getByRole('button', { name: 'Preview changes' }).isDisabled(), true);
  await visitor.leave();
});

test('if the server rejects an upload, the page shows the reason and the upload can be repeated', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  visitor.expectError(/400|404/);
  await visitor.open('/files/upload', 'Upload file');
  await page.locator('input[type=file]').setInputFiles(file(`${'n'.repeat(201)}.csv`, 'sku,price\nMLK-00012,7\n'));
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await page
    .getByRole('alert')
    .getByText(/200 characters/)
    .waitFor();
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.getByText('Drop a CSV file here').waitFor();
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

/** Chooses a file and uploads it. */
async function uploadChosen(page: Page, chosen: ReturnType<typeof file>): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(chosen);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: chosen.name }).waitFor();
}

/** Chooses a file with prices or stock and opens its preview. */
async function previewChosen(page: Page, chosen: ReturnType<typeof file>): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(chosen);
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Preview' }).waitFor();
}
