import assert from 'node:assert/strict';
import test from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, catalogPath, plainProducts, runUpdate } from '../../support/catalog.ts';

const aisle = await useOwnAisle({ AISLE_MAX_API_TOKENS: '1000' });
const chain = await makeChain(aisle);
await addProducts(aisle, chain, plainProducts(600));

type Sent = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  encoding?: string;
  headers?: Record<string, string>;
  body?: unknown;
};

function send(url: string, { method = 'GET', encoding, headers, body }: Sent = {}) {
  return aisle.aisle.http.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${chain.token}`,
      ...(encoding !== undefined && { 'accept-encoding': encoding }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
}

const decompress = {
  gzip: (bytes: Buffer) => gunzipSync(bytes),
  br: (bytes: Buffer) => brotliDecompressSync(bytes),
  zstd: (bytes: Buffer) => zstdDecompressSync(bytes),
};
const encodings = Object.keys(decompress) as (keyof typeof decompress)[];

const sizes = { 'small enough for one slice': 5, 'larger than one step': 60, 'sent in slices': 500 };
for (const [what, size] of Object.entries(sizes)) {
  for (const encoding of encodings) {
    test(`a list ${what} is compressed with ${encoding} and decompresses to the same text`, async () => {
      const url = `${catalogPath(chain)}?page_size=${size}`;
      const plain = await send(url);
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.equal(plain.headers['vary'], 'accept-encoding');
      const { statusCode, headers, rawPayload } = await send(url, { encoding });
      assert.deepEqual([statusCode, headers['content-encoding']], [200, encoding]);
      assert.equal(headers['vary'], 'accept-encoding');
      assert.equal(headers['content-type'], plain.headers['content-type']);
      assert.equal(headers['etag'], plain.headers['etag']);
      assert.ok(rawPayload.length < plain.rawPayload.length / 2, `${rawPayload.length} of ${plain.rawPayload.length}`);
      assert.equal(decompress[encoding](rawPayload).toString(), plain.payload);
    });
  }
}

test('the encoding with the highest weight is used, and zstd is preferred if weights are equal', async () => {
  const cases = {
    'gzip, deflate, br, zstd': 'zstd',
    'gzip, deflate, br': 'br',
    'br;q=0.5, gzip;q=0.8': 'gzip',
    'gzip;q=0, identity': undefined,
    deflate: undefined,
    '': undefined,
  };
  for (const [encoding, expected] of Object.entries(cases)) {
    const { headers } = await send(`${catalogPath(chain)}?page_size=5`, { encoding });
    assert.equal(headers['content-encoding'], expected, encoding);
  }
});

test('a response of up to 1 KiB is not compressed', async () => {
  const { headers, payload } = await send(`${chain.base}/settings`, { encoding: 'gzip' });
  assert.ok(payload.length <= 1024);
  assert.deepEqual([headers['content-encoding'], headers['vary']], [undefined, 'accept-encoding']);
});

test('a long error response is compressed and keeps its request id and content type', async () => {
  const items = Array.from({ length: 40 }, () => ({ _id: 'x', status: 'LOST' }));
  const url = `${chain.base}/orders/0191f3a4-6c1e-7b7e-9a3d-77aa0a4e8b10`;
  const rejected = await send(url, { method: 'PUT', encoding: 'br', body: { status: 'READY_FOR_PICKUP', items } });
  assert.deepEqual([rejected.statusCode, rejected.headers['content-encoding']], [400, 'br']);
  assert.equal(rejected.headers['content-type'], 'application/problem+json; charset=utf-8');
  const problem = JSON.parse(brotliDecompressSync(rejected.rawPayload).toString());
  assert.equal(problem.instance, rejected.headers['x-request-id']);
});

test('a file is sent in a form that was compressed before, not compressed for each request', async () => {
  const url = '/openapi/partner.json';
  const plain = await send(url);
  for (const [encoding, expected] of Object.entries({ 'gzip, br': 'gzip', br: undefined, zstd: undefined })) {
    const { headers, rawPayload } = await send(url, { encoding });
    assert.equal(headers['content-encoding'], expected, encoding);
    const text = expected === undefined ? rawPayload : gunzipSync(rawPayload);
    assert.ok(text.equals(plain.rawPayload), encoding);
  }
});

test('a response that may contain a secret is not compressed', async () => {
  const vendor_ids = chain.vendors;
  const created = await send(`${chain.base}/tokens`, {
    method: 'POST',
    encoding: 'gzip, br, zstd',
    body: { name: 'x'.repeat(100), vendor_ids },
  });
  assert.equal(created.statusCode, 201, created.payload);
  assert.deepEqual([created.headers['content-encoding'], created.headers['vary']], [undefined, undefined]);
  for (let index = 0; index < 5; index++) {
    await send(`${chain.base}/tokens`, { method: 'POST', body: { name: `token ${index}` } });
  }
  // The list contains no secrets.
  assert.equal((await send(`${chain.base}/tokens`, { encoding: 'gzip' })).headers['content-encoding'], 'gzip');
});

test('a replayed response is encoded for the repeated request, not for the first one', async () => {
  const url = catalogPath(chain);
  const products = [{ sku: 'LONG', price: 2 }];
  const description = Array.from({ length: 300 }, (_, index) => `word ${index}`).join(' ');
  await addProducts(aisle, chain, [{ sku: 'LONG', title: 'Long', price: 1, description }]);
  const put = (encoding: string) =>
    send(url, { method: 'PUT', encoding, body: { products }, headers: { 'idempotency-key': 'long' } });
  const first = await put('gzip');
  assert.deepEqual([first.statusCode, first.headers['content-encoding']], [200, 'gzip']);
  const text = gunzipSync(first.rawPayload).toString();
  assert.equal(JSON.parse(text).description, description);
  for (const encoding of ['', 'identity', ...encodings]) {
    const again = await put(encoding);
    const decoded = encoding in decompress ? decompress[encoding as 'gzip'](again.rawPayload) : again.rawPayload;
    assert.deepEqual([again.headers['idempotent-replayed'], decoded.toString()], ['true', text], encoding);
  }
});

test('a HEAD response has the headers of the compressed response and no body', async () => {
  const url = `${catalogPath(chain)}?page_size=5`;
  const got = await send(url, { encoding: 'gzip' });
  const head = await send(url, { method: 'HEAD', encoding: 'gzip' });
  assert.deepEqual([head.statusCode, head.payload], [200, '']);
  for (const name of ['content-encoding', 'content-length', 'vary', 'etag']) {
    assert.equal(head.headers[name], got.headers[name], name);
  }
});

test('the OpenAPI documents and the metrics are compressed too', async () => {
  for (const url of ['/openapi/partner.json', '/metrics']) {
    const { statusCode, headers, rawPayload } = await send(url, { encoding: 'gzip' });
    assert.deepEqual([statusCode, headers['content-encoding']], [200, 'gzip'], url);
    assert.ok(gunzipSync(rawPayload).length > rawPayload.length);
  }
});

test('a compressed download that fails before its first byte returns an uncompressed error', async () => {
  const { job_id } = await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 3 }]);
  await aisle.db.query(`update job_file_parts set bytes = 'not gzip' where job_id = $1`, [job_id]);
  const url = `${chain.base}/catalog/jobs/${job_id}/download`;
  const failed = await send(url, { encoding: 'br', headers: { accept: 'application/x-ndjson' } });
  assert.deepEqual([failed.statusCode, failed.headers['content-encoding']], [500, undefined]);
  assert.equal(failed.headers['content-disposition'], undefined);
  assert.equal(failed.json().code, 'internal_error');
});
