import assert from 'node:assert/strict';
import test from 'node:test';
import { defaultScopes, scopes } from '@aisle/contract/route';
import { callerFor, makeChain, makeClient, makeToken, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts } from '../../support/catalog.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();

test("a chain's settings can be read, and each field can be changed on its own", async () => {
  const call = callerFor(aisle, await makeChain(aisle));
  const rest = { record_bodies: false, require_second_factor_for_owners: false };
  assert.deepEqual((await call('GET', '/settings')).body, {
    name: 'Test chain',
    profile: 'strict',
    ...rest,
  });
  const changed = await call('PATCH', '/settings', { body: { profile: 'tolerant' } });
  assert.equal(changed.status, 200);
  assert.deepEqual(changed.body, { name: 'Test chain', profile: 'tolerant', ...rest });
  await call('PATCH', '/settings', { body: { name: 'New name' } });
  assert.deepEqual((await call('PATCH', '/settings', { body: {} })).body, {
    name: 'New name',
    profile: 'tolerant',
    ...rest,
  });
  assert.deepEqual((await call('GET', '/settings')).body, {
    name: 'New name',
    profile: 'tolerant',
    ...rest,
  });
});

test('invalid settings are rejected, and nothing changes', async () => {
  const call = callerFor(aisle, await makeChain(aisle));
  assertInvalid(await call('PATCH', '/settings', { body: { name: 'x', profile: 'lenient' } }), '/profile');
  assertInvalid(await call('PATCH', '/settings', { body: { name: '' } }), '/name', '/name');
  assertInvalid(await call('PATCH', '/settings', { body: { name: '   ' } }), '/name');
  assertInvalid(await call('PATCH', '/settings', { body: { name: 'x'.repeat(201) } }), '/name');
  assert.equal((await call('PATCH', '/settings', { body: { name: '🛒'.repeat(200) } })).status, 200);
  assert.equal((await call('GET', '/settings')).body.profile, 'strict');
});

test('a changed profile takes effect immediately', async () => {
  const chain = await makeChain(aisle);
  const call = callerFor(aisle, chain);
  await addProducts(aisle, chain, plainProducts(1));
  const path = `/vendors/${chain.vendors[0]}/catalog`;
  const body = { products: [{ sku: 'SKU-00001', price: 2 }] };
  assert.equal((await call('PUT', path, { body })).status, 200);
  await call('PATCH', '/settings', { body: { profile: 'tolerant' } });
  assert.equal((await call('PUT', path, { body })).status, 202);
});

test("a chain can change some of a store's settings and read the rest", async () => {
  const chain = await makeChain(aisle);
  const call = callerFor(aisle, chain);
  const path = `/vendors/${chain.vendors[0]}/settings`;
  const before = await call('GET', path);
  assert.equal(before.status, 200);
  assert.deepEqual(before.body, {
    vendor_id: chain.vendors[0],
    external_id: 'ext-1',
    name: 'Store 1',
    currency: 'AED',
    country_code: 'AE',
    locale: 'en_AE',
    timezone: 'Asia/Dubai',
    transport_type: 'LOGISTICS_DELIVERY',
    sales_buffer: 0,
    unit_overpick: 0,
    weight_tolerance: 0.2,
    weighted_replacement: false,
    integration_type: null,
    integration_enabled: false,
    test: false,
  });
  const own = { external_id: '1001', sales_buffer: 3, integration_type: 'PICKING', integration_enabled: true };
  const platformOnly = { name: 'Mine now', test: true, unit_overpick: 9 };
  const rejected = await call('PATCH', path, { body: { ...own, ...platformOnly } });
  assertInvalid(rejected, '/name', '/test', '/unit_overpick');
  assert.deepEqual((await call('GET', path)).body, before.body);
  const changed = await call('PATCH', path, { body: own });
  assert.equal(changed.status, 200);
  assert.deepEqual(changed.body, { ...before.body, ...own });
  assert.deepEqual((await call('GET', path)).body, { ...before.body, ...own });
});

