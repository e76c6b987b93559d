import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@aisle/contract/errors';
import { createClient } from '@aisle/sdk';
import { codeFor } from '../../server/test/support/second-factor.ts';
import { clientOf, statusOf } from '../support/client.ts';
import { assertAccessible } from './accessibility.ts';
import { findOrderPage, listPages } from './pages.ts';
import { setStage } from './stage.ts';
import {
  acceptInvitation,
  choose,
  goodPassword,
  waitForText,
  signIn,
  visit,
  visitAsOwner,
  type Visitor,
} from './visitor.ts';

const stage = await setStage();

test('a signed-out user is asked to sign in and then sees the requested page', async () => {
  const visitor = await visit(stage);
  const { page } = visitor;
  visitor.expectError(/401/);
  await page.goto('/portal/settings/users');
  await page.getByLabel('Email').fill(stage.demo.portal.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await waitForText(page, new RegExp(errors.invalid_credentials.title));
  await page.getByLabel('Password', { exact: true }).fill(stage.demo.portal.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await visitor.leave();
});

test('the portal works with the keyboard alone', async () => {
  const visitor = await visit(stage);
  const { page } = visitor;
  await page.goto('/portal');
  await page.getByLabel('Email').waitFor();
  await page.keyboard.type(stage.demo.portal.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(stage.demo.portal.password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.getByRole('link', { name: 'Catalog', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor();
  await visitor.leave();
});

test('the selected store and color scheme are remembered', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  const other = stage.demo.vendors[3]?.name ?? '';
  await choose(page, page.getByRole('combobox', { name: 'Store' }), other);
  await page.getByRole('button', { name: 'Switch to dark mode' }).click();
  await page.goto('/portal/catalog');
  await page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Store' }).inputValue(), other);
  assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark');
  await visitor.leave();
});

test('a token can be created, is shown once, works, and can be revoked', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/integration/tokens', 'API tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Name').fill('Night upload');
  assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0);
  await page.getByRole('checkbox', { name: /outlets:read/ }).check();
  await page.getByRole('button', { name: 'Create' }).click();
  const token = await page.getByRole('textbox', { name: 'API token' }).inputValue();
  assert.match(token, /^aisle_\w+$/);
  const created = clientOf(stage, { token, chainId: stage.demo.chain_id });
  await created.listVendors();
  await page.getByRole('button', { name: 'Done' }).click();
  assert.equal((await page.content()).includes(token), false);
  await page.getByRole('button', { name: 'Revoke Night upload' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await waitForText(page, '“Night upload” revoked.');
  assert.equal(await statusOf(created.listVendors.withResponse()), 401);
  await visitor.leave();
});

test('client credentials can be restricted to a store and then exchanged for an access token', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/integration/clients', 'Client credentials');
  await page.getByRole('button', { name: 'New client' }).click();
  await page.getByLabel('Name').fill('Pickers');
  await page.getByRole('checkbox', { name: /outlets:read/ }).check();
  await choose(page, page.getByRole('dialog').getByRole('combobox', { name: 'Stores' }), 'Dubai Marina');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create' }).click();
  const clientSecret = await page.getByRole('textbox', { name: 'Client secret' }).inputValue();
  const clientId = await page
    .getByRole('dialog')
    .getByText(/^client_/)
    .first()
    .innerText();
  const { vendors } = await createClient({ baseUrl: stage.url, clientId, clientSecret }).listVendors();
  assert.deepEqual(
    vendors.map(({ vendor_id }) => vendor_id),
    ['s8ym'],
  );
  await visitor.leave();
});

test('the API profile can be switched and switched back', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/integration/profile', 'API profile');
  for (const profile of ['Tolerant', 'Strict']) {
    await page.getByRole('radio', { name: profile }).click();
    await page.getByRole('button', { name: 'Switch', exact: true }).click();
    await waitForText(page, `Switched to ${profile.toLowerCase()}.`);
  }
  await visitor.leave();
});

test('a viewer sees everything but cannot change anything', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/settings/users', 'Users');
  await page.getByRole('button', { name: 'Invite user' }).click();
  await page.getByLabel('Name').fill('Auditor');
  await page.getByLabel('Email').fill('auditor@aisle.example');
  await page.getByRole('radio', { name: 'Viewer' }).check();
  await page.getByRole('button', { name: 'Create invitation link' }).click();
  const link = await page.getByLabel('Invitation link').inputValue();
  await visitor.leave();

  const viewer = await visit(stage);
  await acceptInvitation(viewer.page, link);
  await viewer.open('/integration/tokens', 'API tokens');
  assert.equal(await viewer.page.getByRole('button', { name: 'New token' }).count(), 0);
  await viewer.open('/catalog', 'Catalog');
  const products = viewer.page.getByRole('table', { name: 'Products' });
  await products.getByText('Active', { exact: true }).nth(1).waitFor();
  assert.equal(await products.getByRole('switch').count(), 0);
  await viewer.open('/files/upload', 'Upload file');
  await waitForText(viewer.page, /^You have read-only access/);
  assert.equal(await viewer.page.getByRole('button', { name: 'Choose file' }).count(), 0);
  const [orderPath] = await findOrderPage(stage);
  await viewer.page.goto(`/pick${orderPath}`);
  await waitForText(viewer.page, /^You can view this order but not pick it/);
  assert.equal(await viewer.page.getByRole('button', { name: 'In cart' }).count(), 0);
  const refused = await viewer.page.evaluate(async (chain) => {
    const response = await fetch(`/v2/chains/${chain}/settings`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Mine"}',
    });
    return response.status;
  }, stage.demo.chain_id);
  assert.equal(refused, 403);
  viewer.expectError(/403/);
  await viewer.leave();
});

test('an owner creates a picker for one store, and changes the stores later', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  const [first, second] = stage.demo.vendors;
  await visitor.open('/settings/users', 'Users');
  await page.getByRole('button', { name: 'Invite user' }).click();
  await page.getByLabel('Name').fill('Sara');
  await page.getByLabel('Email').fill('sara@aisle.example');
  await page.getByRole('radio', { name: 'Picker' }).check();
  await choose(page, page.getByRole('dialog').getByRole('combobox', { name: 'Stores' }), 'Dubai Marina');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create invitation link' }).click();
  const link = await page.getByLabel('Invitation link').inputValue();
  await page.keyboard.press('Escape');
  const row = page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: 'sara@aisle.example' });
  await row.getByText('Dubai Marina').waitFor();
  assert.equal(await row.getByLabel('Role of Sara').inputValue(), 'Picker');

  await row.getByRole('button', { name: 'Actions for Sara' }).click();
  await page.getByRole('menuitem', { name: 'Stores' }).click();
  await choose(page, page.getByRole('dialog').getByRole('combobox', { name: 'Stores' }), 'Jumeirah');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await row.getByText('2 stores').waitFor();
  const body = { token: new URL(link).hash.slice(1), password: goodPassword };
  const { user } = await stage.client.acceptInvitation({ body });
  assert.deepEqual(new Set(user.vendor_ids), new Set([first?.vendor_id, second?.vendor_id]));
  await visitor.leave();
});

