import assert from 'node:assert/strict';
import test from 'node:test';
import { type Response, type CallOptions, makeChain, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, readLog, waitForJob } from '../../support/catalog.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useOwnAisle();

function platform(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  return aisle.call(method, `/platform/v1${path}`, { token: aisle.platformToken, ...options });
}

const store = {
  name: 'Marina Walk',
  currency: 'AED',
  country_code: 'AE',
  locale: 'en_AE',
  timezone: 'Asia/Dubai',
  transport_type: 'LOGISTICS_DELIVERY',
};

async function createChain(): Promise<string> {
  return (await platform('POST', '/chains', { body: { name: 'Palm Grocer' } })).body.chain_id;
}

function createStore(chainId: string, more: Record<string, unknown> = {}): Promise<Response> {
  return platform('POST', `/chains/${chainId}/vendors`, { body: { ...store, ...more } });
}

test('a new chain has the default settings, can be read, and is listed first', async () => {
  const created = await platform('POST', '/chains', { body: { name: 'Palm Grocer' } });
  assert.equal(created.status, 201);
  const { chain_id, created_at, ...rest } = created.body;
  assert.match(chain_id, /^[0-9a-f-]{36}$/);
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
  assert.deepEqual(rest, { name: 'Palm Grocer', profile: 'strict', country_code: null });
  assert.deepEqual((await platform('GET', `/chains/${chain_id}`)).body, created.body);
  const full = await platform('POST', '/chains', { body: { name: 'B', profile: 'tolerant', country_code: 'SG' } });
  assert.deepEqual([full.body.profile, full.body.country_code], ['tolerant', 'SG']);
  const listed = await platform('GET', '/chains?page_size=2');
  assert.deepEqual(listed.body.chains, [full.body, created.body]);
});

test('an invalid chain is rejected with pointers to the errors', async () => {
  assertInvalid(await platform('POST', '/chains', { body: {} }), '/name');
  const rejected = await platform('POST', '/chains', { body: { name: 'x', profile: 'odd', country_code: 'Emirates' } });
  assertInvalid(rejected, '/profile', '/country_code');
});

test('each field of a chain can be changed on its own, and null clears only the country', async () => {
  const chainId = await createChain();
  const change = async (body: unknown) => {
    const { name, profile, country_code } = (await platform('PATCH', `/chains/${chainId}`, { body })).body;
    return [name, profile, country_code];
  };
  assert.deepEqual(await change({ country_code: 'AE' }), ['Palm Grocer', 'strict', 'AE']);
  assert.deepEqual(await change({ profile: 'tolerant' }), ['Palm Grocer', 'tolerant', 'AE']);
  assert.deepEqual(await change({ name: null, profile: null }), ['Palm Grocer', 'tolerant', 'AE']);
  assert.deepEqual(await change({ name: 'Renamed', country_code: null }), ['Renamed', 'tolerant', null]);
  assert.deepEqual(await change({}), ['Renamed', 'tolerant', null]);
});

test('an unknown or malformed chain id returns 404', async () => {
  for (const id of ['00000000-0000-7000-8000-000000000000', 'palm', '%00', '1']) {
    assertProblem(await platform('GET', `/chains/${id}`), 'chain_not_found');
    assertProblem(await platform('PATCH', `/chains/${id}`, { body: {} }), 'chain_not_found');
    assertProblem(await createStore(id), 'chain_not_found');
  }
});

test('a vendor gets a short platform id and the default settings', async () => {
  const chainId = await createChain();
  const created = await createStore(chainId);
  assert.equal(created.status, 201);
  const { vendor_id, created_at, ...rest } = created.body;
  assert.match(vendor_id, /^[0-9a-z]{4}$/);
  assert.ok(created_at);
  assert.deepEqual(rest, {
    ...store,
    chain_id: chainId,
    external_id: null,
    settings: {
      sales_buffer: 0,
      unit_overpick: 0,
      weight_tolerance: 0.2,
      weighted_replacement: false,
      integration_type: null,
      integration_enabled: false,
      test: false,
    },
  });
  assert.deepEqual((await platform('GET', `/chains/${chainId}/vendors/${vendor_id}`)).body, created.body);
});

