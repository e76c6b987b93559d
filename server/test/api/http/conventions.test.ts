import assert from 'node:assert/strict';
import { connect } from 'node:net';
import test from 'node:test';
import { type Response, type CallOptions, makeChain, makeToken, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts } from '../../support/catalog.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useOwnAisle({ AISLE_MAX_API_TOKENS: '1000' });
const chain = await makeChain(aisle, { vendors: 3 });
const [vendor] = chain.vendors;
const settings = `${chain.base}/settings`;
const tokens = `${chain.base}/tokens`;
const exportPath = `${chain.base}/vendors/${vendor}/catalog/export`;

const oneMebibyte = 1024 * 1024;

function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  return aisle.call(method, path, { token: chain.token, ...options });
}

test('unknown body fields and query parameters are ignored on partner routes', async () => {
  const changed = await call('PUT', `${chain.base}/vendors/${vendor}/status`, {
    body: { status: 'OPEN', color: 'red', nested: { deep: [null] } },
  });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.body.status, 'OPEN');
  const listed = await call('GET', `${chain.base}/vendors?color=red&page_size=2&%5Bx%5D=1`);
  assert.equal(listed.status, 200);
  assert.equal(listed.body.vendors.length, 2);
});

test('null means absent, so optional fields get their default and required ones are reported as missing', async () => {
  const created = await call('POST', tokens, {
    body: { name: 'nulls', scopes: null, expires_at: null },
  });
  assert.equal(created.status, 201);
  assert.equal(created.body.vendor_ids, null);
  assert.equal(created.body.expires_at, null);
  assert.equal(created.body.scopes.includes('catalog:read'), true);
  assertInvalid(await call('POST', tokens, { body: { name: null } }), '/name');
});

test('null means absent in localized text too', async () => {
  const path = `/platform/v1/chains/${chain.chainId}/categories`;
  const categories = [{ global_id: 'dairy', details: { name: { en_AE: 'Dairy', ar_AE: null }, description: null } }];
  const put = await aisle.call('PUT', path, { token: aisle.platformToken, body: { categories } });
  assert.equal(put.status, 200, put.text);
  assert.deepEqual(put.body.categories[0].details, { name: { en_AE: 'Dairy' }, description: {} });
});

test('a body with the wrong structure is rejected with a pointer to every error', async () => {
  const invalid = await call('POST', tokens, {
    body: { name: 7, scopes: ['orders:read', 'nonsense'], vendor_ids: 'all', expires_at: 'soon' },
  });
  assertInvalid(invalid, '/name', '/scopes/1', '/vendor_ids', '/expires_at');
  for (const body of [[], 'text', 7, true, null]) assertInvalid(await call('POST', tokens, { body }), '');
});

test('a string with U+0000 or an unpaired surrogate is rejected with a pointer', async () => {
  for (const name of ['nul\0', 'half \ud83d', '\udc00']) {
    assertInvalid(await call('POST', tokens, { raw: JSON.stringify({ name }) }), '/name');
  }
  assert.equal((await call('POST', tokens, { body: { name: 'whole 🛒' } })).body.name, 'whole 🛒');
});

test('empty query values are treated as absent', async () => {
  const listed = await call('GET', `${chain.base}/vendors?page=&page_size=`);
  assert.equal(listed.status, 200);
  assert.deepEqual(pageOf(listed), { page_number: 1, page_size: 20, total_pages: 1, total_items: 3 });
});

test('each page has the requested number of items, in order, and the last page has the remaining ones', async () => {
  const first = await call('GET', `${chain.base}/vendors?page_size=2`);
  const second = await call('GET', `${chain.base}/vendors?page_size=2&page=2`);
  const ids = [...first.body.vendors, ...second.body.vendors].map((one: { vendor_id: string }) => one.vendor_id);
  assert.deepEqual(ids, chain.vendors.toSorted());
  assert.deepEqual(pageOf(second), { page_number: 2, page_size: 2, total_pages: 2, total_items: 3 });
});

const badPages = [
  'page=0',
  'page=-1',
  'page=1.5',
  'page=abc',
  'page=1e3',
  'page=99999999999999999999',
  'page=1&page=2',
];
for (const query of [...badPages, ...badPages.map((text) => text.replaceAll('page', 'page_size')), 'page_size=501']) {
  test(`?${query} is rejected`, async () => {
    assertInvalid(await call('GET', `${chain.base}/vendors?${query}`), query.split('=')[0] ?? '');
  });
}