test("null clears a store's nullable settings and means absent for the others", async () => {
  const chain = await makeChain(aisle);
  const call = callerFor(aisle, chain);
  const path = `/vendors/${chain.vendors[0]}/settings`;
  await call('PATCH', path, { body: { sales_buffer: 4, integration_type: 'PICKING', integration_enabled: true } });
  const cleared = await call('PATCH', path, {
    body: { external_id: null, integration_type: null, sales_buffer: null, integration_enabled: null },
  });
  assert.equal(cleared.status, 200);
  const { external_id, integration_type, sales_buffer, integration_enabled } = cleared.body;
  assert.deepEqual(
    { external_id, integration_type, sales_buffer, integration_enabled },
    { external_id: null, integration_type: null, sales_buffer: 4, integration_enabled: true },
  );
  assertProblem(await call('GET', '/vendors/ext-1/settings'), 'vendor_not_found');
});

test('a changed sales buffer immediately affects which products are available', async () => {
  const chain = await makeChain(aisle);
  const call = callerFor(aisle, chain);
  await addProducts(aisle, chain, plainProducts(1));
  const available = async () =>
    (await call('GET', `/vendors/${chain.vendors[0]}/catalog`)).body.products[0].available as boolean;
  assert.equal(await available(), true);
  await call('PATCH', `/vendors/${chain.vendors[0]}/settings`, { body: { sales_buffer: 5 } });
  assert.equal(await available(), false);
});

test('an external id is rejected if another store has it as its external id or platform id', async () => {
  const chain = await makeChain(aisle);
  const call = callerFor(aisle, chain);
  const path = `/vendors/${chain.vendors[0]}/settings`;
  for (const external_id of ['ext-2', String(chain.vendors[1])]) {
    assertProblem(await call('PATCH', path, { body: { external_id } }), 'external_id_taken');
  }
  for (const external_id of ['ext-1', String(chain.vendors[0])]) {
    assert.equal((await call('PATCH', path, { body: { external_id } })).status, 200, 'a store can keep its own id');
  }
  for (const external_id of ['', 'two words', 'a/b', 'a?b', 'a#b', '100%', 'x'.repeat(65)]) {
    const rejected = await call('PATCH', path, { body: { external_id } });
    assert.equal(rejected.body.errors[0].pointer, '/external_id', external_id);
  }
});

test('an external id can consist of 64 characters outside the basic multilingual plane', async () => {
  const chain = await makeChain(aisle);
  const call = callerFor(aisle, chain);
  const external_id = '🛒'.repeat(64);
  const path = `/vendors/${chain.vendors[0]}/settings`;
  assert.equal((await call('PATCH', path, { body: { external_id } })).status, 200);
  const found = await call('GET', `/vendors/${encodeURIComponent(external_id)}/settings`);
  assert.equal(found.status, 200);
  assert.equal(found.body.vendor_id, chain.vendors[0]);
});

test('a token is shown once, works, and by default has all scopes except manage', async () => {
  const chain = await makeChain(aisle);
  const call = callerFor(aisle, chain);
  const created = await call('POST', '/tokens', { body: { name: 'Nightly stock upload' } });
  assert.equal(created.status, 201);
  const { token, ...shown } = created.body;
  assert.match(token, /^aisle_live_[0-9A-Za-z]{38}$/);
  assert.equal(shown.prefix, token.slice(0, 'aisle_live_'.length + 4));
  assert.deepEqual(shown.scopes, defaultScopes);
  assert.deepEqual([shown.vendor_ids, shown.last_used_at, shown.expires_at], [null, null, null]);
  const listed = await call('GET', '/tokens');
  assert.deepEqual(listed.body.tokens[0], shown);
  assert.equal(listed.text.includes(token), false);
  assert.equal((await aisle.call('GET', `${chain.base}/vendors`, { token })).status, 200);
  assertProblem(await aisle.call('GET', `${chain.base}/settings`, { token }), 'forbidden');
});