test('changing one vendor setting leaves the others unchanged', async () => {
  const chainId = await createChain();
  const settings = {
    sales_buffer: 2,
    unit_overpick: 1,
    weight_tolerance: 0.125,
    weighted_replacement: true,
    integration_type: 'PICKING',
    integration_enabled: true,
    test: true,
  };
  const { body } = await createStore(chainId, { settings });
  assert.deepEqual(body.settings, settings);
  const path = `/chains/${chainId}/vendors/${body.vendor_id}`;
  const changed = await platform('PATCH', path, { body: { settings: { unit_overpick: 5, integration_type: null } } });
  assert.equal(changed.status, 200);
  const expected = { ...body, settings: { ...settings, unit_overpick: 5, integration_type: null } };
  assert.deepEqual(changed.body, expected);
  const renamed = await platform('PATCH', path, { body: { name: 'New', settings: null, currency: null } });
  assert.deepEqual(renamed.body, { ...expected, name: 'New' });
  assert.deepEqual((await platform('GET', path)).body, { ...expected, name: 'New' });
});

test('an invalid vendor is rejected with pointers to the errors', async () => {
  const chainId = await createChain();
  const rejected = await createStore(chainId, {
    currency: 'dirham',
    country_code: 'are',
    locale: 'english',
    timezone: 'Mars/Olympus',
    transport_type: 'DRONE',
    external_id: 'a b',
    settings: { weight_tolerance: 1.5, sales_buffer: -1, unit_overpick: 0.5, integration_type: 'BAGGING', test: 'no' },
  });
  const fields = ['currency', 'country_code', 'locale', 'timezone', 'transport_type', 'external_id'];
  const settings = ['weight_tolerance', 'sales_buffer', 'unit_overpick', 'integration_type', 'test'];
  assertInvalid(rejected, ...fields.map((name) => `/${name}`), ...settings.map((name) => `/settings/${name}`));
  const missing = await platform('POST', `/chains/${chainId}/vendors`, { body: {} });
  assertInvalid(missing, ...Object.keys(store).map((name) => `/${name}`));
});

test('a currency not in ISO 4217 and a country not in ISO 3166 are rejected with one error each', async () => {
  const chainId = await createChain();
  for (const [currency, country_code] of [
    ['ZZZ', 'ZZ'],
    ['XXX', 'XX'],
    ['DEM', 'UK'],
    ['XAU', 'EU'],
    ['aed', 'ae'],
  ]) {
    const rejected = await createStore(chainId, { currency, country_code });
    assertInvalid(rejected, '/currency', '/country_code');
    for (const { code } of rejected.body.errors) assert.equal(code, 'bad_format');
  }
  assert.match(
    (await createStore(chainId, { currency: 'ZZZ' })).body.detail,
    /must be a valid ISO 4217 currency code such as AED/,
  );
  assertInvalid(await platform('PATCH', `/chains/${chainId}`, { body: { country_code: 'ZZ' } }), '/country_code');
  for (const [currency, country_code] of [
    ['EUR', 'DE'],
    ['ZWG', 'ZW'],
    ['XCG', 'CW'],
    ['VED', 'VE'],
  ]) {
    assert.equal((await createStore(chainId, { currency, country_code })).status, 201, currency);
  }
});

test('vendors are sorted by platform id', async () => {
  const chainId = await createChain();
  const responses = [await createStore(chainId), await createStore(chainId), await createStore(chainId)];
  const ids = responses.map((response) => response.body.vendor_id as string).toSorted();
  const { body } = await platform('GET', `/chains/${chainId}/vendors?page_size=2`);
  assert.deepEqual(
    body.vendors.map((one: { vendor_id: string }) => one.vendor_id),
    ids.slice(0, 2),
  );
  assert.deepEqual([body.total_items, body.total_pages], [3, 2]);
  assert.equal((await platform('GET', `/chains/${chainId}/vendors?page=5`)).body.total_items, 3);
});

test('an external id must be unique within a chain, but other chains can use it too', async () => {
  const chainId = await createChain();
  const first = await createStore(chainId, { external_id: '1001' });
  assert.equal(first.status, 201);
  assertProblem(await createStore(chainId, { external_id: '1001' }), 'external_id_taken');
  assertProblem(await createStore(chainId, { external_id: first.body.vendor_id }), 'external_id_taken');
  const second = await createStore(chainId, { external_id: '1002' });
  const path = `/chains/${chainId}/vendors/${second.body.vendor_id}`;
  for (const external_id of ['1001', first.body.vendor_id]) {
    assertProblem(await platform('PATCH', path, { body: { external_id } }), 'external_id_taken');
  }
  assert.equal((await platform('PATCH', path, { body: { external_id: '1002' } })).status, 200);
  assert.equal((await platform('PATCH', path, { body: { external_id: null } })).body.external_id, null);
  assert.equal((await createStore(chainId, { external_id: '1002' })).status, 201);
  assert.equal((await createStore(await createChain(), { external_id: '1001' })).status, 201);
});

