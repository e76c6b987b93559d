import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Response, makeChain, makeToken, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { catalogPath, addProducts, putProducts, readOffers, readProduct, waitForJob } from '../../support/catalog.ts';

let aisle: TestAisle;
let chain: TestChain;
let store: string;
let otherStore: string;

before(async () => {
  aisle = await useAisle();
  chain = await makeChain(aisle);
  [store, otherStore] = chain.vendors as [string, string];
  const milk = { sku: 'MILK', title: 'Milk', price: 6.25, quantity: 40, maximum_sales_quantity: 6, barcode: '111' };
  await addProducts(aisle, chain, [milk, { ...milk, sku: 'BREAD' }]);
  await addProducts(aisle, chain, [{ ...milk, sku: 'ELSEWHERE', barcode: '222' }], [otherStore]);
});

const milk = () => readProduct(aisle, chain, 'MILK');
const put = (item: unknown): Promise<Response> => putProducts(aisle, chain, [item]);

async function update(item: Record<string, unknown>): Promise<Response['body']> {
  const { status, text, body } = await put(item);
  assert.equal(status, 200, text);
  return body;
}

/** Sends an item that must be rejected, and checks that no row was written. */
async function assertRejected(item: unknown, status: number): Promise<Response['body']> {
  const stored = await readOffers(aisle, chain);
  const response = await put(item);
  assert.equal(response.status, status, response.text);
  assert.deepEqual(await readOffers(aisle, chain), stored);
  return response.body;
}

test('a single item is applied immediately, and the response is the updated product', async () => {
  const product = await update({ sku: 'MILK', price: 7.5, quantity: 12, active: false, maximum_sales_quantity: 3 });
  const { sku, price, quantity, active, maximum_sales_quantity, status, available, title, currency } = product;
  assert.deepEqual(
    { sku, price, quantity, active, maximum_sales_quantity, status, available, title, currency },
    {
      sku: 'MILK',
      price: 7.5,
      quantity: 12,
      active: false,
      maximum_sales_quantity: 3,
      status: 'INACTIVE',
      available: false,
      title: 'Milk',
      currency: 'AED',
    },
  );
  assert.deepEqual(await milk(), product);
  assert.deepEqual(await aisle.db.query('select 1 from jobs where chain_id = $1', [chain.chainId]), []);
});

test('each field can be sent alone and leaves the others unchanged', async () => {
  const fields = [{ price: 1.5 }, { quantity: 3 }, { active: true }, { maximum_sales_quantity: 9 }];
  for (const field of fields) {
    const { updated_at: _, status: _status, available: _available, ...before } = await milk();
    const {
      updated_at: _after,
      status: _statusAfter,
      available: _availableAfter,
      ...now
    } = await update({
      sku: 'MILK',
      ...field,
    });
    assert.deepEqual(now, { ...before, ...field });
    assert.notDeepEqual(now, before);
  }
});

test('an update changes the product’s updated_at', async () => {
  const before = await milk();
  const now = await update({ sku: 'MILK', price: 3.1 });
  assert.ok(now.updated_at > before.updated_at);
});

test('max_sales_quantity is an alias for maximum_sales_quantity', async () => {
  assert.equal((await update({ sku: 'MILK', max_sales_quantity: 4 })).maximum_sales_quantity, 4);
  const both = { sku: 'MILK', maximum_sales_quantity: 5, max_sales_quantity: 8 };
  assert.equal((await update(both)).maximum_sales_quantity, 5);
  assert.equal((await update({ sku: 'MILK', max_sales_quantity: null })).maximum_sales_quantity, null);
});

test('null sets quantity to unknown and removes maximum_sales_quantity', async () => {
  await update({ sku: 'MILK', quantity: 3, maximum_sales_quantity: 2 });
  assert.equal((await update({ sku: 'MILK', quantity: null })).quantity, null);
  assert.equal((await update({ sku: 'MILK', maximum_sales_quantity: null })).maximum_sales_quantity, null);
});