test('a token has exactly the scopes it was created with', async () => {
  const call = callerFor(aisle, await makeChain(aisle));
  const created = await call('POST', '/tokens', { body: { name: 'x', scopes: ['manage', 'orders:read', 'manage'] } });
  assert.deepEqual(created.body.scopes, ['orders:read', 'manage']);
  const all = await call('POST', '/tokens', { body: { name: 'x', scopes: scopes.toReversed() } });
  assert.deepEqual(all.body.scopes, [...scopes]);
  assertInvalid(await call('POST', '/tokens', { body: { name: 'x', scopes: [] } }), '/scopes');
  assertInvalid(await call('POST', '/tokens', { body: { name: 'x', scopes: ['everything'] } }), '/scopes/0');
});

test('a token restricted to test stores is a test token', async () => {
  const chain = await makeChain(aisle);
  const [first, second] = chain.vendors as [string, string];
  await aisle.db.query('update vendors set test = true where chain_id = $1 and vendor_id = $2', [chain.chainId, first]);
  const create = async (vendor_ids: string[]) =>
    (await callerFor(aisle, chain)('POST', '/tokens', { body: { name: 'x', vendor_ids } })).body.token as string;
  assert.match(await create([first]), /^aisle_test_/);
  assert.match(await create([first, second]), /^aisle_live_/);
});

test('an expiry time in the past is rejected', async () => {
  const call = callerFor(aisle, await makeChain(aisle));
  for (const expires_at of ['2020-01-01T00:00:00Z', new Date(Date.now() - 1000).toISOString()]) {
    assertInvalid(await call('POST', '/tokens', { body: { name: 'x', expires_at } }), '/expires_at');
  }
});

test('a token can be restricted to vendors by either of their ids, and an unknown vendor is rejected with a pointer', async () => {
  const chain = await makeChain(aisle, { vendors: 3 });
  const call = callerFor(aisle, chain);
  const [first, second] = chain.vendors as [string, string];
  const created = await call('POST', '/tokens', { body: { name: 'x', vendor_ids: [second, 'ext-1', first] } });
  assert.equal(created.status, 201);
  assert.deepEqual(created.body.vendor_ids, [first, second].toSorted());
  const stranger = await makeChain(aisle);
  const rejected = await call('POST', '/tokens', {
    body: { name: 'x', vendor_ids: [first, 'unknown', String(stranger.vendors[0])] },
  });
  assertInvalid(rejected, '/vendor_ids/1', '/vendor_ids/2');
});

test('revoking a token returns it and removes it from the list, and revoking it again returns 404', async () => {
  const call = callerFor(aisle, await makeChain(aisle));
  const { body } = await call('POST', '/tokens', { body: { name: 'to go' } });
  const gone = await call('DELETE', `/tokens/${body.token_id}`);
  assert.equal(gone.status, 200);
  const { token: _, ...shown } = body;
  assert.deepEqual(gone.body, shown);
  assertProblem(await call('DELETE', `/tokens/${body.token_id}`), 'token_not_found');
  const ids = (await call('GET', '/tokens')).body.tokens.map((one: { token_id: string }) => one.token_id);
  assert.equal(ids.includes(body.token_id), false);
});

test("another chain's tokens and clients return 404", async () => {
  const mine = callerFor(aisle, await makeChain(aisle));
  const chain = await makeChain(aisle);
  const { body } = await callerFor(aisle, chain)('POST', '/tokens', { body: { name: 'theirs' } });
  const { client_id } = await makeClient(aisle, chain.chainId);
  assertProblem(await mine('DELETE', `/tokens/${body.token_id}`), 'token_not_found');
  assertProblem(await mine('DELETE', `/clients/${client_id}`), 'client_not_found');
  assert.equal((await callerFor(aisle, chain)('GET', '/tokens')).body.total_items, 2);
  assert.equal((await callerFor(aisle, chain)('GET', '/clients')).body.total_items, 1);
});