test('of many concurrent requests for the same external id, only one succeeds', async () => {
  const chainId = await createChain();
  const creations = Array.from({ length: 8 }, () => createStore(chainId, { external_id: '1001' }));
  const stores = [await createStore(chainId), await createStore(chainId)];
  const changed = stores.map(({ body }) =>
    platform('PATCH', `/chains/${chainId}/vendors/${body.vendor_id}`, { body: { external_id: '1001' } }),
  );
  const responses = await Promise.all([...creations, ...changed]);
  assert.equal(responses.filter(({ status }) => status === 201 || status === 200).length, 1);
  for (const response of responses.filter(({ status }) => status >= 400)) assertProblem(response, 'external_id_taken');
});

test("every route accepts a vendor's external id, and responses contain its platform id", async () => {
  const chain = await makeChain(aisle);
  const [vendorId] = chain.vendors;
  const call = (method: string, path: string, body?: unknown) =>
    aisle.call(method, `${chain.base}${path}`, { token: chain.token, ...(body !== undefined && { body }) });
  const got = await platform('GET', `/chains/${chain.chainId}/vendors/ext-1`);
  assert.equal(got.body.vendor_id, vendorId);
  assert.equal((await call('GET', '/vendors/ext-1/settings')).body.vendor_id, vendorId);
  const token = await call('POST', '/tokens', { name: 'x', vendor_ids: ['ext-1'] });
  assert.deepEqual(token.body.vendor_ids, [vendorId]);

  const created = await call('POST', '/catalog', {
    vendors: ['ext-1'],
    products: [{ sku: 'A', title: 'A', price: 1 }],
  });
  await waitForJob(aisle, chain, created.body.job_id);
  const [, line] = await readLog(aisle, chain, created.body.job_id);
  assert.ok(line?.endsWith(`,${vendorId}`), line);
  assert.equal((await call('GET', '/vendors/ext-1/catalog')).body.total_items, 1);
  const exported = await call('POST', '/vendors/ext-1/catalog/export');
  assert.equal((await waitForJob(aisle, chain, exported.body.job_id)).vendor_id, vendorId);
});

