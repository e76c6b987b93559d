import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@aisle/contract/errors';
import type { Page, Request, Route } from 'playwright-core';
import { setStage } from './stage.ts';
import { acceptInvitation, choose, visit, visitAsOwner, waitForText } from './visitor.ts';

/** What a page still has from before must not be shown to another user, and not be saved over what is newer. */
const stage = await setStage();
const { client } = stage;

test('a user who signs in after the session of another one has ended does not see what that one had read', async () => {
  const [, other] = stage.demo.vendors;
  const limited = { email: 'next@aisle.example', name: 'Next', role: 'MANAGER' } as const;
  const { password = '' } = await client.createUser({
    body: { ...limited, vendor_ids: [String(other?.vendor_id)], must_change_password: false },
  });
  const { orders } = await client.listOrders({ params: { vendor_id: 's8ym' }, query: { page_size: 1 } });
  const path = `/portal/orders/${orders[0]?.order_id}`;
  const visitor = await visit(stage);
  const { page } = visitor;
  visitor.expectError(/40[14]/);
  await page.goto(path);
  await signInOn(page, stage.demo.portal);
  await page.getByRole('table', { name: 'Items' }).waitFor();
  await page.context().clearCookies();
  await waitForText(page, /Your session has ended/);
  await signInOn(page, { email: limited.email, password });
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  assert.equal(await page.getByRole('table', { name: 'Items' }).count(), 0);
  await page.getByRole('heading', { level: 1, name: errors.order_not_found.title }).waitFor();
  await visitor.leave();
});

