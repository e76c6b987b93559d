import assert from 'node:assert/strict';
import test from 'node:test';
import { callerFor, makeChain, makeToken, makeUser, useAisle } from '../../support/aisle.ts';
import { makeShop, placeOrder } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
const another = await aisle.another();
test.after(() => another.stop());

const chain = await makeShop(aisle, { vendors: 2 });
const [first = '', second = ''] = chain.vendors;
const owner = await makeUser(aisle, chain.chainId);
const call = callerFor(aisle, chain, owner.session);
const input = (more: object = {}) => ({
  email: `${crypto.randomUUID()}@aisle.test`,
  name: 'New',
  role: 'PICKER',
  ...more,
});

test('a new user is limited to stores given by platform id or external id', async () => {
  const created = await call('POST', '/users', { body: input({ vendor_ids: ['ext-2', first] }) });
  assert.equal(created.status, 201, created.text);
  assert.deepEqual(created.body.vendor_ids, [first, second].toSorted());
  const { email, password, user_id } = created.body;
  const signedIn = await aisle.call('POST', '/v2/portal/session', { body: { email, password } });
  assert.deepEqual(signedIn.body.user.vendor_ids, created.body.vendor_ids);
  const listed = await call('GET', '/users?page_size=500');
  const shown = listed.body.users.find((user: { user_id: string }) => user.user_id === user_id);
  assert.deepEqual(shown.vendor_ids, created.body.vendor_ids);
  const unlimited = await call('POST', '/users', { body: input({ vendor_ids: null }) });
  assert.equal(unlimited.body.vendor_ids, null);
});

test("an empty list, an unknown store and another chain's store are rejected", async () => {
  const other = await makeChain(aisle);
  const viewer = await makeUser(aisle, chain.chainId, 'VIEWER');
  assertInvalid(await call('POST', '/users', { body: input({ vendor_ids: [] }) }), '/vendor_ids');
  for (const vendor of ['none', String(other.vendors[0])]) {
    const body = input({ vendor_ids: [first, vendor] });
    assertInvalid(await call('POST', '/users', { body }), '/vendor_ids/1');
    assert.equal((await call('GET', '/users?page_size=500')).text.includes(body.email), false);
    const path = `/users/${viewer.user_id}`;
    assertInvalid(await call('PATCH', path, { body: { vendor_ids: [vendor] } }), '/vendor_ids/0');
  }
});

test('a manager who is limited to a store has access to that store only', async () => {
  const { session } = await makeUser(aisle, chain.chainId, 'MANAGER', { vendor_ids: [first] });
  const mine = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const theirs = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }], { vendor_id: second });
  const limited = callerFor(aisle, chain, session);
  assert.equal((await limited('GET', `/orders/${mine.order_id}`)).status, 200);
  assertProblem(await limited('GET', `/orders/${theirs.order_id}`), 'order_not_found');
  assert.equal((await limited('GET', `/vendors/${first}/catalog`)).status, 200);
  assertProblem(await limited('GET', `/vendors/${second}/catalog`), 'forbidden');
  const stores = await limited('GET', '/vendors');
  assert.deepEqual(
    stores.body.vendors.map((vendor: { vendor_id: string }) => vendor.vendor_id),
    [first],
  );
  const whoami = await aisle.call('GET', '/v2/whoami', { token: session });
  assert.deepEqual(whoami.body.vendor_ids, [first]);
});

test('a change of the stores takes effect with the next request, also in another process', async () => {
  const user = await makeUser(aisle, chain.chainId, 'VIEWER');
  const read = () => another.call('GET', `${chain.base}/vendors/${second}/catalog`, { token: user.session });
  assert.equal((await read()).status, 200);
  const change = (vendor_ids: string[] | null) => call('PATCH', `/users/${user.user_id}`, { body: { vendor_ids } });
  assert.deepEqual((await change([first])).body.vendor_ids, [first]);
  await waitFor('the limit', async () => (await read()).status === 403, 30);
  assert.equal((await change(null)).body.vendor_ids, null);
  await waitFor('the access', async () => (await read()).status === 200, 30);
  // A change of the name keeps the stores.
  await change([first]);
  const renamed = await call('PATCH', `/users/${user.user_id}`, { body: { name: 'Renamed' } });
  assert.deepEqual([renamed.body.name, renamed.body.vendor_ids], ['Renamed', [first]]);
});

test('an owner who is limited to a store cannot manage users or create credentials for all stores', async () => {
  const { session } = await makeUser(aisle, chain.chainId, 'OWNER', { vendor_ids: [first] });
  const limited = callerFor(aisle, chain, session);
  assertProblem(await limited('GET', '/users'), 'forbidden');
  assertProblem(await limited('POST', '/users', { body: input() }), 'forbidden');
  assertProblem(await limited('POST', '/tokens', { body: { name: 'All stores' } }), 'forbidden');
  assert.equal((await limited('POST', '/tokens', { body: { name: 'One', vendor_ids: [first] } })).status, 201);
  assertProblem(await limited('PATCH', '/settings', { body: { name: 'Mine' } }), 'forbidden');
});

test('the last owner with access to all stores cannot be limited, demoted or deleted', async () => {
  const own = await makeChain(aisle);
  const last = await makeUser(aisle, own.chainId);
  const limited = await makeUser(aisle, own.chainId, 'OWNER', { vendor_ids: [String(own.vendors[0])] });
  const ask = callerFor(aisle, own, last.session);
  const path = `/users/${last.user_id}`;
  assertProblem(await ask('PATCH', path, { body: { vendor_ids: own.vendors } }), 'last_owner');
  assertProblem(await ask('PATCH', path, { body: { role: 'PICKER' } }), 'last_owner');
  assertProblem(await ask('DELETE', path), 'last_owner');
  assert.equal((await ask('PATCH', `/users/${limited.user_id}`, { body: { vendor_ids: null } })).status, 200);
  assert.equal((await ask('PATCH', path, { body: { vendor_ids: own.vendors } })).status, 200);
});

test('a token that expires cannot change the stores of a user', async () => {
  const user = await makeUser(aisle, chain.chainId, 'VIEWER');
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const token = await makeToken(aisle, chain.chainId, { scopes: ['users:manage'], expires_at });
  const ask = callerFor(aisle, chain, token);
  assertProblem(await ask('PATCH', `/users/${user.user_id}`, { body: { vendor_ids: [first] } }), 'forbidden');
});

test('a picker sees the orders of its stores and nothing else', async () => {
  const { session } = await makeUser(aisle, chain.chainId, 'PICKER', { vendor_ids: [first] });
  const picker = callerFor(aisle, chain, session);
  const mine = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const theirs = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }], { vendor_id: second });
  assert.equal((await picker('GET', `/orders/${mine.order_id}`)).status, 200);
  assertProblem(await picker('GET', `/orders/${theirs.order_id}`), 'order_not_found');
  const cancel = { status: 'CANCELLED', items: [], cancellation: { reason: 'CLOSED' } };
  assertProblem(await picker('PUT', `/orders/${theirs.order_id}`, { body: cancel }), 'order_not_found');
  assert.equal((await picker('GET', `/vendors/${first}/orders`)).status, 200);
  assertProblem(await picker('GET', `/vendors/${second}/orders`), 'forbidden');
  for (const path of [
    `/vendors/${first}/catalog`,
    '/vendors',
    '/settings',
    '/users',
    `/orders/${mine.order_id}/history`,
  ]) {
    const response = await picker('GET', path);
    assertProblem(response, 'forbidden');
    assert.match(response.body.detail, /role PICKER gives access only to orders and picking/);
  }
});