test('changes by the platform are visible on every server immediately', async (t) => {
  const chain = await makeChain(aisle);
  const other = await aisle.another();
  t.after(other.stop);
  const read = (id: string) => other.call('GET', `${chain.base}/vendors/${id}/settings`, { token: chain.token });
  assert.equal((await read('ext-1')).status, 200);
  assertProblem(await read('later'), 'vendor_not_found');
  const path = `/chains/${chain.chainId}/vendors/${chain.vendors[0]}`;
  await platform('PATCH', path, { body: { external_id: 'later', settings: { sales_buffer: 9 } } });
  const deadline = Date.now() + 5000;
  while ((await read('ext-1')).status !== 404) {
    assert.ok(Date.now() < deadline, 'the old id is still accepted');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal((await read('later')).body.sales_buffer, 9);
});

test("the platform can create a chain's first credentials", async () => {
  const chainId = await createChain();
  const { body: vendor } = await createStore(chainId);
  const created = await platform('POST', `/chains/${chainId}/tokens`, {
    body: { name: 'first', scopes: ['manage'], vendor_ids: [vendor.vendor_id] },
  });
  assert.equal(created.status, 201);
  assert.deepEqual(created.body.vendor_ids, [vendor.vendor_id]);
  const settings = await aisle.call('GET', `/v2/chains/${chainId}/settings`, { token: created.body.token });
  assert.equal(settings.status, 200);
  const client = await platform('POST', `/chains/${chainId}/clients`, { body: { name: 'first' } });
  assert.equal(client.status, 201);
  assert.match(client.body.client_secret, /^aisle_secret_/);
  assertInvalid(
    await platform('POST', `/chains/${chainId}/tokens`, { body: { name: 'x', vendor_ids: ['unknown'] } }),
    '/vendor_ids/0',
  );
  for (let count = 2; count <= 11; count++) {
    const { status } = await platform('POST', `/chains/${chainId}/tokens`, { body: { name: 'x' } });
    assert.equal(status, 201);
  }
  assertProblem(await platform('POST', `/chains/${chainId}/tokens`, { body: { name: 'x' } }), 'token_limit_reached');
});

test('partner tokens cannot use the platform API, and platform tokens cannot use the partner API', async () => {
  const chain = await makeChain(aisle);
  assertProblem(await aisle.call('GET', `/platform/v1/chains/${chain.chainId}`, { token: chain.token }), 'forbidden');
  assertProblem(await aisle.call('GET', `${chain.base}/vendors`, { token: aisle.platformToken }), 'chain_not_found');
});

type CategoryInput = { global_id?: string; parent_global_id?: string | null; [field: string]: unknown };

function category(global_id: string, parent_global_id?: string | null): CategoryInput {
  const details = { name: { en_AE: global_id } };
  return { global_id, details, ...(parent_global_id !== undefined && { parent_global_id }) };
}

function putCategories(chain: TestChain, categories: unknown[]): Promise<Response> {
  return platform('PUT', `/chains/${chain.chainId}/categories`, { body: { categories } });
}

function treeOf(response: Response): [string, string | null][] {
  assert.equal(response.status, 200, response.text);
  return response.body.categories.map((one: { global_id: string; parent_global_id: string | null }) => [
    one.global_id,
    one.parent_global_id,
  ]);
}

test('a PUT replaces the whole category tree and returns parents before children', async () => {
  const chain = await makeChain(aisle);
  const put = await putCategories(chain, [category('milk', 'dairy'), category('dairy'), category('oat', 'milk')]);
  assert.deepEqual(treeOf(put), [
    ['dairy', null],
    ['milk', 'dairy'],
    ['oat', 'milk'],
  ]);
  const again = await putCategories(chain, [category('bread', null), category('oat', 'bread')]);
  assert.deepEqual(treeOf(again), [
    ['bread', null],
    ['oat', 'bread'],
  ]);
  const seen = await aisle.call('GET', `${chain.base}/vendors/${chain.vendors[0]}/categories`, { token: chain.token });
  assert.deepEqual(treeOf(seen), treeOf(again));
  assert.deepEqual(treeOf(await putCategories(chain, [])), []);
});

test('a category keeps its names, gets an id if it has none, and gets defaults for other omitted fields', async () => {
  const chain = await makeChain(aisle);
  const name = { en_AE: 'Dairy', ar_AE: 'الألبان' };
  const { status, body } = await putCategories(chain, [
    { details: { name, description: { en_AE: 'Cold' } }, active: false },
  ]);
  assert.equal(status, 200);
  const [{ global_id, ...rest }] = body.categories;
  assert.ok(global_id.length > 0);
  assert.deepEqual(rest, {
    parent_global_id: null,
    details: { name, description: { en_AE: 'Cold' } },
    active: false,
  });
  const kept = await putCategories(chain, [{ global_id, details: { name } }]);
  assert.deepEqual(kept.body.categories, [
    { global_id, parent_global_id: null, details: { name, description: {} }, active: true },
  ]);
});

const badTrees: [string, CategoryInput[], string[]][] = [
  ['a category that is its own parent', [category('a', 'a')], ['/categories/0/parent_global_id']],
  [
    'a cycle',
    [category('a', 'c'), category('b', 'a'), category('c', 'b')],
    [0, 1, 2].map((index) => `/categories/${index}/parent_global_id`),
  ],
  ['an unknown parent', [category('a'), category('b', 'z')], ['/categories/1/parent_global_id']],
  ['a duplicate id', [category('a'), category('a')], ['/categories/1/global_id']],
  ['a category without a name', [{ global_id: 'a', details: { name: {} } }], ['/categories/0/details/name']],
  [
    'a name under an invalid locale',
    [{ global_id: 'a', details: { name: { english: 'A' } } }],
    ['/categories/0/details/name/english'],
  ],
  ['an id with a comma', [category('a,b')], ['/categories/0/global_id']],
];
for (const [what, categories, pointers] of badTrees) {
  test(`a category tree with ${what} is rejected, and the old tree is kept`, async () => {
    const chain = await makeChain(aisle);
    await putCategories(chain, [category('old')]);
    assertInvalid(await putCategories(chain, categories), ...pointers);
    const seen = await aisle.call('GET', `${chain.base}/vendors/${chain.vendors[0]}/categories`, {
      token: chain.token,
    });
    assert.deepEqual(treeOf(seen), [['old', null]]);
  });
}

test('a category in use cannot be removed, but it can be moved and renamed', async () => {
  const chain = await makeChain(aisle);
  await putCategories(chain, [category('dairy'), category('milk', 'dairy')]);
  const [product] = plainProducts(1);
  await addProducts(aisle, chain, [{ ...product, categories: ['milk'] }]);
  const rejected = await putCategories(chain, [category('dairy')]);
  assertInvalid(rejected, '/categories');
  assert.equal(rejected.body.errors[0].code, 'in_use');
  assert.match(rejected.body.errors[0].message, /milk/);
  const moved = await putCategories(chain, [{ ...category('milk'), details: { name: { en_AE: 'Fresh milk' } } }]);
  assert.deepEqual(treeOf(moved), [['milk', null]]);
  const { body } = await aisle.call('GET', `${chain.base}/vendors/${chain.vendors[0]}/catalog`, { token: chain.token });
  assert.equal(body.products[0].category, 'Fresh milk');
});
