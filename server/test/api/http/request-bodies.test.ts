import assert from 'node:assert/strict';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Response, type CallOptions, makeChain, useOwnAisle } from '../../support/aisle.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useOwnAisle({ AISLE_MAX_API_TOKENS: '1000' });
const chain = await makeChain(aisle, { vendors: 3 });
const [vendor] = chain.vendors;
const settings = `${chain.base}/settings`;
const tokens = `${chain.base}/tokens`;
const exportPath = `${chain.base}/vendors/${vendor}/catalog/export`;

const oneMebibyte = 1024 * 1024;
const settingsBytes = 128 * 1024;

function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  return aisle.call(method, path, { token: chain.token, ...options });
}

test('malformed JSON and broken UTF-8 return 400', async () => {
  for (const raw of ['{', '{"name": }', "{'name': 'x'}", '{"name": "x"} tail', 'NaN', '']) {
    assertInvalid(await call('PATCH', settings, { raw }), '');
  }
  const broken = Buffer.from([...Buffer.from('{"name": "'), 0xc3, 0x28, ...Buffer.from('"}')]);
  assertInvalid(await call('PATCH', settings, { raw: broken }), '');
  const overlong = Buffer.from([...Buffer.from('{"name": "'), 0xc0, 0x80, ...Buffer.from('"}')]);
  assertInvalid(await call('PATCH', settings, { raw: overlong }), '');
});