test('null means absent in the other fields', async () => {
  const before = await update({ sku: 'MILK', price: 5.5, active: true, barcode: '333' });
  const now = await update({ sku: 'MILK', price: null, active: null, barcode: null, quantity: 1 });
  assert.deepEqual([now.price, now.active, now.barcodes], [before.price, before.active, before.barcodes]);
  const { errors } = await assertRejected({ sku: 'MILK', price: null, active: null, barcode: null }, 400);
  assert.deepEqual(
    errors.map((error: Response['body']) => [error.pointer, error.code]),
    [['/products/0', 'nothing_to_update']],
  );
});

test('a price is truncated to three decimal places', async () => {
  const cases: [number, number][] = [
    [4.5559, 4.555],
    [4.5551, 4.555],
    [0.0019, 0.001],
    [0, 0],
    [1.1, 1.1],
    [8.2, 8.2],
    [9_999_999.999, 9_999_999.999],
    [9_999_999.9999, 9_999_999.999],
  ];
  for (const [sent, kept] of cases) {
    assert.equal((await update({ sku: 'MILK', price: sent })).price, kept);
    assert.equal((await milk()).price, kept);
  }
});

test('a price that would be truncated to 0 is rejected, but 0 itself is accepted', async () => {
  for (const price of [0.0004, 0.0009, 1e-7]) {
    const { errors } = await assertRejected({ sku: 'MILK', price }, 400);
    assert.equal(`${errors[0].pointer} ${errors[0].code}`, '/products/0/price out_of_range');
  }
  assert.equal((await update({ sku: 'MILK', price: 0 })).price, 0);
});

test('a SKU with spaces around it is rejected, and not treated as an unknown product', async () => {
  for (const sku of [' MILK', 'MILK ', 'MILK\t']) {
    const { errors } = await assertRejected({ sku, price: 1 }, 400);
    assert.equal(`${errors[0].pointer} ${errors[0].code}`, '/products/0/sku bad_format');
  }
});

test('a barcode replaces all of the product’s barcodes in the whole chain', async () => {
  await aisle.db.query(`update products set barcodes = '{1,2,3}' where chain_id = $1 and sku = 'MILK'`, [
    chain.chainId,
  ]);
  assert.deepEqual((await update({ sku: 'MILK', barcode: '04001234567890' })).barcodes, ['04001234567890']);
  assert.deepEqual((await readProduct(aisle, chain, 'MILK', otherStore)).barcodes, ['04001234567890']);
});

test('updating a product that the vendor does not have returns 404 and changes nothing', async () => {
  for (const sku of ['NOWHERE', 'ELSEWHERE', 'milk', 'MI LK']) {
    const { code } = await assertRejected({ sku, price: 1, barcode: '999' }, 404);
    assert.equal(code, 'product_not_found');
  }
});

