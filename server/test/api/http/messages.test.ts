import assert from 'node:assert/strict';
import test from 'node:test';
import type { ErrorCode } from '@aisle/contract/errors';
import { type CallOptions, makeChain, makeToken, type Response, useAisle } from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';

/** Checks that an error's detail says what the client can do about the error. */
const aisle = await useAisle();
const chain = await makeChain(aisle);
const settings = `${chain.base}/settings`;

function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  return aisle.call(method, path, { token: chain.token, ...options });
}

function assertDetail(response: Response, code: ErrorCode, detail: RegExp): void {
  assertProblem(response, code);
  assert.match(response.body.detail, detail);
}

test('a 405 lists the methods that are allowed', async () => {
  const response = await call('DELETE', `${settings}?x=1`);
  assertDetail(
    response,
    'method_not_allowed',
    /^DELETE is not allowed on .*\/settings; allowed methods: .*GET.*HEAD\.$/,
  );
  for (const method of String(response.headers['allow']).split(', ')) assert.ok(response.body.detail.includes(method));
});

test('a 404 for an unknown route includes the method and path, but not the query', async () => {
  const response = await call('POST', '/v2/nothing/here?secret=1', { body: {} });
  assertDetail(response, 'route_not_found', /^There is no route POST \/v2\/nothing\/here\.$/);
  const long = await call('GET', `/v2/${'x'.repeat(2000)}`);
  assertProblem(long, 'route_not_found');
  assert.ok(long.body.detail.length < 300);
});

test('a 401 distinguishes missing, malformed, expired, and unknown or revoked tokens', async () => {
  const assertRejected = (authorization: string | undefined, detail: RegExp) =>
    aisle
      .call('GET', settings, { headers: authorization === undefined ? {} : { authorization } })
      .then((response) => assertDetail(response, 'invalid_token', detail));
  await assertRejected(undefined, /^No token was sent; send Authorization: Bearer <token>\.$/);
  await assertRejected('Basic YTpi', /does not contain a complete token/);
  await assertRejected(`Bearer ${chain.token.slice(0, -1)}`, /does not contain a complete token/);

  const created = await call('POST', `${chain.base}/tokens`, { body: { name: 'revoked' } });
  const revoked = await call('DELETE', `${chain.base}/tokens/${created.body.token_id}`);
  assert.ok(revoked.status < 300, revoked.text);
  await assertRejected(`Bearer ${created.body.token}`, /^The token is unknown or revoked\.$/);

  const soon = new Date(Date.now() + 60_000).toISOString();
  const expired = await makeToken(aisle, chain.chainId, { expires_at: soon });
  await aisle.db.query("update api_tokens set expires_at = '2026-01-02T03:04:05Z' where expires_at is not null");
  await assertRejected(`Bearer ${expired}`, /^The token expired at 2026-01-02T03:04:05\.000Z\.$/);
});

test('a 401 distinguishes an unknown session from a request with neither a cookie nor a token', async () => {
  const unknown = await aisle.call('GET', settings, { headers: { cookie: '__Host-aisle_session=x' } });
  assertDetail(unknown, 'invalid_token', /^The session is unknown or has ended; sign in again\.$/);
  const other = await aisle.call('GET', settings, { headers: { cookie: 'theme=dark' } });
  assertDetail(other, 'invalid_token', /^Neither a token nor a session cookie was sent/);
});

test('a 415 says which type and charset are accepted', async () => {
  for (const type of ['text/plain', 'application/json; charset=utf-16']) {
    const response = await call('PATCH', settings, { raw: '{"name": "x"}', headers: { 'content-type': type } });
    const accepted = `Content-Type must be application/json, with no charset or with charset=utf-8; it is ${type}.`;
    assertProblem(response, 'unsupported_media_type');
    assert.equal(response.body.detail, accepted);
  }
  const junk = await call('PATCH', settings, { raw: '{}', headers: { 'content-type': 'application/' } });
  assertDetail(junk, 'unsupported_media_type', /application\/json; charset=utf-8/);
});

test('the error message for an empty body says that the body is empty', async () => {
  for (const raw of ['', ' \n']) {
    const response = await call('PATCH', settings, { raw });
    assertDetail(response, 'invalid_request', /^The body is empty; send JSON/);
    assert.deepEqual(response.body.errors, [{ pointer: '', code: 'malformed_json', message: 'is empty' }]);
  }
  const bulk = await call('PUT', `${chain.base}/vendors/${chain.vendors[0]}/catalog`, { raw: '' });
  assertDetail(bulk, 'invalid_request', /^The body is empty/);
});

test('the error message for a value that does not match its pattern says what is allowed', async () => {
  const path = `/platform/v1/chains/${chain.chainId}/categories`;
  const put = (categories: unknown) => aisle.call('PUT', path, { token: aisle.platformToken, body: { categories } });
  const name = await put([{ details: { name: { english: 'Dairy' } } }]);
  assert.deepEqual(name.body.errors, [
    {
      pointer: '/categories/0/details/name/english',
      code: 'not_allowed',
      message: 'must be a locale such as `en_SG` or `ar_AE`',
    },
  ]);
  const id = await put([{ global_id: 'a b', details: { name: {} } }]);
  assert.deepEqual(id.body.errors, [
    { pointer: '/categories/0/global_id', code: 'bad_format', message: 'must not contain spaces or commas' },
  ]);
  const listed = await call('GET', `${chain.base}/vendors/${chain.vendors[0]}/catalog?locale=english`);
  assertDetail(listed, 'invalid_request', /^locale: must be a locale such as `en_SG` or `ar_AE`$/);
});