test('a stock that was not edited is not saved over the one that has been loaded in the meantime', async () => {
  const { page, ...visitor } = await visitAsOwner(stage);
  const [edited, left] = await listProducts();
  await visitor.open('/catalog?store=s8ym', 'Catalog');
  const rowOf = (sku: string) => page.getByRole('row').filter({ hasText: sku });
  const stockOf = (sku: string, role: 'button' | 'textbox') => rowOf(sku).getByRole(role, { name: /^Stock of/ });
  await stockOf(edited, 'button').click();
  await stockOf(edited, 'textbox').fill('123');
  await setStock(left, 321);
  // This saves the first stock, after which the table is loaded again.
  await stockOf(left, 'button').click();
  await rowOf(edited).getByText('123', { exact: true }).waitFor();
  await stockOf(left, 'textbox').press('Enter');
  await rowOf(left).getByText('321', { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  assert.equal((await readProduct(left)).quantity, 321);
  await visitor.leave();
});

test('a stock that is being edited is not saved at another store after going back to its catalog', async () => {
  const { page, ...visitor } = await visitAsOwner(stage);
  const [first, , , other] = stage.demo.vendors;
  const edit = page.getByRole('button', { name: /^Stock of/ });
  await visitor.open(`/catalog?store=${other?.vendor_id}`, 'Catalog');
  await edit.first().waitFor();
  await choose(page, page.getByRole('combobox', { name: 'Store' }), String(first?.name));
  await page.waitForURL(/store=s8ym/);
  await edit.first().waitFor();
  await edit.first().click();
  const field = page.getByRole('textbox', { name: /^Stock of/ });
  await field.fill('777');
  const changes: string[] = [];
  const note = (request: Request) => void (request.method() === 'GET' || changes.push(request.url()));
  page.on('request', note);
  await page.goBack();
  await page.waitForURL(new RegExp(`store=${other?.vendor_id}`));
  await edit.first().waitFor();
  await field.waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  page.off('request', note);
  assert.deepEqual(changes, []);
  await visitor.open('/?store=s8ym', 'Saltbush Market');
  await visitor.leave();
});

test('while the catalog of a store is being loaded, that of the store before is not shown as its catalog', async () => {
  const { page, ...visitor } = await visitAsOwner(stage);
  const [, , , other] = stage.demo.vendors;
  await visitor.open('/catalog?store=s8ym', 'Catalog');
  const editable = page.getByRole('button', { name: /^Stock of/ });
  await editable.first().waitFor();
  const asked = Promise.withResolvers<Route>();
  await page.route(`**/vendors/${other?.vendor_id}/catalog?*`, asked.resolve, { times: 1 });
  await choose(page, page.getByRole('combobox', { name: 'Store' }), String(other?.name));
  const route = await asked.promise;
  assert.equal(await editable.count(), 0);
  await route.continue();
  await editable.first().waitFor();
  await visitor.open('/?store=s8ym', 'Saltbush Market');
  await visitor.leave();
});

test('saving the settings of a store keeps those that were changed elsewhere', async () => {
  const { page, ...visitor } = await visitAsOwner(stage);
  const [, , store] = stage.demo.vendors;
  const params = { vendor_id: String(store?.vendor_id) };
  await visitor.open('/settings/stores', 'Stores');
  const open = () => page.getByRole('button', { name: new RegExp(`^${store?.name}`) }).click();
  await open();
  await page.getByLabel('Sales buffer').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Sales buffer').waitFor({ state: 'detached' });
  await client.updateVendorSettings({ params, body: { external_id: 'moved-17', integration_enabled: false } });
  await open();
  await page.getByLabel('Sales buffer').fill('3');
  await page.getByRole('button', { name: 'Save' }).click();
  await waitForText(page, `${store?.name} saved.`);
  const { external_id, integration_enabled, sales_buffer } = await client.getVendorSettings({ params });
  assert.deepEqual([external_id, integration_enabled, sales_buffer], ['moved-17', false, 3]);
  await client.updateVendorSettings({ params, body: { integration_enabled: true } });
  await visitor.leave();
});

test('saving a webhook keeps the URLs that were changed while its form was open', async () => {
  const { page, ...visitor } = await visitAsOwner(stage);
  const urls = { staging_url: 'http://127.0.0.1:9/staging', production_url: 'http://127.0.0.1:9/before' };
  await client.putWebhook({ body: { environment: 'staging', ...urls } });
  await visitor.open('/integration/webhooks', 'Webhooks');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Staging URL', exact: true }).fill('http://127.0.0.1:9/new-staging');
  await client.putWebhook({ body: { environment: 'staging', ...urls, production_url: 'http://127.0.0.1:9/after' } });
  await page.getByText('http://127.0.0.1:9/after').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await waitForText(page, 'Webhook saved.');
  const saved = await client.getWebhook();
  assert.equal(saved.staging_url, 'http://127.0.0.1:9/new-staging');
  assert.equal(saved.production_url, 'http://127.0.0.1:9/after');
  await client.deleteWebhook();
  await visitor.leave();
});

async function signInOn(page: Page, who: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The SKUs of two products on the first page of the catalog that are counted. */
async function listProducts(): Promise<[string, string]> {
  const { products } = await client.listCatalog({ params: { vendor_id: 's8ym' }, query: { page_size: 20 } });
  const [first, second] = products.filter((one) => !one.is_sold_by_weight).map(({ sku }) => sku);
  return [String(first), String(second)];
}

async function setStock(sku: string, quantity: number): Promise<void> {
  await client.updateCatalog({ params: { vendor_id: 's8ym' }, body: { products: [{ sku, quantity }] } });
}

async function readProduct(sku: string) {
  const { products } = await client.listProductOffers({ query: { sku } });
  const found = products.find(({ vendor_id }) => vendor_id === 's8ym');
  assert.ok(found);
  return found;
}

test('if another user signs in in one tab, the other tabs show what that user may see', async () => {
  const [owner = '', viewer = ''] = await Promise.all(
    (['OWNER', 'VIEWER'] as const).map(async (role) => {
      const email = `one-${role.toLowerCase()}@aisle.example`;
      const body = { email, name: role, role, invite: true, vendor_ids: role === 'OWNER' ? null : ['s8ym'] };
      return (await stage.client.createUser({ body })).invitation?.url;
    }),
  );
  const visitor = await visit(stage);
  await acceptInvitation(visitor.page, owner);
  const users = visitor.page.getByRole('link', { name: 'Users' });
  await users.waitFor();
  await acceptInvitation(await visitor.page.context().newPage(), viewer);
  await users.waitFor({ state: 'detached', timeout: 20_000 });
  await visitor.leave();
});