test('an invalid item is rejected with a pointer to the field, and nothing is changed', async () => {
  const price = 'price';
  const quantity = 'quantity';
  const maximum = 'maximum_sales_quantity';
  const bad: [Record<string, unknown>, string, string][] = [
    [{ price: 1 }, 'sku', 'missing'],
    [{ sku: null, price: 1 }, 'sku', 'missing'],
    [{ sku: 5, price: 1 }, 'sku', 'wrong_type'],
    [{ sku: '', price: 1 }, 'sku', 'bad_length'],
    [{ sku: 'x'.repeat(65), price: 1 }, 'sku', 'bad_length'],
    [{ sku: 'a\0b', price: 1 }, 'sku', 'bad_character'],
    [{ sku: 'a\ud800', price: 1 }, 'sku', 'bad_character'],
    [{ sku: 'MILK', price: -0.001 }, price, 'out_of_range'],
    [{ sku: 'MILK', price: 10_000_000 }, price, 'out_of_range'],
    [{ sku: 'MILK', price: '5' }, price, 'wrong_type'],
    [{ sku: 'MILK', price: true }, price, 'wrong_type'],
    [{ sku: 'MILK', quantity: -1 }, quantity, 'out_of_range'],
    [{ sku: 'MILK', quantity: 1.5 }, quantity, 'not_whole'],
    [{ sku: 'MILK', quantity: 2 ** 31 }, quantity, 'out_of_range'],
    [{ sku: 'MILK', quantity: '7' }, quantity, 'wrong_type'],
    [{ sku: 'MILK', maximum_sales_quantity: -1 }, maximum, 'out_of_range'],
    [{ sku: 'MILK', maximum_sales_quantity: 'many' }, maximum, 'wrong_type'],
    [{ sku: 'MILK', max_sales_quantity: 0.5 }, maximum, 'not_whole'],
    [{ sku: 'MILK', active: 'true' }, 'active', 'wrong_type'],
    [{ sku: 'MILK', active: 1 }, 'active', 'wrong_type'],
    [{ sku: 'MILK', barcode: '12a' }, 'barcode', 'bad_format'],
    [{ sku: 'MILK', barcode: '' }, 'barcode', 'bad_format'],
    [{ sku: 'MILK', barcode: '1'.repeat(15) }, 'barcode', 'bad_format'],
    [{ sku: 'MILK', barcode: 4001234567890 }, 'barcode', 'bad_format'],
  ];
  for (const [item, field, code] of bad) {
    const problem = await assertRejected(item, 400);
    assert.equal(problem.code, 'invalid_request');
    const [error, ...more] = problem.errors;
    assert.deepEqual([error.pointer, error.code], [`/products/0/${field}`, code], JSON.stringify(item));
    assert.ok(error.message.length > 10);
    assert.deepEqual(more, []);
  }
  const problem = await assertRejected({ sku: 'MILK', price: 'x', quantity: -1, active: 0 }, 400);
  const pointers = problem.errors.map((error: Response['body']) => error.pointer);
  assert.deepEqual(pointers, ['/products/0/price', '/products/0/quantity', '/products/0/active']);
});

test('an item without any field to update is rejected', async () => {
  for (const item of [{ sku: 'MILK' }, { sku: 'MILK', title: 'unknown here' }]) {
    const { errors } = await assertRejected(item, 400);
    assert.deepEqual([errors[0].pointer, errors[0].code], ['/products/0', 'nothing_to_update']);
  }
});

test('unknown fields are ignored', async () => {
  const item = {
    sku: 'MILK',
    price: 2,
    color: 'white',
    title: { en_AE: 'Other' },
    updated_at: 'never',
    nested: [[{}]],
  };
  const product = await update(item);
  assert.deepEqual([product.price, product.title], [2, 'Milk']);
});

test('a SKU can have up to 64 characters, counted in code points rather than bytes', async () => {
  const sku = '🥛'.repeat(64);
  await addProducts(aisle, chain, [{ sku, title: 'Milk of many bytes', price: 1 }]);
  assert.equal((await update({ sku, price: 2 })).price, 2);
  assert.equal((await assertRejected({ sku: '🥛'.repeat(65), price: 2 }, 400)).errors[0].code, 'bad_length');
});

test('a malformed document is rejected', async () => {
  const documents: [string | Buffer, string, string][] = [
    ['', '', 'malformed_json'],
    ['{"products":[{"sku":"MILK","price":1}]', '', 'malformed_json'],
    ['{"products":[{"sku":"MILK","price":1,}]}', '', 'malformed_json'],
    ['{"products":[{"sku":"MILK","price":NaN}]}', '', 'malformed_json'],
    [Buffer.from('{"products":[{"sku":"\xe9","price":1}]}', 'latin1'), '', 'malformed_utf8'],
    ['[{"sku":"MILK","price":1}]', '', 'wrong_type'],
    ['"products"', '', 'wrong_type'],
    ['null', '', 'wrong_type'],
    ['{}', '/products', 'missing'],
    ['{"products":null}', '/products', 'missing'],
    ['{"products":{"sku":"MILK","price":1}}', '/products', 'wrong_type'],
    ['{"products":"MILK"}', '/products', 'wrong_type'],
    ['{"products":[]}', '/products', 'too_short'],
    ['{"products":[[]]}', '/products/0', 'wrong_type'],
    ['{"products":["MILK"]}', '/products/0', 'wrong_type'],
    ['{"products":[null]}', '/products/0', 'wrong_type'],
    ['{"products":[{"sku":"MILK","price":1},7]}', '/products/1', 'wrong_type'],
  ];
  const stored = await readOffers(aisle, chain);
  for (const [raw, pointer, code] of documents) {
    const { status, body } = await aisle.call('PUT', catalogPath(chain), { token: chain.token, raw });
    assert.equal(status, 400, String(raw));
    assert.equal(body.code, 'invalid_request');
    assert.deepEqual([body.errors[0].pointer, body.errors[0].code], [pointer, code], String(raw));
  }
  assert.deepEqual(await readOffers(aisle, chain), stored);
  assert.deepEqual(await aisle.db.query('select 1 from jobs where chain_id = $1', [chain.chainId]), []);
});

