import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@aisle/contract/errors';
import type { Route } from 'playwright-core';
import { openDatabase } from '../../server/src/kernel/database/db.ts';
import { makeChain } from '../../server/test/support/chain.ts';
import { clientOf } from '../support/client.ts';
import { findOrderPage } from './pages.ts';
import { setStage } from './stage.ts';
import { signIn, visit, visitAsOwner, waitForText } from './visitor.ts';

const stage = await setStage();
const unknownId = '00000000-0000-7000-8000-000000000000';

test('the page for a missing order, job or promotion shows an error and the navigation', async () => {
  const visitor = await visitAsOwner(stage);
  visitor.expectError(/404/);
  const missing = { orders: 'order_not_found', jobs: 'job_not_found', promotions: 'promotion_not_found' } as const;
  for (const [path, code] of Object.entries(missing)) {
    await visitor.open(`/${path}/${unknownId}`, errors[code].title);
    await visitor.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  }
  await visitor.page.getByRole('link', { name: 'Go to home' }).click();
  await visitor.page.getByRole('heading', { level: 1, name: 'Saltbush Market' }).waitFor();
  await visitor.leave();
});

test('a page that cannot reach the server shows an error and retries', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  visitor.expectError(/ERR_FAILED/);
  await page.route('**/v2/**/catalog?*', (route) => route.abort());
  await page.route('**/health/ready', (route) => route.abort());
  await visitor.open('/catalog?store=s8ym', 'Cannot reach the server');
  await page.unroute('**/v2/**/catalog?*');
  await page.unroute('**/health/ready');
  await page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor();
  await page.getByRole('table', { name: 'Products' }).getByRole('row').nth(5).waitFor();
  await visitor.leave();
});

for (const path of ['/portal', '/pick', '/console']) {
  test(`${path} is loaded again if another version of the server does not have one of its files`, async () => {
    const visitor = await visit(stage);
    visitor.expectError(/404/);
    const missing = await visitor.page.request.get('/portal/assets/missing.js');
    assert.equal(missing.status(), 404);
    await visitor.page.route('**/portal/assets/*.js', (route) => route.fulfill({ response: missing }), { times: 1 });
    await visitor.page.goto(path);
    await visitor.page.getByLabel('Email').waitFor();
    await visitor.leave();
  });
}

test('the page of a product whose SKU contains a dot can be loaded, and a missing file is not a page', async () => {
  const statusOf = async (path: string) => (await fetch(stage.url + path)).status;
  assert.equal(await statusOf('/portal/products/1000.12'), 200);
  assert.equal(await statusOf('/portal/missing.js'), 404);
  assert.equal(await statusOf('/pick/missing.js'), 404);
});

test('a page keeps its data and shows a notice while the server is unreachable', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  visitor.expectError(/ERR_FAILED/);
  const [path, heading] = await findOrderPage(stage);
  await visitor.open(path, heading);
  await page.getByRole('table', { name: 'Items' }).waitFor();
  await page.route('**/v2/**', (route) => route.abort());
  await waitForText(page, /This data may be outdated/);
  assert.ok(await page.getByRole('table', { name: 'Items' }).isVisible());
  await page.unroute('**/v2/**');
  await page.getByText(/This data may be outdated/).waitFor({ state: 'detached' });
  await visitor.leave();
});

test('when the session expires, the user signs in again and returns to the same page', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  visitor.expectError(/401/);
  await visitor.open('/orders?store=s8ym', 'Orders');
  await page.context().clearCookies();
  await waitForText(page, /Your session has ended/);
  await page.getByLabel('Email').fill(stage.demo.portal.email);
  await page.getByLabel('Password', { exact: true }).fill(stage.demo.portal.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await visitor.leave();
});

test('what was entered is kept when the session ends, and the form can be sent after the user has signed in again', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  visitor.expectError(/401/);
  await visitor.open('/integration/tokens', 'API tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Name').fill('Half filled');
  await page.getByRole('checkbox', { name: /outlets:read/ }).check();
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create' }).click();
  await waitForText(page, /Your session has ended/);
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.getByLabel('Email').fill(stage.demo.portal.email);
  await page.getByLabel('Password', { exact: true }).fill(stage.demo.portal.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('dialog').waitFor();
  assert.equal(await page.getByText('Missing or invalid token').count(), 0);
  assert.equal(await page.getByLabel('Name').inputValue(), 'Half filled');
  assert.match(await page.title(), /^API tokens/);
  await page.getByRole('button', { name: 'Create' }).click();
  assert.match(await page.getByRole('textbox', { name: 'API token' }).inputValue(), /^aisle_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await visitor.leave();
});

test('a dialog cannot be closed while a token is being created, so the token is not lost', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/integration/tokens', 'API tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Name').fill('Slow');
  await page.getByRole('checkbox', { name: /outlets:read/ }).check();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/tokens', (route) => released.then(() => route.continue()));
  await page.getByRole('button', { name: 'Create' }).click();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('button', { name: 'Cancel' }).isDisabled(), true);
  release();
  assert.match(await page.getByRole('textbox', { name: 'API token' }).inputValue(), /^aisle_/);
  await page.unroute('**/tokens');
  await page.getByRole('button', { name: 'Done' }).click();
  await visitor.leave();
});

test('a chain with more stores than a page of the list has all of them in the portal', async () => {
  const db = openDatabase({
    url: stage.databaseUrl,
    connections: 1,
    preparedStatements: false,
    name: 'test',
    onError() {},
  });
  const { chainId, token } = await makeChain({ db }, { vendors: 501 });
  await db.close();
  const user = { email: 'large@aisle.example', password: 'seven purple trams' };
  const platform = clientOf(stage, { token: stage.demo.platform_token });
  const body = { ...user, name: 'Owner', role: 'OWNER', must_change_password: false } as const;
  await platform.platformCreateUser({ params: { chain_id: chainId }, body });
  const list = { page: 2, page_size: 500 };
  const [last] = (await clientOf(stage, { token, chainId }).listVendors({ query: list })).vendors;
  const visitor = await visit(stage);
  const { page } = visitor;
  visitor.expectError(/401/);
  await signIn(visitor, user);
  await page.goto(`/portal/orders?store=${last?.vendor_id}`);
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Store' }).inputValue(), last?.name);
  await visitor.leave();
});

test('a change whose response was lost is made once if the user tries again', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  visitor.expectError(/ERR_FAILED/);
  await visitor.open('/integration/tokens', 'API tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Name').fill('Made once');
  await page.getByRole('checkbox', { name: /outlets:read/ }).check();
  const lose = async (route: Route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort();
  };
  await page.route('**/tokens', lose);
  await page.getByRole('button', { name: 'Create' }).click();
  await waitForText(page, 'Cannot reach the server.');
  await page.unroute('**/tokens');
  await page.getByRole('button', { name: 'Create' }).click();
  const token = await page.getByRole('textbox', { name: 'API token' }).inputValue();
  await clientOf(stage, { token, chainId: stage.demo.chain_id }).listVendors();
  const { tokens } = await stage.client.listTokens({ query: { page_size: 100 } });
  assert.equal(tokens.filter(({ name }) => name === 'Made once').length, 1);
  await page.getByRole('button', { name: 'Done' }).click();
  await visitor.leave();
});