test('only live tokens are listed, newest first', async () => {
  const chain = await makeChain(aisle);
  const call = callerFor(aisle, chain);
  for (const name of ['one', 'two', 'three']) await call('POST', '/tokens', { body: { name } });
  await aisle.db.query(
    "update api_tokens set expires_at = now() - interval '1 second' where chain_id = $1 and name = 'two'",
    [chain.chainId],
  );
  const { body } = await call('GET', '/tokens');
  assert.deepEqual(
    body.tokens.map((one: { name: string }) => one.name),
    ['three', 'one', 'all'],
  );
  assert.equal(body.total_items, 3);
});

test('a chain can have at most 11 live tokens, not counting revoked and expired ones', async () => {
  const chain = await makeChain(aisle);
  const call = callerFor(aisle, chain);
  for (let count = 2; count <= 11; count++) {
    assert.equal((await call('POST', '/tokens', { body: { name: `token ${count}` } })).status, 201);
  }
  assertProblem(await call('POST', '/tokens', { body: { name: 'one too many' } }), 'token_limit_reached');
  const { body } = await call('GET', '/tokens');
  assert.equal(body.total_items, 11);
  await call('DELETE', `/tokens/${body.tokens[0].token_id}`);
  assert.equal((await call('POST', '/tokens', { body: { name: 'a replacement' } })).status, 201);
  await aisle.db.query(
    "update api_tokens set expires_at = now() - interval '1 second' where chain_id = $1 and name = 'token 3'",
    [chain.chainId],
  );
  assert.equal((await call('POST', '/tokens', { body: { name: 'a replacement' } })).status, 201);
  assertProblem(await call('POST', '/tokens', { body: { name: 'one too many' } }), 'token_limit_reached');
});

test('the limit of 11 tokens applies to concurrent requests on two servers', async (t) => {
  const chain = await makeChain(aisle);
  const other = await aisle.another();
  t.after(other.stop);
  const create = (index: number) =>
    (index % 2 === 0 ? aisle : other).call('POST', `${chain.base}/tokens`, {
      token: chain.token,
      body: { name: `token ${index}` },
    });
  const responses = await Promise.all(Array.from({ length: 24 }, (_, index) => create(index)));
  const statuses = responses.map((response) => response.status);
  assert.equal(statuses.filter((status) => status === 201).length, 10);
  assert.equal(statuses.filter((status) => status === 409).length, 14);
  assert.equal((await callerFor(aisle, chain)('GET', '/tokens')).body.total_items, 11);
});

test('a restricted token sees only its own stores and jobs, and gets a 403 for others', async () => {
  const chain = await makeChain(aisle, { vendors: 3 });
  const [mine, theirs] = chain.vendors as [string, string];
  const token = await makeToken(aisle, chain.chainId, { scopes: [...scopes], vendor_ids: [mine] });
  const call = callerFor(aisle, chain, token);
  const stores = await call('GET', '/vendors');
  assert.deepEqual(
    stores.body.vendors.map((one: { vendor_id: string }) => one.vendor_id),
    [mine],
  );
  assert.equal(stores.body.total_items, 1);
  assert.equal((await call('GET', '/vendors?page=2')).body.total_items, 1);

  assert.equal((await call('GET', `/vendors/${mine}/catalog`)).status, 200);
  assert.equal((await call('GET', '/vendors/ext-1/settings')).status, 200);
  assertProblem(await call('GET', `/vendors/${theirs}/catalog`), 'forbidden');
  assertProblem(await call('PATCH', '/vendors/ext-2/settings', { body: {} }), 'forbidden');
  assertProblem(await call('GET', '/vendors/unknown/catalog'), 'vendor_not_found');

  const exportOf = async (vendorId: string) =>
    (await callerFor(aisle, chain)('POST', `/vendors/${vendorId}/catalog/export`)).body.job_id as string;
  const [own, foreign] = [await exportOf(mine), await exportOf(theirs)];
  const jobs = await call('GET', '/catalog/jobs');
  assert.deepEqual(
    jobs.body.jobs.map((one: { job_id: string }) => one.job_id),
    [own],
  );
  assert.equal((await call('GET', `/catalog/jobs/${own}`)).status, 200);
  assertProblem(await call('GET', `/catalog/jobs/${foreign}`), 'job_not_found');
  assertProblem(await call('GET', `/catalog/jobs/${foreign}/download`), 'job_not_found');
});