test('a user sets up a second factor, signs in with a code in another browser, and ends that session', async () => {
  const who = await createUser('MANAGER');
  const visitor = await visit(stage);
  const { page } = visitor;
  await signIn(visitor, who);
  await visitor.open('/settings/account', 'Your account');
  const secret = await setUpSecondFactor(visitor, who);
  await waitForText(page, /^On since/);

  const elsewhere = await visit(stage);
  elsewhere.expectError(/401/);
  await elsewhere.page.goto('/portal');
  await elsewhere.page.getByLabel('Email').fill(who.email);
  await elsewhere.page.getByLabel('Password', { exact: true }).fill(who.password);
  await elsewhere.page.getByRole('button', { name: 'Sign in' }).click();
  await elsewhere.page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await elsewhere.page.getByRole('button', { name: 'Sign in' }).click();
  await waitForText(elsewhere.page, new RegExp(errors.invalid_code.title));
  await elsewhere.page.getByRole('textbox', { name: 'Code' }).fill(codeFor(secret, 30));
  await elsewhere.page.getByRole('button', { name: 'Sign in' }).click();
  await elsewhere.page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });

  await page.reload();
  await page.getByRole('button', { name: /^End the session on/ }).click();
  await waitForText(page, 'Session ended.');
  await elsewhere.page.reload();
  await elsewhere.page.getByRole('button', { name: 'Sign in' }).waitFor();
  await elsewhere.leave();
  await visitor.leave();

  const owner = await visitAsOwner(stage);
  await owner.open('/settings/users', 'Users');
  const openMenu = () => owner.page.getByRole('button', { name: `Actions for ${who.name}` }).click();
  await openMenu();
  await owner.page.getByRole('menuitem', { name: 'Sessions' }).click();
  await owner.page.getByRole('button', { name: 'End all sessions' }).click();
  await waitForText(owner.page, 'Not signed in anywhere.');
  await owner.page.getByRole('dialog').getByRole('button').first().click();
  await openMenu();
  await owner.page.getByRole('menuitem', { name: 'Reset second factor' }).click();
  await owner.page.getByRole('button', { name: 'Reset second factor' }).click();
  await waitForText(owner.page, `The second factor of ${who.name} is off.`);
  await owner.leave();
});

test('an owner whose chain requires a second factor sets it up before seeing any page', async () => {
  const who = await createUser('OWNER');
  await stage.client.updateSettings({ body: { require_second_factor_for_owners: true } });
  const visitor = await visit(stage);
  const { page } = visitor;
  await page.goto('/portal/settings/stores');
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor();
  await assertAccessible(page);
  await setUpSecondFactor(visitor, who);
  await page.getByRole('heading', { level: 1, name: 'Stores' }).waitFor();
  await visitor.leave();
  await stage.client.updateSettings({ body: { require_second_factor_for_owners: false } });
});