test('only JSON is accepted', async () => {
  const raw = JSON.stringify({ products: [{ sku: 'MILK', price: 1 }] });
  const headers = { 'content-type': 'text/plain' };
  const response = await aisle.call('PUT', catalogPath(chain), { token: chain.token, raw, headers });
  assert.deepEqual([response.status, response.body.code], [415, 'unsupported_media_type']);
});

test('a body can be compressed with gzip and can start with a byte order mark', async () => {
  const text = JSON.stringify({ products: [{ sku: 'MILK', price: 11 }] });
  const compressed = { raw: gzipSync(text), headers: { 'content-encoding': 'gzip' } };
  const response = await aisle.call('PUT', catalogPath(chain), { token: chain.token, ...compressed });
  assert.deepEqual([response.status, response.body.price], [200, 11]);
  const marked = await aisle.call('PUT', catalogPath(chain), { token: chain.token, raw: `\ufeff${text}` });
  assert.deepEqual([marked.status, marked.body.price], [200, 11]);
});

test('an update can be sent with the vendor’s external id', async () => {
  const { status, body } = await putProducts(aisle, chain, [{ sku: 'MILK', price: 12 }], { vendor: 'ext-1' });
  assert.deepEqual([status, body.price], [200, 12]);
  assert.equal((await readProduct(aisle, chain, 'MILK', store)).price, 12);
  assert.equal((await readProduct(aisle, chain, 'MILK', otherStore)).price, 6.25);
});

test('unknown vendors and other chains return 404, and vendors that the token cannot access return 403', async () => {
  const stranger = await makeChain(aisle);
  const limited = await makeToken(aisle, chain.chainId, { vendor_ids: [otherStore] });
  const reader = await makeToken(aisle, chain.chainId, { scopes: ['catalog:read'] });
  const body = { products: [{ sku: 'MILK', price: 99 }] };
  const cases: [string, string | undefined, number, string][] = [
    [catalogPath(chain, 'nope'), chain.token, 404, 'vendor_not_found'],
    [catalogPath(chain, stranger.vendors[0]), chain.token, 404, 'vendor_not_found'],
    [catalogPath(stranger), chain.token, 404, 'chain_not_found'],
    [catalogPath(chain), stranger.token, 404, 'chain_not_found'],
    [catalogPath(chain), limited, 403, 'forbidden'],
    [catalogPath(chain), reader, 403, 'forbidden'],
    [catalogPath(chain), undefined, 401, 'invalid_token'],
  ];
  for (const [path, token, status, code] of cases) {
    const response = await aisle.call('PUT', path, { token, body });
    assert.deepEqual([response.status, response.body.code], [status, code]);
  }
  assert.notEqual((await milk()).price, 99);
  assert.equal((await aisle.call('PUT', catalogPath(chain, otherStore), { token: limited, body })).status, 200);
});

