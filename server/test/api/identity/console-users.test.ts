import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invitePlatformUser, platformId } from '../../../src/identity/index.ts';
import { deleteSessions } from '../../../src/identity/session-queries.ts';
import { type CallOptions, makeChain, makePlatformUser, useOwnAisle } from '../../support/aisle.ts';
import { makeShop, placeOrder } from '../../support/orders.ts';
import { holdLocks, isLockAwaited } from '../../support/lock-waits.ts';
import { assertProblem } from '../../support/problem.ts';
import { setUpSecondFactor } from '../../support/second-factor.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle();
const chain = await makeChain(aisle);
const admin = await makePlatformUser(aisle, 'ADMIN');
const support = await makePlatformUser(aisle, 'SUPPORT');

const signIn = (path: string, body: object) => aisle.call('POST', path, { body });

test('a user is invited, sets a password and has the role of the invitation', async () => {
  const created = await aisle.call('POST', '/platform/v1/users', {
    token: admin.session,
    body: { email: 'New@Aisle.test', name: 'New', role: 'READ_ONLY' },
  });
  assert.equal(created.status, 201, created.text);
  const token = new URL(created.body.invitation.url).hash.slice(1);
  assert.match(created.body.invitation.url, /^http:\/\/aisle\.test\/console\/invitation#/);
  const body = { token, password: 'four words that are hard to guess' };
  const wrongSite = await signIn('/v2/portal/invitation', body);
  assert.equal(wrongSite.body.code, 'invitation_not_found');
  const accepted = await signIn('/platform/v1/invitation', body);
  assert.equal(accepted.status, 201, accepted.text);
  assert.equal(accepted.body.user.role, 'READ_ONLY');
  assert.match(String(accepted.headers['set-cookie']), /^__Host-aisle_console=/);
  const session = /aisle_console=([^;]+)/.exec(String(accepted.headers['set-cookie']))?.[1];
  const change = await aisle.call('POST', '/platform/v1/chains', { token: session, body: { name: 'No' } });
  assert.equal(change.body.detail, 'This requires the role ADMIN; yours is READ_ONLY.');
});

test('invitations of a new user by two commands at the same time create one user', async () => {
  const invite = () => aisle.db.transaction((tx) => invitePlatformUser(tx, 'twice@aisle.test', { hash: 'none' }));
  const invited = await Promise.all([invite(), invite()]);
  assert.equal(invited[0].user.user_id, invited[1].user.user_id);
  assert.equal(invited.filter(({ isNew }) => isNew).length, 1);
});

test('users of the console and of the portal do not know each other, even with the same email address', async () => {
  const { email, password } = admin;
  const inPortal = await signIn('/v2/portal/session', { email, password });
  assert.equal(inPortal.body.code, 'invalid_credentials');
  const inConsole = await signIn('/platform/v1/session', { email, password });
  assert.equal(inConsole.status, 201, inConsole.text);
  const same = { email, name: 'Owner', role: 'OWNER', password: 'four words that are hard to guess' };
  const partner = await aisle.call('POST', `${chain.base}/users`, { token: chain.token, body: same });
  assert.equal(partner.status, 201, partner.text);
  const wrong = await signIn('/platform/v1/session', { email, password: same.password });
  assert.equal(wrong.body.code, 'invalid_credentials');
});

test('the second factor of a user of the console is required at sign-in', async () => {
  const user = { ...(await makePlatformUser(aisle)), site: 'console' as const };
  const { recoveryCodes } = await setUpSecondFactor(aisle, user);
  const { email, password } = user;
  assert.equal((await signIn('/platform/v1/session', { email, password })).body.code, 'second_factor_required');
  assert.equal((await signIn('/platform/v1/session', { email, password, code: recoveryCodes[0] })).status, 201);
});

test('the last admin cannot be deleted or lose the role', async () => {
  await aisle.db.query("delete from users where chain_id = $1 and role = 'OWNER' and user_id <> $2", [
    '00000000-0000-0000-0000-000000000000',
    admin.user_id,
  ]);
  const path = `/platform/v1/users/${admin.user_id}`;
  for (const method of ['DELETE', 'PATCH'] as const) {
    const response = await aisle.call(method, path, {
      token: admin.session,
      ...(method === 'PATCH' && { body: { role: 'SUPPORT' } }),
    });
    assert.equal(response.body.code, 'last_owner');
    assert.equal(response.body.detail, 'The console needs at least one user with the role ADMIN.');
  }
});

test("the operator's own chain is not listed, and is not part of the API", async () => {
  const { body } = await aisle.call('GET', '/platform/v1/chains?page_size=100', { token: admin.session });
  assert.deepEqual(
    body.chains.map((one: { chain_id: string }) => one.chain_id),
    [chain.chainId],
  );
  const response = await aisle.call('GET', `/platform/v1/chains/${platformId}`, { token: admin.session });
  assert.equal(response.body.code, 'chain_not_found');
});

test('support acts on behalf of a chain as a manager, and everything is recorded', async () => {
  const started = await aisle.call('POST', `/platform/v1/chains/${chain.chainId}/support-session`, {
    token: support.session,
    body: { reason: 'Ticket 4711' },
  });
  assert.equal(started.status, 201, started.text);
  const token = /aisle_session=([^;]+)/.exec(String(started.headers['set-cookie']))?.[1] ?? '';
  const session = await aisle.call('GET', '/v2/portal/session', { token });
  assert.equal(session.body.is_on_behalf, true);
  assert.deepEqual([session.body.user.role, session.body.chain.chain_id], ['MANAGER', chain.chainId]);
  const [vendor] = chain.vendors;
  const close = await aisle.call('PUT', `${chain.base}/vendors/${vendor}/status`, {
    token,
    body: { status: 'CLOSED_TODAY', closed_reason: 'OTHER' },
  });
  assert.equal(close.status, 200, close.text);
  const forbidden = await aisle.call('POST', `${chain.base}/tokens`, { token, body: { name: 'x' } });
  assert.equal(forbidden.body.code, 'forbidden');
  const own = await aisle.call('GET', '/v2/portal/second-factor', { token });
  assert.equal(own.body.detail, 'You act on behalf of the chain; manage your own account in the console.');
  const { body } = await aisle.call('GET', `/platform/v1/audit?chain_id=${chain.chainId}&actor_id=${support.user_id}`, {
    token: admin.session,
  });
  assert.deepEqual(
    body.entries.map((entry: Record<string, unknown>) => [entry['action'], entry['is_on_behalf']]),
    [
      ['putOutletStatus', true],
      ['consoleActForChain', false],
    ],
  );
  assert.equal(body.entries[0].actor.name, support.email);
  await aisle.call('DELETE', '/v2/portal/session', { token });
  assert.equal((await aisle.call('GET', '/v2/portal/session', { token })).status, 401);
});

test('changes of prices, files and orders on behalf of a chain are recorded too', async () => {
  const shop = await makeShop(aisle);
  const order = await placeOrder(aisle, shop, [{ sku: 'MILK', quantity: 1 }]);
  const { base, vendors, chainId } = shop;
  const started = await aisle.call('POST', `/platform/v1/chains/${chainId}/support-session`, {
    token: support.session,
    body: { reason: 'Ticket 4714' },
  });
  const token = /aisle_session=([^;]+)/.exec(String(started.headers['set-cookie']))?.[1] ?? '';
  const change = async (method: string, path: string, options: CallOptions) => {
    const response = await aisle.call(method, `${base}${path}`, { token, ...options });
    assert.ok(response.status < 300, response.text);
  };
  const products = [
    { sku: 'MILK', price: 3 },
    { sku: 'BREAD', price: 5 },
  ];
  await change('PUT', `/vendors/${vendors[0]}/catalog`, { body: { products: products.slice(1) } });
  await change('PUT', `/vendors/${vendors[0]}/catalog`, { body: { products } });
  await change('POST', `/files?folder=/catalog/${vendors[0]}&name=prices.csv`, {
    raw: 'sku,price\nMILK,3.5\n',
    headers: { 'content-type': 'text/csv' },
  });
  await change('POST', `/orders/${order.order_id}/picking/claim`, {});
  const picking = await aisle.call('GET', `${base}/orders/${order.order_id}/picking`, { token });
  assert.equal(picking.body.pickers[0].name, 'MANAGER', 'makeUser gives users the name of their role');
  await change('PUT', `/orders/${order.order_id}`, {
    body: { status: 'CANCELLED', items: order.items, cancellation: { reason: 'CLOSED' } },
  });
  const { body } = await aisle.call('GET', `/platform/v1/audit?chain_id=${chainId}&actor_id=${support.user_id}`, {
    token: admin.session,
  });
  assert.deepEqual(
    body.entries.map((entry: Record<string, unknown>) => entry['action']),
    ['putOrder', 'claimOrder', 'uploadFile', 'updateCatalog', 'updateCatalog', 'consoleActForChain'],
  );
  assert.ok(body.entries.slice(0, -1).every((entry: Record<string, unknown>) => entry['is_on_behalf']));
  assert.equal(body.entries[1].targets.order_id, order.order_id);
  assert.equal(body.entries[3].targets.vendor_id, vendors[0]);
});

test('a user who is no longer support cannot continue to act on behalf of a chain', async () => {
  const user = await makePlatformUser(aisle, 'SUPPORT');
  const started = await aisle.call('POST', `/platform/v1/chains/${chain.chainId}/support-session`, {
    token: user.session,
    body: { reason: 'Ticket 4712' },
  });
  const token = /aisle_session=([^;]+)/.exec(String(started.headers['set-cookie']))?.[1] ?? '';
  const body = { role: 'READ_ONLY' };
  await aisle.call('PATCH', `/platform/v1/users/${user.user_id}`, { token: admin.session, body });
  assert.equal((await aisle.call('GET', `${chain.base}/vendors`, { token })).status, 401);
});

test('what ends the sessions of a user also ends those on behalf of chains', async () => {
  const user = await makePlatformUser(aisle, 'SUPPORT');
  const actForChain = async (session: string) => {
    const started = await aisle.call('POST', `/platform/v1/chains/${chain.chainId}/support-session`, {
      token: session,
      body: { reason: 'Ticket 4713' },
    });
    assert.equal(started.status, 201, started.text);
    const token = /aisle_session=([^;]+)/.exec(String(started.headers['set-cookie']))?.[1] ?? '';
    assert.equal((await aisle.call('GET', `${chain.base}/vendors`, { token })).status, 200);
    return token;
  };
  const first = await actForChain(user.session);
  const body = { current_password: user.password, new_password: 'four words that are hard to guess' };
  assert.equal((await aisle.call('PUT', '/platform/v1/session/password', { token: user.session, body })).status, 200);
  assert.equal((await aisle.call('GET', `${chain.base}/vendors`, { token: first })).status, 401);
  const second = await actForChain(user.session);
  const path = `/platform/v1/users/${user.user_id}/second-factor`;
  assert.equal((await aisle.call('DELETE', path, { token: admin.session })).status, 200);
  assert.equal((await aisle.call('GET', `${chain.base}/vendors`, { token: second })).status, 401);
});

test('an admin cannot turn off the own second factor without a code', async () => {
  const path = `/platform/v1/users/${admin.user_id}/second-factor`;
  const { status, body } = await aisle.call('DELETE', path, { token: admin.session });
  assert.equal(status, 403);
  assert.match(body.detail, /with your password and a code \(POST \/platform\/v1\/second-factor\/disable\)/);
});

test('a console user who is deleted while starting a support session gets 401', async () => {
  const { user_id, session } = await makePlatformUser(aisle, 'ADMIN');
  const start = () =>
    aisle.call('POST', `/platform/v1/chains/${chain.chainId}/support-session`, {
      token: session,
      body: { reason: 'A question' },
    });
  assert.equal((await start()).status, 201);
  // The session is still cached, as at the moment in which the user is deleted.
  await aisle.db.query('delete from users where user_id = $1', [user_id]);
  assertProblem(await start(), 'invalid_token');
});

test('a session on behalf of a chain is not opened from a session that ends at the same time', async () => {
  const { user_id, session } = await makePlatformUser(aisle, 'SUPPORT');
  const { request } = await aisle.db.transaction(async (tx) => {
    await deleteSessions(tx, platformId, user_id, null);
    const sent = startActing(session);
    await waitForLock();
    return { request: sent };
  });
  assertProblem(await request, 'invalid_token');
});

test('a session on behalf of a chain that is being opened ends with the sessions of the user', async () => {
  const { user_id, session } = await makePlatformUser(aisle, 'SUPPORT');
  // The new session is stored, and its entry in the audit log waits.
  const release = await holdLocks(aisle.db, 'lock table audit_entries in exclusive mode');
  const starting = startActing(session);
  await waitFor('the request to wait for the audit log', () => isLockAwaited(aisle.db, 'relation'));
  const ending = aisle.db.transaction((tx) => deleteSessions(tx, platformId, user_id, null));
  await waitForLock();
  await release();
  const started = await starting;
  assert.equal(started.status, 201, started.text);
  await ending;
  const token = /aisle_session=([^;]+)/.exec(String(started.headers['set-cookie']))?.[1] ?? '';
  assert.equal((await aisle.call('GET', `${chain.base}/vendors`, { token })).status, 401);
});

function startActing(session: string) {
  const path = `/platform/v1/chains/${chain.chainId}/support-session`;
  return aisle.call('POST', path, { token: session, body: { reason: 'A question' } });
}

function waitForLock() {
  return waitFor('a lock to be awaited', () => isLockAwaited(aisle.db, 'transactionid'));
}
