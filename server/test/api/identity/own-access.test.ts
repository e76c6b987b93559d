import assert from 'node:assert/strict';
import test from 'node:test';
import { makeChain, makeClient, makeToken, makeUser, requestAccessToken, useOwnAisle } from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useOwnAisle({ AISLE_MAX_API_TOKENS: '100' });
const chain = await makeChain(aisle);
const owner = await makeUser(aisle, chain.chainId);

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const hour = 3_600_000;
const newUser = { name: 'x', role: 'VIEWER' };

const caller = (token: string) => (method: string, path: string, body?: unknown) =>
  aisle.call(method, `${chain.base}${path}`, { token, body });

test('a token cannot create a token or client with a scope it does not have', async () => {
  const call = caller(await makeToken(aisle, chain.chainId, { scopes: ['manage', 'orders:read'] }));
  for (const path of ['/tokens', '/clients']) {
    const refused = await call('POST', path, { name: 'x', scopes: ['orders:read', 'orders:write', 'users:manage'] });
    assertProblem(refused, 'forbidden');
    assert.equal(
      refused.body.detail,
      'The token does not have the scopes orders:write, users:manage, so it cannot grant them. It has: orders:read, manage.',
    );
    const allowed = await call('POST', path, { name: 'x', scopes: ['manage', 'orders:read'] });
    assert.deepEqual([allowed.status, allowed.body.scopes], [201, ['orders:read', 'manage']]);
  }
});

test("a request without scopes grants the token's own scopes, except those that manage access", async () => {
  const call = caller(await makeToken(aisle, chain.chainId, { scopes: ['manage', 'users:manage', 'orders:read'] }));
  for (const path of ['/tokens', '/clients']) {
    const created = await call('POST', path, { name: 'x' });
    assert.deepEqual([created.status, created.body.scopes], [201, ['orders:read']]);
  }
  const onlyManage = caller(await makeToken(aisle, chain.chainId, { scopes: ['manage'] }));
  const refused = await onlyManage('POST', '/tokens', { name: 'x' });
  assertProblem(refused, 'forbidden');
  assert.match(refused.body.detail, /has none of the scopes that are granted by default.*send scopes/);
});

test('an access token with fewer scopes than its client cannot grant the others', async () => {
  const { client_id, client_secret } = await makeClient(aisle, chain.chainId, [
    'manage',
    'orders:read',
    'orders:write',
  ]);
  const { body } = await requestAccessToken(aisle, { client_id, client_secret, scope: 'manage orders:read' });
  const call = caller(body.access_token);
  assertProblem(await call('POST', '/tokens', { name: 'x', scopes: ['orders:write'] }), 'forbidden');
  // The client does not expire, so the token that it creates does not have to expire either.
  const created = await call('POST', '/tokens', { name: 'x', scopes: ['orders:read'] });
  assert.deepEqual([created.status, created.body.expires_at], [201, null]);
});

test('a token that expires cannot create a credential that outlives it', async () => {
  const expires_at = inMs(hour);
  const call = caller(await makeToken(aisle, chain.chainId, { scopes: ['manage', 'orders:read'], expires_at }));
  const longer = await call('POST', '/tokens', { name: 'x', expires_at: inMs(2 * hour) });
  assertProblem(longer, 'forbidden');
  assert.equal(
    longer.body.detail,
    `The token expires at ${expires_at}, so it cannot create one that expires later (expires_at).`,
  );
  const client = await call('POST', '/clients', { name: 'x' });
  assertProblem(client, 'forbidden');
  assert.match(client.body.detail, /expires at .*clients do not expire/);
  const shorter = inMs(hour / 2);
  assert.equal((await call('POST', '/tokens', { name: 'x', expires_at: shorter })).body.expires_at, shorter);
  assert.equal((await call('POST', '/tokens', { name: 'x' })).body.expires_at, expires_at);
  assert.equal((await call('POST', '/tokens', { name: 'x', expires_at: 'soon' })).status, 400);
});

test('a token that expires cannot get permanent access by creating, promoting or taking over a user', async () => {
  const expires_at = inMs(hour);
  const call = caller(await makeToken(aisle, chain.chainId, { scopes: ['users:manage'], expires_at }));
  const viewer = await makeUser(aisle, chain.chainId, 'VIEWER');
  for (const refused of [
    await call('POST', '/users', { ...newUser, email: 'expiring@aisle.test' }),
    await call('PATCH', `/users/${viewer.user_id}`, { role: 'OWNER' }),
    await call('POST', `/users/${viewer.user_id}/reset-password`),
  ]) {
    assertProblem(refused, 'forbidden');
    assert.match(refused.body.detail, /expires at .*, and users do not expire; use a token that does not expire/);
  }
  assert.equal((await call('PATCH', `/users/${viewer.user_id}`, { name: 'Renamed' })).status, 200);
});

test('a stored response with a secret is not replayed for a token with fewer scopes', async () => {
  const scopes = ['manage', 'orders:read'];
  const wide = await makeToken(aisle, chain.chainId, { scopes });
  const narrow = await makeToken(aisle, chain.chainId, { scopes: ['manage'] });
  const create = (token: string) =>
    aisle.call('POST', `${chain.base}/tokens`, {
      token,
      body: { name: 'x', scopes },
      headers: { 'idempotency-key': 'secret-1' },
    });
  const first = await create(wide);
  assert.equal(first.status, 201);
  assertProblem(await create(narrow), 'forbidden');
  const rotated = await create(await makeToken(aisle, chain.chainId, { scopes }));
  assert.equal(rotated.body.token, first.body.token, 'a token with the same scopes gets the stored response');
});

test('an owner and the platform can grant any scope for any period', async () => {
  const body = { name: 'x', scopes: ['manage', 'users:manage'], expires_at: inMs(1000 * hour) };
  assert.equal((await caller(owner.session)('POST', '/tokens', body)).status, 201);
  const path = `/platform/v1/chains/${chain.chainId}/tokens`;
  assert.equal((await aisle.call('POST', path, { token: aisle.platformToken, body })).status, 201);
});

test("a token with the scope manage cannot reset an owner's password or create users", async () => {
  const call = caller(await makeToken(aisle, chain.chainId, { scopes: ['manage'] }));
  const path = `/users/${owner.user_id}`;
  for (const refused of [
    await call('POST', `${path}/reset-password`),
    await call('POST', '/users', { ...newUser, email: 'manage@aisle.test' }),
    await call('PATCH', path, { role: 'VIEWER' }),
    await call('DELETE', path),
  ]) {
    assertProblem(refused, 'forbidden');
    assert.equal(refused.body.detail, 'The token lacks the scope users:manage.');
  }
  assert.equal((await call('GET', '/users')).status, 200, 'it can still list users');
});

test('a token with the scope users:manage can manage users and nothing else', async () => {
  const call = caller(await makeToken(aisle, chain.chainId, { scopes: ['users:manage'] }));
  const created = await call('POST', '/users', { ...newUser, email: 'by-token@aisle.test' });
  assert.equal(created.status, 201, created.text);
  const path = `/users/${created.body.user_id}`;
  assert.equal((await call('POST', `${path}/reset-password`)).status, 200);
  assert.equal((await call('PATCH', path, { role: 'MANAGER' })).body.role, 'MANAGER');
  assert.equal((await call('DELETE', path)).status, 200);
  assert.equal((await call('GET', '/users')).status, 200);
  assertProblem(await call('GET', '/settings'), 'forbidden');
  assertProblem(await call('GET', '/tokens'), 'forbidden');
});