test('a restricted token cannot create products for all vendors or for a vendor outside its restriction', async () => {
  const chain = await makeChain(aisle, { vendors: 3 });
  const [mine, theirs] = chain.vendors as [string, string];
  const call = callerFor(aisle, chain, await makeToken(aisle, chain.chainId, { vendor_ids: [mine] }));
  const products = [{ sku: 'A', title: 'A', price: 1 }];
  for (const vendors of ['*', ['*'], [theirs], [mine, theirs], ['ext-2']]) {
    assertProblem(await call('POST', '/catalog', { body: { vendors, products } }), 'forbidden');
  }
  for (const vendors of [[mine], ['ext-1']]) {
    assert.equal((await call('POST', '/catalog', { body: { vendors, products } })).status, 202);
  }
});

test('a restricted token cannot create, read or revoke credentials with wider access', async () => {
  const chain = await makeChain(aisle, { vendors: 3 });
  const [mine, theirs] = chain.vendors as [string, string];
  const token = await makeToken(aisle, chain.chainId, { scopes: ['manage'], vendor_ids: [mine] });
  const call = callerFor(aisle, chain, token);
  for (const vendor_ids of [undefined, [theirs], [mine, theirs]]) {
    assertProblem(await call('POST', '/tokens', { body: { name: 'x', scopes: ['manage'], vendor_ids } }), 'forbidden');
  }
  assert.equal((await callerFor(aisle, chain)('GET', '/tokens')).body.total_items, 2, 'no token was created');
  const created = await call('POST', '/tokens', { body: { name: 'x', scopes: ['manage'], vendor_ids: ['ext-1'] } });
  assert.equal(created.status, 201);
  assert.deepEqual(created.body.vendor_ids, [mine]);

  const listed = await call('GET', '/tokens');
  assert.deepEqual(
    listed.body.tokens.map((one: { name: string }) => one.name),
    ['x', 'limited'],
  );
  assert.equal((await call('GET', '/tokens?page=9')).body.total_items, 2);
  const all = (await callerFor(aisle, chain)('GET', '/tokens')).body.tokens as { name: string; token_id: string }[];
  const widest = all.find((one) => one.name === 'all');
  assertProblem(await call('DELETE', `/tokens/${widest?.token_id}`), 'token_not_found');
  assert.equal((await call('DELETE', `/tokens/${created.body.token_id}`)).status, 200);
});

test('a restricted token cannot use routes that affect the whole chain', async () => {
  const chain = await makeChain(aisle);
  const token = await makeToken(aisle, chain.chainId, { scopes: ['manage'], vendor_ids: [String(chain.vendors[0])] });
  const call = callerFor(aisle, chain, token);
  assert.equal((await call('GET', '/settings')).status, 200);
  assertProblem(await call('PATCH', '/settings', { body: { profile: 'tolerant' } }), 'forbidden');
});

test('the configured limits can be read without authentication', async (t) => {
  const { status, body } = await aisle.call('GET', '/v2/limits');
  assert.equal(status, 200);
  assert.deepEqual(
    [body.page_size_maximum, body.catalog_items_per_request, body.catalog_bytes_per_request, body.file_bytes],
    [500, 200_000, 64 * 1024 * 1024, 2 * 1024 ** 3],
  );
  assert.deepEqual([body.api_tokens_per_chain, body.access_token_seconds, body.idempotency_hours], [11, 7200, 24]);
  assert.deepEqual([body.rate_limits_per_minute.read, body.rate_limits_per_minute.catalog_write], [600, 60]);
  const changed = await aisle.another({ AISLE_MAX_API_TOKENS: '3', AISLE_RATE_LIMITS: 'read=7' });
  t.after(changed.stop);
  const other = (await changed.call('GET', '/v2/limits')).body;
  assert.deepEqual([other.api_tokens_per_chain, other.rate_limits_per_minute.read], [3, 7]);
});
