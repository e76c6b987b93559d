import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStage } from './stage.ts';
import { choose, waitForText, visitAsOwner } from './visitor.ts';

const stage = await setStage();

test('a promotion can be created and stopped, shows rejected products, and appears in the catalog', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/promotions/new?store=s8ym', 'New promotion');
  await page.getByRole('textbox', { name: 'Name' }).fill('Tea time');
  await page.getByRole('textbox', { name: 'Value' }).fill('20');
  await page.getByRole('combobox', { name: 'SKUs' }).fill('MLK-00012,NO-SUCH-SKU,');
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByRole('searchbox', { name: 'Search products' }).fill('MLK-00010');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /MLK-00010/ })
    .click();
  await page.getByRole('button', { name: 'Create promotion' }).click();
  await page.getByRole('table', { name: 'Not applied' }).getByText('NO-SUCH-SKU').waitFor();
  await waitForText(page, 'Discount applied to 2 products');
  await page.getByRole('link', { name: 'View promotion' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tea time' }).waitFor();
  await waitForText(page, 'Running');
  const readPrice = async () => {
    const query = { query_term: 'MLK-00012' };
    const { products } = await stage.client.listCatalog({ params: { vendor_id: 's8ym' }, query });
    return products[0]?.promotional_price;
  };
  assert.ok(Number(await readPrice()) > 0);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
  await waitForText(page, 'Stopped');
  assert.equal(await readPrice(), undefined);
  await visitor.leave();
});

test('promotions are listed with their reason and status, and shown as bars on a timeline', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/promotions?store=s8ym', 'Promotions');
  const row = page.getByRole('table', { name: 'Promotions' }).getByRole('row').filter({ hasText: 'Tea time' });
  await row.getByText('Stopped').waitFor();
  await row.getByText('Competitiveness').waitFor();
  await page.getByRole('link', { name: 'Tea time, stopped' }).waitFor();
  await page.getByText('Upcoming', { exact: true }).first().click();
  await row.waitFor({ state: 'detached' });
  await visitor.leave();
});

test('a store can be closed for the day and reopened', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  const store = stage.demo.vendors[2]?.name ?? '';
  await visitor.open('/settings/stores', 'Stores');
  await page.getByRole('button', { name: new RegExp(`^${store}`) }).click();
  await choose(page, page.getByRole('combobox', { name: 'Reason' }), 'Bad weather');
  await page.getByRole('button', { name: 'Close store' }).click();
  await waitForText(page, /Not accepting orders until .* Reason: Bad weather/);
  await page.getByRole('button', { name: 'Open now' }).click();
  await waitForText(page, 'The store is accepting orders.');
  await visitor.leave();
});

test('several stores are closed at once, are shown as closed, and are opened again', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  const [first, second] = stage.demo.vendors.map(({ name }) => name);
  await visitor.open('/settings/stores', 'Stores');
  const select = async () => {
    for (const name of [first, second]) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  };
  await select();
  await page.getByRole('button', { name: 'Close 2 stores' }).click();
  const dialog = page.getByRole('dialog');
  await choose(page, dialog.getByRole('combobox', { name: 'Until' }), 'Tomorrow at …');
  assert.equal(await dialog.getByLabel('Reopens tomorrow at').inputValue(), '08:00');
  await dialog.getByRole('button', { name: 'Close 2 stores' }).click();
  await waitForText(page, '2 stores closed.');
  const rows = page.getByRole('table', { name: 'Stores' }).getByRole('row');
  await rows
    .filter({ hasText: first ?? '' })
    .getByText(/^until /)
    .waitFor();
  await visitor.open('/', 'Saltbush Market');
  await waitForText(page, `${stage.demo.vendors.length - 2} of ${stage.demo.vendors.length} open`);
  await visitor.open('/settings/stores', 'Stores');
  await select();
  await page.getByRole('button', { name: 'Open 2 stores' }).click();
  await waitForText(page, '2 stores opened.');
  await visitor.leave();
});

test('the checklist can be hidden and shown again', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/', 'Saltbush Market');
  await page.getByRole('button', { name: 'Hide the checklist' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Show the getting started checklist' }).click();
  await page.getByRole('heading', { name: 'Getting started' }).waitFor();
  await visitor.leave();
});