const lists = [
  ['vendors', `${chain.base}/vendors`, 3],
  ['tokens', tokens, undefined],
  ['clients', `${chain.base}/clients`, 0],
  ['jobs', `${chain.base}/catalog/jobs`, undefined],
  ['products', `${chain.base}/vendors/${vendor}/catalog`, 7],
] as const;
for (const [noun, path, total] of lists) {
  test(`a page of ${noun} past the end returns 200 with an empty list and the correct totals`, async () => {
    if (noun === 'products') await addProducts(aisle, chain, plainProducts(7));
    if (noun === 'jobs') await call('POST', exportPath);
    const all = await call('GET', `${path}?page_size=500`);
    const beyond = await call('GET', `${path}?page=1000000&page_size=500`);
    assert.equal(beyond.status, 200);
    assert.deepEqual(beyond.body[noun], []);
    assert.equal(beyond.body.total_items, all.body[noun].length);
    if (total !== undefined) assert.equal(beyond.body.total_items, total);
    assert.equal(beyond.body.total_pages, total === 0 ? 0 : 1);
    assert.equal(beyond.body.page_number, 1_000_000);
  });
}

test('a valid x-request-id is returned, and is the `instance` of an error response', async () => {
  const good = await call('GET', settings, { headers: { 'x-request-id': 'till-7:2026.05_04' } });
  assert.equal(good.headers['x-request-id'], 'till-7:2026.05_04');
  const bad = await call('GET', '/nothing', { headers: { 'x-request-id': 'till-7' } });
  assert.equal(bad.headers['x-request-id'], 'till-7');
  assert.equal(bad.body.instance, 'till-7');
});

test('an invalid x-request-id is replaced', async () => {
  const seen = new Set<unknown>();
  for (const given of ['two words', 'a'.repeat(129), 'ümlaut', '<script>', '']) {
    const { headers } = await call('GET', settings, { headers: { 'x-request-id': given } });
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, given);
    seen.add(headers['x-request-id']);
  }
  assert.equal(seen.size, 5);
});

test('an unknown route returns 404, with or without a token', async () => {
  assertProblem(await call('GET', '/v2/nothing'), 'route_not_found');
  assertProblem(await call('POST', '/v2/nothing', { body: {} }), 'route_not_found');
  assertProblem(await aisle.call('GET', '/v2/chains/'), 'route_not_found');
});

test('the path of a route cannot be percent-encoded, because a proxy that hides it may not decode it', async () => {
  const encoded = ['/%6detrics', '/metric%73', '/%70latform/v1/chains', '/platform/%761/chains', 'http://x/%6detrics'];
  for (const path of encoded) assertProblem(await aisle.call('GET', path), 'route_not_found');
  for (const path of ['/metrics', 'http://x/v2/limits?a=%61', settings.replace('-', '%2D')]) {
    assert.equal((await call('GET', path)).status, 200, path);
  }
});

test('an unsupported method on a known route returns 405 with an Allow header', async () => {
  const rejected = await call('POST', settings, { body: {} });
  assertProblem(rejected, 'method_not_allowed');
  assert.equal(rejected.headers['allow'], 'GET, PATCH, HEAD');
  const exported = await call('GET', exportPath);
  assertProblem(exported, 'method_not_allowed');
  assert.equal(exported.headers['allow'], 'POST');
});

test('broken percent-encoding returns 400', async () => {
  for (const part of ['%', '%z1', '%c3%28', '%ff']) {
    assertProblem(await call('GET', `/v2/chains/${part}/settings`), 'invalid_request');
  }
});

test('a malformed chain or vendor id returns 404, but a malformed job id returns 400', async () => {
  for (const part of ['%00', '..%2f..', 'x', '%F0%9F%9B%92', '%20', 'a'.repeat(300)]) {
    assertProblem(await call('GET', `/v2/chains/${part}/settings`), 'chain_not_found');
    assertProblem(await call('GET', `${chain.base}/vendors/${part}/catalog`), 'vendor_not_found');
    assertInvalid(await call('GET', `${chain.base}/catalog/jobs/${part}`), 'job_id');
  }
});

test('all responses, including errors and those for unknown routes, have the security headers', async () => {
  const responses = [
    await call('GET', settings),
    await aisle.call('GET', settings),
    await call('GET', '/nothing'),
    await call('GET', '/v2/chains/%/settings'),
    await call('POST', settings, { body: {} }),
  ];
  for (const { headers } of responses) {
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
    assert.match(String(headers['strict-transport-security']), /^max-age=\d+$/);
    assert.ok(headers['x-request-id']);
    assert.match(String(headers['content-type']), /^application\/(problem\+)?json; charset=utf-8$/);
  }
});

