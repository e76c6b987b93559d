import assert from 'node:assert/strict';
import test from 'node:test';
import { deleteSessions } from '../../../src/identity/session-queries.ts';
import { makeChain, makeUser, useOwnAisle } from '../../support/aisle.ts';
import { isLockAwaited } from '../../support/lock-waits.ts';
import { assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle({ AISLE_LOG_LEVEL: 'debug' });
const another = await aisle.another();
test.after(another.stop);
const chain = await makeChain(aisle);
const path = '/v2/portal/session/token';

async function createToken(session: string): Promise<string> {
  const { status, body, text, headers } = await aisle.call('POST', path, { token: session });
  assert.equal(status, 201, text);
  assert.equal(headers['cache-control'], 'no-store');
  return body.token;
}

async function makeRole(role: 'PICKER' | 'VIEWER' | 'MANAGER' | 'OWNER', vendorIds?: string[]) {
  const user = await makeUser(aisle, chain.chainId, role);
  if (vendorIds) {
    const { status } = await aisle.call('PATCH', `${chain.base}/users/${user.user_id}`, {
      token: (await makeUser(aisle, chain.chainId)).session,
      body: { vendor_ids: vendorIds },
    });
    assert.equal(status, 200);
  }
  return { ...user, token: await createToken(user.session) };
}

const call = (token: string, method: string, suffix: string, body?: unknown) =>
  aisle.call(method, `${chain.base}${suffix}`, { token, body });

test('the token of a session works for 15 minutes in every process, and identifies the user', async () => {
  const { token, user_id } = await makeRole('OWNER');
  assert.match(token, /^aisle_user_[0-9A-Za-z]{38}$/);
  for (const server of [aisle, another]) {
    const { body } = await server.call('GET', '/v2/whoami', { token });
    assert.deepEqual([body.kind, body.id, body.role, body.chain.chain_id], ['USER', user_id, 'OWNER', chain.chainId]);
    assert.equal(body.scopes.includes('users:manage'), false);
    const minutes = (Date.parse(body.expires_at) - Date.now()) / 60_000;
    assert.ok(minutes > 10 && minutes <= 15.5, `${minutes} minutes`);
  }
});

test('each role can do with the token what it can do in the portal, and nothing else', async () => {
  const tokenInput = { name: 'x', scopes: ['orders:read'] };
  const rows = [
    { role: 'PICKER', orders: 200, categories: 403, settings: 403, tokens: 403 },
    { role: 'VIEWER', orders: 200, categories: 200, settings: 403, tokens: 403 },
    { role: 'MANAGER', orders: 200, categories: 200, settings: 403, tokens: 403 },
    { role: 'OWNER', orders: 200, categories: 200, settings: 200, tokens: 201 },
  ] as const;
  for (const { role, ...expected } of rows) {
    const { token } = await makeRole(role);
    const statuses = {
      orders: (await call(token, 'GET', '/orders')).status,
      categories: (await call(token, 'GET', `/vendors/${chain.vendors[0]}/categories`)).status,
      settings: (await call(token, 'PATCH', '/settings', { name: 'Renamed' })).status,
      tokens: (await call(token, 'POST', '/tokens', tokenInput)).status,
    };
    assert.deepEqual(statuses, expected, role);
  }
});

test('the token gives access only to the stores of the user', async () => {
  const { token } = await makeRole('MANAGER', [String(chain.vendors[0])]);
  assert.equal((await call(token, 'GET', `/vendors/${chain.vendors[0]}/categories`)).status, 200);
  assertProblem(await call(token, 'GET', `/vendors/${chain.vendors[1]}/categories`), 'forbidden');
});

test("the token gives no access to another chain's data", async () => {
  const other = await makeChain(aisle);
  const { token } = await makeRole('OWNER');
  assertProblem(await aisle.call('GET', `${other.base}/orders`, { token }), 'chain_not_found');
  assertProblem(await aisle.call('GET', '/platform/v1/chains', { token }), 'forbidden');
});

test('a new role applies to the next request with an existing token', async () => {
  const { token, user_id } = await makeRole('MANAGER');
  assert.equal((await call(token, 'GET', `/vendors/${chain.vendors[0]}/categories`)).status, 200);
  const { session } = await makeUser(aisle, chain.chainId);
  await aisle.call('PATCH', `${chain.base}/users/${user_id}`, { token: session, body: { role: 'PICKER' } });
  assertProblem(await call(token, 'GET', `/vendors/${chain.vendors[0]}/categories`), 'forbidden');
});

test('the token cannot be used to extend access: for the session itself, users or permanent credentials', async () => {
  const { token, user_id } = await makeRole('OWNER');
  const refused = [
    await aisle.call('POST', path, { token }),
    await aisle.call('GET', '/v2/portal/session', { token }),
    await aisle.call('DELETE', '/v2/portal/sessions', { token }),
    await call(token, 'GET', `/users/${user_id}/sessions`),
    await call(token, 'POST', '/users', { email: 'new@aisle.test', name: 'New', role: 'VIEWER' }),
    await call(token, 'POST', `/users/${user_id}/reset-password`),
    await call(token, 'POST', '/clients', { name: 'x', scopes: ['orders:read'] }),
    await call(token, 'POST', '/tokens', { name: 'x', scopes: ['users:manage'] }),
    await call(token, 'POST', '/tokens', { name: 'x', expires_at: new Date(Date.now() + 3_600_000).toISOString() }),
  ];
  for (const response of refused) assertProblem(response, 'forbidden');
  const created = await call(token, 'POST', '/tokens', { name: 'x', scopes: ['orders:read'] });
  assert.ok(Date.parse(created.body.expires_at) <= Date.now() + 15.5 * 60_000, created.text);
});

test('an expired token is rejected, and the next token replaces its row', async () => {
  const { token, session } = await makeRole('VIEWER');
  await expireTokens(token);
  const response = await call(token, 'GET', '/orders');
  assertProblem(response, 'invalid_token');
  assert.match(response.body.detail, /^The token expired at 2/);
  await createToken(session);
  assert.equal(await countTokens(session), 1);
});

test('signing out revokes the token in every process', async () => {
  const { token, session } = await makeRole('VIEWER');
  const read = (server: typeof aisle) => server.call('GET', `${chain.base}/orders`, { token });
  for (const server of [aisle, another]) assert.equal((await read(server)).status, 200);
  assert.equal((await aisle.call('DELETE', '/v2/portal/session', { token: session })).status, 200);
  assertProblem(await read(aisle), 'invalid_token');
  const deadline = Date.now() + 30_000;
  while ((await read(another)).status === 200) assert.ok(Date.now() < deadline, 'the other process still accepts it');
  assert.equal(await countTokens(session), 0);
});

test('a session that ends while it requests a token gets none', async () => {
  const { session, user_id } = await makeUser(aisle, chain.chainId);
  const { request } = await aisle.db.transaction(async (tx) => {
    await deleteSessions(tx, chain.chainId, user_id, null);
    const sent = aisle.call('POST', path, { token: session });
    await waitFor('the request to wait for the end of the session', () => isLockAwaited(aisle.db, 'transactionid'));
    return { request: sent };
  });
  assertProblem(await request, 'invalid_token');
});

test('a token is created only for a session, from a page on the same origin', async () => {
  const { session } = await makeUser(aisle, chain.chainId);
  assertProblem(await aisle.call('POST', path, { token: chain.token }), 'forbidden');
  assertProblem(await aisle.call('POST', path), 'invalid_token');
  const elsewhere = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  const response = await aisle.call('POST', path, { token: session, headers: elsewhere });
  assertProblem(response, 'forbidden');
  assert.equal(response.headers['access-control-allow-origin'], undefined);
  assert.equal(await countTokens(session), 0);
});

test('the token is not in the list of API tokens, the log or the database', async () => {
  const { token, user_id } = await makeRole('OWNER');
  const { body } = await call(token, 'GET', '/tokens');
  assert.equal(JSON.stringify(body).includes('aisle_user_'), false);
  await call(token, 'GET', `/orders?x=${token}`);
  assert.ok(aisle.logged.some((line) => line.includes(path) && line.includes(user_id)));
  assert.equal(
    aisle.logged.some((line) => line.includes(token)),
    false,
  );
  const stored = await aisle.db.query('select 1 from session_tokens where token_hash = convert_to($1, $2)', [
    token,
    'UTF8',
  ]);
  assert.equal(stored.length, 0);
});

async function countTokens(session: string): Promise<number> {
  const rows = await aisle.db.query<{ count: number }>(
    `select count(*)::int as count from session_tokens t
     join sessions s on s.chain_id = t.chain_id and s.session_id = t.session_id
     where s.session_hash = sha256(convert_to($1, 'UTF8'))`,
    [session],
  );
  return rows[0]?.count ?? 0;
}

async function expireTokens(token: string): Promise<void> {
  await aisle.db.query(
    `update session_tokens set expires_at = now() - interval '1 second' where token_hash = sha256(convert_to($1, 'UTF8'))`,
    [token],
  );
}