test('a single-item update becomes a job if the request has Prefer: respond-async', async () => {
  for (const prefer of ['respond-async', 'Respond-Async', 'wait=5, respond-async', 'respond-async; wait=10']) {
    const { status, body } = await putProducts(aisle, chain, [{ sku: 'MILK', quantity: 77 }], { headers: { prefer } });
    assert.equal(status, 202, prefer);
    assert.deepEqual({ ...body, job_id: '' }, { job_id: '', job_status: 'QUEUED' });
    assert.equal((await waitForJob(aisle, chain, body.job_id)).job_status, 'COMPLETED');
  }
  assert.equal((await milk()).quantity, 77);
  for (const prefer of ['wait=5', 'respond-asynchronously', '']) {
    const { status } = await putProducts(aisle, chain, [{ sku: 'MILK', quantity: 7 }], { headers: { prefer } });
    assert.equal(status, 200, prefer);
  }
});

test('a single-item update becomes a job on a tolerant chain, even with an invalid item or unknown SKU', async () => {
  const tolerant = await makeChain(aisle, { profile: 'tolerant' });
  await addProducts(aisle, tolerant, [{ sku: 'MILK', title: 'Milk', price: 1 }]);
  const { status, body } = await putProducts(aisle, tolerant, [{ sku: 'MILK', price: 2 }]);
  assert.deepEqual([status, body.job_status], [202, 'QUEUED']);
  assert.equal((await waitForJob(aisle, tolerant, body.job_id)).progress.succeeded, 1);
  assert.equal((await readProduct(aisle, tolerant, 'MILK')).price, 2);
  for (const item of [{ sku: 'MILK', price: 'x' }, { sku: 'NOWHERE', price: 1 }, { sku: 'MILK' }]) {
    const response = await putProducts(aisle, tolerant, [item]);
    assert.equal(response.status, 202);
    assert.equal((await waitForJob(aisle, tolerant, response.body.job_id)).job_status, 'FAILED');
  }
  assert.equal((await putProducts(aisle, tolerant, [])).status, 400);
});

test('an update with two items becomes a job on a strict chain', async () => {
  const items = [
    { sku: 'MILK', price: 2 },
    { sku: 'BREAD', price: 3 },
  ];
  const { status, body } = await putProducts(aisle, chain, items);
  assert.deepEqual([status, body.job_status], [202, 'QUEUED']);
  assert.equal((await waitForJob(aisle, chain, body.job_id)).progress.succeeded, 2);
});

test('a product is available if it is active, its stock is above the sales buffer and its maximum is not 0', async () => {
  const setBuffer = async (sales_buffer: number) => {
    const path = `/platform/v1/chains/${chain.chainId}/vendors/${store}`;
    const response = await aisle.call('PATCH', path, {
      token: aisle.platformToken,
      body: { settings: { sales_buffer } },
    });
    assert.equal(response.status, 200, response.text);
  };
  const cases: [number, Record<string, unknown>, boolean][] = [
    [0, { active: true, quantity: null, maximum_sales_quantity: null }, true],
    [0, { active: false, quantity: null, maximum_sales_quantity: null }, false],
    [0, { active: true, quantity: 0 }, false],
    [0, { active: true, quantity: 1 }, true],
    [0, { active: true, quantity: 1, maximum_sales_quantity: 0 }, false],
    [0, { active: true, quantity: 1, maximum_sales_quantity: 1 }, true],
    [3, { active: true, quantity: 3 }, false],
    [3, { active: true, quantity: 4 }, true],
    [3, { active: false, quantity: 4 }, false],
    [3, { active: true, quantity: null }, true],
  ];
  for (const [buffer, item, available] of cases) {
    await setBuffer(buffer);
    assert.equal((await update({ sku: 'MILK', ...item })).available, available, JSON.stringify([buffer, item]));
    assert.equal((await milk()).available, available);
  }
  await setBuffer(0);
});

test('a single update repeated with the same idempotency key is applied once', async () => {
  const send = (price: number) =>
    putProducts(aisle, chain, [{ sku: 'BREAD', price, barcode: '777' }], { headers: { 'idempotency-key': 'once' } });
  const first = await send(21);
  assert.equal(first.status, 200);
  await update({ sku: 'BREAD', price: 22 });
  const again = await send(21);
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal((await readProduct(aisle, chain, 'BREAD')).price, 22);
  assert.equal((await send(23)).status, 422);
});