test('HEAD responds like GET, without the body', async () => {
  const headers = { authorization: `Bearer ${chain.token}` };
  const got = await aisle.aisle.http.inject({ method: 'GET', url: settings, headers });
  const head = await aisle.aisle.http.inject({ method: 'HEAD', url: settings, headers });
  assert.equal(head.statusCode, 200);
  assert.equal(head.payload, '');
  assert.equal(head.headers['content-length'], got.headers['content-length']);
  assert.equal((await aisle.aisle.http.inject({ method: 'HEAD', url: settings })).statusCode, 401);
});

test('if a request has several errors, the one with the highest precedence is reported', async () => {
  const stranger = await makeChain(aisle);
  const reader = await makeToken(aisle, chain.chainId, { scopes: ['orders:read'] });
  const limited = await makeToken(aisle, chain.chainId, { scopes: ['catalog:write'], vendor_ids: [String(vendor)] });
  const writer = await makeToken(aisle, chain.chainId, { scopes: ['catalog:write'] });
  const at = (base: string, vendorId: string | undefined) => `${base}/vendors/${vendorId}/catalog`;
  const headers = { 'content-type': 'text/plain' };
  const large = { raw: ' '.repeat(64 * oneMebibyte + 1), headers };
  const wrong = { raw: 'no json', headers };
  const put = (token: string | undefined, path: string, options: CallOptions) =>
    aisle.call('PUT', path, { token, ...options });
  assertProblem(await put(undefined, at(stranger.base, 'unknown'), large), 'invalid_token');
  assertProblem(await put(reader, at(stranger.base, 'unknown'), large), 'chain_not_found');
  assertProblem(await put(reader, at(chain.base, 'unknown'), large), 'forbidden');
  assertProblem(await put(writer, at(chain.base, 'unknown'), large), 'vendor_not_found');
  assertProblem(await put(limited, at(chain.base, chain.vendors[1]), large), 'forbidden');
  assertProblem(await put(writer, at(chain.base, vendor), large), 'payload_too_large');
  assertProblem(await put(writer, at(chain.base, vendor), wrong), 'unsupported_media_type');
  assertProblem(await put(writer, at(chain.base, vendor), { raw: 'no json' }), 'invalid_request');
  const unknown = { body: { products: [{ sku: 'nothing', price: 1 }] } };
  assertProblem(await put(writer, at(chain.base, vendor), unknown), 'product_not_found');
});

test('an unexpected error returns 500 without internal details', async () => {
  await aisle.db.query('alter table clients rename to clients_away');
  const response = await call('GET', `${chain.base}/clients`);
  await aisle.db.query('alter table clients_away rename to clients');
  assertProblem(response, 'internal_error');
  assert.doesNotMatch(response.text, /clients|relation|select|\.ts/);
  assert.equal((await call('GET', `${chain.base}/clients`)).status, 200);
});

test('an invalid HTTP request gets a problem document too', async () => {
  const port = await listen();
  const { head, body } = await sendBytes(port, 'GARBAGE\r\n\r\n');
  assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(head, /\r\ncontent-type: application\/problem\+json/);
  assert.equal(JSON.parse(body).code, 'invalid_request');
  assert.match(head, new RegExp(`\r\nx-request-id: ${JSON.parse(body).instance}\r\n`));
});

test('a huge body is not read if the route is unknown or the token is missing', async () => {
  const port = await listen();
  for (const [path, status] of [
    ['/v2/nothing', 404],
    [settings, 405],
    [tokens, 401],
  ] as const) {
    const lines = [`POST ${path} HTTP/1.1`, 'host: x', 'content-type: application/json', 'content-length: 9999999999'];
    const { head } = await sendBytes(port, `${lines.join('\r\n')}\r\n\r\n{`);
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), path);
  }
});

let listening: Promise<number> | undefined;

function listen(): Promise<number> {
  listening ??= aisle.aisle.http
    .listen({ host: '127.0.0.1', port: 0 })
    .then((address) => Number(new URL(address).port));
  return listening;
}

/** Sends the bytes unchanged and reads one response. */
function sendBytes(port: number, bytes: string): Promise<{ head: string; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(10_000, () => socket.destroy(new Error('no response within 10 s')));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (Buffer.byteLength(body) < length || !text.includes('\r\n\r\n')) return;
      socket.destroy();
      resolve({ head, body });
    });
    socket.on('error', reject);
  });
}

function pageOf({ body }: Response) {
  const { page_number, page_size, total_pages, total_items } = body;
  return { page_number, page_size, total_pages, total_items };
}