test('deeply nested JSON returns 400, also in a field that is ignored', async () => {
  const nested = (depth: number) => `{"status": "OPEN", "ignored": ${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const put = (raw: string) => call('PUT', `${chain.base}/vendors/${vendor}/status`, { raw });
  assert.equal((await put(nested(49))).status, 200);
  for (const raw of [nested(50), nested(60_000), '['.repeat(120_000)]) {
    const response = await put(raw);
    assertInvalid(response, '');
    assert.equal(response.body.errors[0].code, 'too_deep');
  }
});

test('a body with many thousands of values or field names is rejected before it is parsed', async () => {
  const order = `${chain.base}/orders/${crypto.randomUUID()}`;
  const names = (count: number) => Array.from({ length: count }, (_, index) => `"k${index.toString(36)}":1`).join(',');
  const rejections: [string, string, RegExp][] = [
    [order, `{${names(100_000)}}`, /more than 1000 different field names/],
    [order, `{"items":[${'{"a":1},'.repeat(120_000)}{}]}`, /more than 32768 (values|arrays and objects)/],
    [settings, `{${names(5000)}}`, /more than 4096 values|more than 1000 different field names/],
  ];
  for (const [path, raw, detail] of rejections) {
    const response = await call(path === settings ? 'PATCH' : 'PUT', path, { raw });
    assert.equal(response.status, 400, response.text.slice(0, 200));
    assert.match(response.body.detail, detail);
  }
  const anonymous = await aisle.call('POST', '/v2/portal/session', {
    raw: gzipSync(`{"email":[${'{"a":1},'.repeat(120_000)}{}]}`),
    headers: { 'content-encoding': 'gzip', origin: 'http://aisle.test' },
  });
  assert.deepEqual([anonymous.status, anonymous.body.limit_bytes], [413, 8192]);
});

test('with many unknown fields, some of them are reported', async () => {
  const names = Array.from({ length: 900 }, (_, index) => [`k${index}`, 1]);
  const { status, body } = await call('PATCH', settings, { body: Object.fromEntries(names) });
  assert.deepEqual([status, body.errors.length, body.errors[0].code], [400, 20, 'unknown_field']);
});

const otherTypes = ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'json', 'application/', ';'];
for (const type of [...otherTypes, 'application/json; charset=utf-16']) {
  test(`a body with the content type "${type}" returns 415`, async () => {
    const headers = { 'content-type': type };
    assertProblem(await call('PATCH', settings, { raw: '{"name": "x"}', headers }), 'unsupported_media_type');
  });
}

test('a body without a content type returns 415', async () => {
  const response = await aisle.aisle.http.inject({
    method: 'PATCH',
    url: settings,
    headers: { authorization: `Bearer ${chain.token}`, 'content-length': '13' },
    payload: Buffer.from('{"name": "x"}'),
  });
  assert.equal(response.statusCode, 415);
  assert.equal(response.json().code, 'unsupported_media_type');
});

test('the JSON content type is accepted with a charset and regardless of case', async () => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8']) {
    const { status } = await call('PATCH', settings, { raw: '{"name": "x"}', headers: { 'content-type': type } });
    assert.equal(status, 200, type);
  }
});

test('a gzip body is decompressed', async () => {
  const raw = gzipSync('{"name": "Compressed"}');
  for (const encoding of ['gzip', 'GZIP', 'x-gzip']) {
    const { status, body } = await call('PATCH', settings, { raw, headers: { 'content-encoding': encoding } });
    assert.equal(status, 200);
    assert.equal(body.name, 'Compressed');
  }
  assert.equal((await call('PATCH', settings, { raw: '{}', headers: { 'content-encoding': 'identity' } })).status, 200);
});

test('a corrupt or truncated gzip body returns 400', async () => {
  const valid = gzipSync('{"name": "Compressed and then broken"}');
  const flipped = Buffer.from(valid);
  flipped.writeUInt8(flipped.readUInt8(20) ^ 0xff, 20);
  for (const raw of [valid.subarray(0, valid.length - 6), flipped, Buffer.from('{"name": "plain"}')]) {
    const response = await call('PATCH', settings, { raw, headers: { 'content-encoding': 'gzip' } });
    assertProblem(response, 'invalid_request');
  }
});

test('an unknown content encoding returns 415', async () => {
  for (const encoding of ['br', 'deflate', 'gzip, gzip']) {
    const response = await call('PATCH', settings, { raw: '{}', headers: { 'content-encoding': encoding } });
    assertProblem(response, 'unsupported_media_type');
  }
});

test('a body of exactly the maximum size is accepted, and one byte more returns a 413 that states the limit', async () => {
  const padded = (bytes: number) => '{"name": "x"}'.padEnd(bytes, ' ');
  assert.equal((await call('PATCH', settings, { raw: padded(settingsBytes) })).status, 200);
  const rejected = await call('PATCH', settings, { raw: padded(settingsBytes + 1) });
  assertProblem(rejected, 'payload_too_large');
  assert.equal(rejected.body.limit_bytes, settingsBytes);
});

test('the limit applies to the decompressed size, so a gzip bomb returns 413', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * oneMebibyte, ' '));
  assert.ok(bomb.length < oneMebibyte / 10);
  const rejected = await call('PATCH', settings, { raw: bomb, headers: { 'content-encoding': 'gzip' } });
  assertProblem(rejected, 'payload_too_large');
  assert.equal(rejected.body.limit_bytes, settingsBytes);
});

test('the limit for large bodies comes from the configuration', async (t) => {
  const small = await aisle.another({ AISLE_MAX_CATALOG_BYTES: '2048' });
  t.after(small.stop);
  const path = `${chain.base}/vendors/${vendor}/catalog`;
  const rejected = await small.call('PUT', path, { token: chain.token, raw: ' '.repeat(2049) });
  assertProblem(rejected, 'payload_too_large');
  assert.equal(rejected.body.limit_bytes, 2048);
});

test('a form with 183,000 fields is rejected before it is parsed', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const form = (fields: number) => Array.from({ length: fields }, (_, index) => index.toString(36)).join('&');
  const large = await aisle.call('POST', '/v2/oauth/token', {
    raw: gzipSync(form(183_000)),
    headers: { ...headers, 'content-encoding': 'gzip' },
  });
  assert.deepEqual([large.status, large.body.code, large.body.limit_bytes], [413, 'payload_too_large', 8192]);
  const many = await aisle.call('POST', '/v2/oauth/token', { raw: form(51), headers });
  assert.deepEqual([many.status, many.body.detail], [400, 'The form must not have more than 50 fields.']);
  const few = await aisle.call('POST', '/v2/oauth/token', { raw: form(50), headers });
  assertInvalid(few, '/grant_type');
});

test("if a route's body is optional, an empty body with a content type is accepted", async () => {
  const headers = { 'content-type': 'application/json' };
  assert.equal((await call('POST', exportPath, { raw: '', headers })).status, 202);
  const { body } = await call('POST', tokens, { body: { name: 'to go' } });
  assert.equal((await call('DELETE', `${tokens}/${body.token_id}`, { raw: '', headers })).status, 200);
});

test('a route that takes no body ignores any body', async () => {
  const bodies: CallOptions[] = [
    { raw: 'no json' },
    { raw: Buffer.from([0xff, 0xfe]), headers: { 'content-type': 'text/plain' } },
    { raw: 'x', headers: { 'content-type': 'nonsense' } },
    { raw: 'not compressed', headers: { 'content-encoding': 'gzip' } },
    { raw: 'x', headers: { 'content-encoding': 'br' } },
    { raw: ' '.repeat(oneMebibyte + 1) },
  ];
  for (const options of bodies) assert.equal((await call('POST', exportPath, options)).status, 202);
});
