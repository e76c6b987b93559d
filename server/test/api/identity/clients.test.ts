import assert from 'node:assert/strict';
import test from 'node:test';
import { defaultScopes } from '@aisle/contract/route';
import { deleteClient } from '../../../src/identity/credential-queries.ts';
import { callerFor, makeChain, makeClient, makeToken, requestAccessToken, useAisle } from '../../support/aisle.ts';
import { isLockAwaited } from '../../support/lock-waits.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();

test('a new client has a secret that is shown once, and a deleted client is no longer listed', async () => {
  const call = callerFor(aisle, await makeChain(aisle));
  const created = await call('POST', '/clients', { body: { name: 'Order pickers' } });
  assert.equal(created.status, 201);
  const { client_secret, ...shown } = created.body;
  assert.match(client_secret, /^aisle_secret_[0-9A-Za-z]{38}$/);
  assert.deepEqual([shown.scopes, shown.vendor_ids], [defaultScopes, null]);
  const listed = await call('GET', '/clients');
  assert.deepEqual(listed.body.clients, [shown]);
  assert.equal(listed.text.includes(client_secret), false);
  const gone = await call('DELETE', `/clients/${shown.client_id}`);
  assert.deepEqual([gone.status, gone.body], [200, shown]);
  assertProblem(await call('DELETE', `/clients/${shown.client_id}`), 'client_not_found');
  assert.equal((await call('GET', '/clients')).body.total_items, 0);
});

test('a new client can be restricted to vendors by either of their ids, and an unknown vendor is rejected', async () => {
  const chain = await makeChain(aisle, { vendors: 3 });
  const call = callerFor(aisle, chain);
  const [first, second] = chain.vendors as [string, string];
  const created = await call('POST', '/clients', { body: { name: 'x', vendor_ids: [second, 'ext-1', first] } });
  assert.deepEqual([created.status, created.body.vendor_ids], [201, [first, second].toSorted()]);
  const { client_secret: _, ...shown } = created.body;
  assert.deepEqual((await call('GET', '/clients')).body.clients, [shown]);
  assertInvalid(
    await call('POST', '/clients', { body: { name: 'x', vendor_ids: [first, 'unknown'] } }),
    '/vendor_ids/1',
  );
  assertInvalid(await call('POST', '/clients', { body: { name: 'x', vendor_ids: [] } }), '/vendor_ids');
  assert.equal((await call('GET', '/clients')).body.total_items, 1);
  const byPlatform = await aisle.call('POST', `/platform/v1/chains/${chain.chainId}/clients`, {
    token: aisle.platformToken,
    body: { name: 'x', vendor_ids: ['ext-3'] },
  });
  assert.deepEqual([byPlatform.status, byPlatform.body.vendor_ids], [201, [chain.vendors[2]]]);
});

test('a restricted token cannot create, read or delete clients with wider access', async () => {
  const chain = await makeChain(aisle, { vendors: 3 });
  const [mine, theirs] = chain.vendors as [string, string];
  const { client_id: widest } = await makeClient(aisle, chain.chainId);
  const token = await makeToken(aisle, chain.chainId, { scopes: ['manage'], vendor_ids: [mine] });
  const call = callerFor(aisle, chain, token);
  for (const vendor_ids of [undefined, [theirs], [mine, theirs]]) {
    assertProblem(await call('POST', '/clients', { body: { name: 'x', scopes: ['manage'], vendor_ids } }), 'forbidden');
  }
  assert.equal((await callerFor(aisle, chain)('GET', '/clients')).body.total_items, 1, 'no client was created');
  const created = await call('POST', '/clients', { body: { name: 'x', scopes: ['manage'], vendor_ids: ['ext-1'] } });
  assert.deepEqual([created.status, created.body.vendor_ids], [201, [mine]]);
  const listed = await call('GET', '/clients');
  assert.deepEqual([listed.body.total_items, listed.body.clients[0].client_id], [1, created.body.client_id]);
  assert.equal((await call('GET', '/clients?page=9')).body.total_items, 1);
  assertProblem(await call('DELETE', `/clients/${widest}`), 'client_not_found');
  assert.equal((await call('DELETE', `/clients/${created.body.client_id}`)).status, 200);
});

test('a chain can have only a limited number of clients', async (t) => {
  const small = await aisle.another({ AISLE_MAX_CLIENTS: '2' });
  t.after(small.stop);
  const chain = await makeChain(aisle);
  const create = () =>
    small.call('POST', `${chain.base}/clients`, { token: chain.token, body: { name: 'one of many' } });
  const responses = await Promise.all([create(), create(), create(), create()]);
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 201, 409, 409],
  );
  const rejected = await create();
  assertProblem(rejected, 'client_limit_reached');
  assert.match(rejected.body.detail, /at most 2 clients/);
  const platform = await small.call('POST', `/platform/v1/chains/${chain.chainId}/clients`, {
    token: aisle.platformToken,
    body: { name: 'one too many' },
  });
  assertProblem(platform, 'client_limit_reached');
  const { client_id } = responses.find(({ status }) => status === 201)?.body ?? {};
  await small.call('DELETE', `${chain.base}/clients/${client_id}`, { token: chain.token });
  assert.equal((await create()).status, 201);
  assert.equal((await small.call('GET', '/v2/limits')).body.clients_per_chain, 2);
});

test('a client that is deleted while it requests a token gets none', async () => {
  const { chainId } = await makeChain(aisle);
  const { client_id, client_secret } = await makeClient(aisle, chainId);
  const granted = await aisle.db.transaction(async (tx) => {
    await deleteClient(tx, chainId, null, client_id);
    const request = requestAccessToken(aisle, { client_id, client_secret });
    await waitFor('the request to wait for the deletion', () => isLockAwaited(aisle.db, 'transactionid'));
    return { request };
  });
  assertProblem(await granted.request, 'invalid_client');
});