test("a store's settings can be changed", async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  const store = stage.demo.vendors[1]?.name ?? '';
  await visitor.open('/settings/stores', 'Stores');
  await page.getByRole('button', { name: new RegExp(`^${store}`) }).click();
  await page.getByLabel('Sales buffer').fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await waitForText(page, `${store} saved.`);
  await visitor.leave();
});

test('a table row can be opened with the keyboard', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  const rows: [path: string, heading: string, table: string][] = [
    ['/orders?store=s8ym', 'Orders', 'Orders'],
    ['/jobs', 'Jobs', 'Jobs'],
    ['/promotions?store=s8ym', 'Promotions', 'Promotions'],
  ];
  for (const [path, heading, table] of rows) {
    await visitor.open(path, heading);
    await page.getByRole('table', { name: table }).getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/(orders|jobs|promotions)\/\w/);
  }
  await visitor.leave();
});

test('an invitation link works once, and does not stay in the URL', async () => {
  const body = { email: 'invited@aisle.example', name: 'Invited', role: 'MANAGER', invite: true } as const;
  const { url = '' } = (await stage.client.createUser({ body })).invitation ?? {};
  const visitor = await visit(stage, { width: 320 });
  const { page } = visitor;
  await page.goto(url);
  await page.getByLabel('New password', { exact: true }).waitFor();
  assert.equal(new URL(page.url()).hash, '');
  await assertAccessible(page);
  await page.getByLabel('New password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await waitForText(page, 'At least 12 characters');
  await acceptInvitation(page, url);
  await visitor.leave();

  const second = await visit(stage);
  second.expectError(/404/);
  await second.page.goto(url);
  await waitForText(second.page, /^This link is not valid/);
  await second.leave();
});

test('a user whose password was reset has to choose a new one first', async () => {
  const body = { email: 'reset@aisle.example', name: 'Reset', role: 'MANAGER' } as const;
  const { password = '' } = await stage.client.createUser({ body });
  const visitor = await visit(stage);
  const { page } = visitor;
  await page.goto('/portal/settings/stores');
  await page.getByLabel('Email').fill(body.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor();
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password', { exact: true }).fill(goodPassword);
  await page.getByLabel('Confirm new password').fill(goodPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('heading', { level: 1, name: 'Stores' }).waitFor();
  await visitor.leave();
});

test('a manager limited to one store can open the pages of the chain', async () => {
  const { invitation } = await stage.client.createUser({
    body: { email: 'limited@aisle.example', name: 'Limited', role: 'MANAGER', invite: true, vendor_ids: ['s8ym'] },
  });
  const visitor = await visit(stage);
  const { page } = visitor;
  await acceptInvitation(page, invitation?.url ?? '');
  assert.equal(await page.getByRole('link', { name: 'Users' }).count(), 0);
  await page.getByRole('heading', { level: 2, name: 'Jobs' }).waitFor();
  assert.equal(await page.getByText(/Create a token|No webhook yet/).count(), 0, 'the integration is not shown');
  const chainPages = ['/', '/integration/webhooks', '/integration/tokens', '/settings/barcodes', '/promotions'];
  const pages = (await listPages(stage)).filter(([one]) => chainPages.includes(one));
  assert.equal(pages.length, chainPages.length);
  for (const [pagePath, heading] of pages) {
    await visitor.open(pagePath, heading);
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByText('Cannot show this page').count(), 0, pagePath);
  }
  await visitor.open('/settings/users', 'Users');
  await waitForText(page, /^Managing users requires access to all stores/);
  await visitor.leave();
});

type Person = { name: string; email: string; password: string };

async function createUser(role: 'OWNER' | 'MANAGER'): Promise<Person> {
  const name = `Second factor ${role}`;
  const email = `second-factor-${role.toLowerCase()}@aisle.example`;
  const body = { name, role, email, must_change_password: false };
  const { password = '' } = await stage.client.createUser({ body });
  return { ...body, password };
}

/** Sets up a second factor on the open page, and returns the factor's secret. */
async function setUpSecondFactor({ page }: Visitor, { password }: Person): Promise<string> {
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: /^QR code/ }).waitFor();
  const secret = await page
    .getByRole('dialog')
    .getByText(/^[A-Z2-7]{32}$/)
    .innerText();
  await page.getByRole('textbox', { name: 'Code' }).fill(codeFor(secret));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/second-factor/confirm', (route) => released.then(() => route.continue()), { times: 1 });
  await page.getByRole('button', { name: 'Turn on' }).click();
  // If the dialog could be closed now, the codes would be lost.
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor();
  release();
  const codes = await page.getByRole('textbox', { name: 'Recovery codes' }).inputValue();
  assert.equal(codes.split('\n').length, 10);
  await page.getByRole('button', { name: 'Done' }).click();
  return secret;
}
