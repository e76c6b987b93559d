import assert from 'node:assert/strict';
import test from 'node:test';
import { endsInTime } from '../../../test/support/in-time.ts';
import { keepResponse } from './kept-response.ts';
import { secretsIn } from './remove-secrets.ts';

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

const secret = 'Bearer s3cr/et+"KEY"<9>==&zz';
const repeated: Record<string, string> = {
  'escaped as JSON by PHP': JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  'escaped as JSON twice': JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  'with Unicode escapes': secret.replaceAll(/[^a-z0-9 ]/gi, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
  'escaped as HTML': secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;'),
  'with numeric HTML escapes': secret.replaceAll('"', '&#34;').replaceAll('/', '&#x2F;'),
  'percent-encoded': encodeURIComponent(secret),
  'in lower case': secret.toLowerCase(),
  'in upper case, without the scheme': secret.slice(7).toUpperCase(),
};
for (const [how, text] of Object.entries(repeated)) {
  test(`a secret that the receiver repeats ${how} is removed`, () => {
    const secrets = secretsIn('https://example.com/hook', secret);
    const { headers, body } = keepResponse(received(`{"got":"${text}"} \\o/ 100%`, { 'x-echo': `é ${text}!` }), {
      isSuccess: false,
      secrets,
    });
    assert.deepEqual([String(body), headers['x-echo']], ['{"got":"[hidden]"} \\o/ 100%', 'é [hidden]!']);
  });
}

test('the user and password of Basic authentication and a value with other letters are removed', () => {
  const basic = `Basic ${Buffer.from('till-7:pa55word').toString('base64')}`;
  const secrets = secretsIn('https://example.com/hook?shop=gr%C3%B6%C3%9Fe', basic);
  const { body } = keepResponse(received('till-7:pa55word, pa55word, größe'), {
    isSuccess: false,
    secrets,
  });
  assert.equal(String(body), '[hidden], [hidden], [hidden]');
});

test('a secret of backslashes does not make the search slow, and other credentials in headers are hidden', () => {
  const secrets = secretsIn('https://example.com/hook', '\\'.repeat(500));
  const { body } = keepResponse(received('\\'.repeat(6000)), { isSuccess: false, secrets });
  assert.equal(String(body), '[hidden]');
  const headers = { 'proxy-authorization': 'a', 'x-api-key': 'b', 'set-cookie2': 'c', cookie: 'd', server: 'e' };
  assert.deepEqual(Object.values(keepResponse(received('', headers), failure).headers), [
    ...Array.from({ length: 4 }, () => '[hidden]'),
    'e',
  ]);
});

test('a URL with hundreds of parameters does not make the search slow, whatever the response contains', () => {
  const secrets = secretsIn(`https://example.com/hook?a=aaaa${'&=hidd'.repeat(300)}&b=xyz1`, undefined);
  // If each parameter were replaced in the result for the one before, the text would grow to hundreds of megabytes.
  const body = `${'a'.repeat(400_000)}-hidd-XYZ1`;
  const kept = endsInTime(() => keepResponse(received(body), { isSuccess: false, secrets }));
  assert.equal(String(kept.body), '[hidden]-[hidden]-[hidden]');
});

test('an escaped letter whose lower case has two characters does not move what is hidden', () => {
  const secrets = secretsIn('https://example.com/hook', 'abcdef');
  const { body } = keepResponse(received('&#304;&#304;&#304; ABC&#68;EF!'), { isSuccess: false, secrets });
  assert.equal(String(body), '&#304;&#304;&#304; [hidden]!');
});
