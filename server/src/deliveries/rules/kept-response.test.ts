import assert from 'node:assert/strict';
import test from 'node:test';
import { keepResponse, secretsIn } from './kept-response.ts';

const received = (text: string, headers: Record<string, string | string[]> = {}) => ({
  headers,
  beginning: Buffer.from(text),
  isCut: false,
});
const failure = { isSuccess: false, secrets: [] };

test('the authorization, its credentials and the query string are removed from a response that repeats them', () => {
  const secrets = secretsIn('https://example.com/hook?key=s3cret-key&x=1', 'Bearer abcdef');
  const text = 'Cannot POST /hook?key=s3cret-key&x=1 with Bearer abcdef (abcdef, s3cret-key)';
  const { headers, body } = keepResponse(received(text, { 'x-echo': 'Bearer abcdef' }), { isSuccess: false, secrets });
  assert.equal(String(body), 'Cannot POST /hook?[hidden] with [hidden] ([hidden], [hidden])');
  assert.deepEqual(headers, { 'x-echo': '[hidden]' });
});

test('cookies are hidden, and headers with several values are joined', () => {
  const headers = { 'set-cookie': ['session=1', 'b=2'], vary: ['origin', 'accept'] };
  assert.deepEqual(keepResponse(received('', headers), failure).headers, {
    'set-cookie': '[hidden]',
    vary: 'origin, accept',
  });
});

test('the first 4 KB of a failure are kept, and less of a success', () => {
  const long = received('x'.repeat(5000), { a: 'y'.repeat(400), b: 'z'.repeat(400) });
  const failed = keepResponse(long, failure);
  assert.deepEqual([failed.body.length, failed.isCut, Object.keys(failed.headers)], [4096, true, ['a', 'b']]);
  const succeeded = keepResponse(long, { isSuccess: true, secrets: [] });
  assert.deepEqual([succeeded.body.length, succeeded.isCut, Object.keys(succeeded.headers)], [512, true, ['a']]);
  assert.equal(keepResponse(received('short'), failure).isCut, false);
});

test('bytes that are not valid text are kept unchanged', () => {
  const bytes = Buffer.from([0xff, 0x00, 0x80]);
  assert.deepEqual(keepResponse({ headers: {}, beginning: bytes, isCut: false }, failure).body, bytes);
});
