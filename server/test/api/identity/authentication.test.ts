import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { newToken } from '../../../src/identity/index.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import {
  type Response,
  type CallOptions,
  makeChain,
  makeClient,
  requestAccessToken,
  makeToken,
  useAisle,
} from '../../support/aisle.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const other = await aisle.another();
const chain = await makeChain(aisle);
const path = `${chain.base}/vendors`;
after(async () => {
  await other.stop();
});

function withHeader(authorization: string): Promise<Response> {
  return aisle.call('GET', path, { headers: { authorization } });
}

for (const scheme of ['Bearer ', 'bearer ', 'BEARER   ', '', ' ']) {
  test(`the Authorization header "${scheme}<token>" is accepted`, async () => {
    assert.equal((await withHeader(`${scheme}${chain.token}`)).status, 200);
  });
}

const junk = {
  'an empty header': '',
  'the scheme without a token': 'Bearer',
  'another scheme': `Basic ${chain.token}`,
  'two tokens': `Bearer ${chain.token} ${chain.token}`,
  'a token with a missing character': `Bearer ${chain.token.slice(0, -1)}`,
  'a token with a wrong checksum': `Bearer ${chain.token.slice(0, -1)}${chain.token.endsWith('0') ? '1' : '0'}`,
  'a token in uppercase': `Bearer ${chain.token.toUpperCase()}`,
  'a well-formed but unknown token': `Bearer ${newToken('live')}`,
  'a well-formed but unknown platform token': `Bearer ${newToken('platform')}`,
  'a very long string': `Bearer ${'a'.repeat(8000)}`,
};
for (const [what, header] of Object.entries(junk)) {
  test(`${what} returns 401`, async () => {
    const response = await withHeader(header);
    assertProblem(response, 'invalid_token');
    assert.equal(response.headers['www-authenticate'], 'Bearer');
  });
}

test('a request without an Authorization header returns 401', async () => {
  const response = await aisle.call('GET', path);
  assertProblem(response, 'invalid_token');
  assert.equal(response.headers['www-authenticate'], 'Bearer');
});

test('a client secret is not accepted as a token', async () => {
  const { client_secret } = await makeClient(aisle, chain.chainId);
  assertProblem(await aisle.call('GET', path, { token: client_secret }), 'invalid_token');
});

test('a token gives access only to its own chain, and requests for other chains return 404', async () => {
  const stranger = await makeChain(aisle);
  assertProblem(await aisle.call('GET', path, { token: stranger.token }), 'chain_not_found');
  const nowhere = path.replace(chain.chainId, '00000000-0000-7000-8000-000000000000');
  assertProblem(await aisle.call('GET', nowhere, { token: chain.token }), 'chain_not_found');
});

test('a chain id in uppercase is accepted', async () => {
  const upperCase = path.replace(chain.chainId, chain.chainId.toUpperCase());
  assert.equal((await aisle.call('GET', upperCase, { token: chain.token })).status, 200);
});

test('an expired token returns 401', async () => {
  const token = await makeToken(aisle, chain.chainId, { expires_at: inMilliseconds(60_000) });
  await aisle.db.query("update api_tokens set expires_at = now() - interval '1 second' where expires_at is not null");
  assertProblem(await aisle.call('GET', path, { token }), 'invalid_token');
});

test('a token expires on time, even on servers that have it in their cache', async () => {
  const token = await makeToken(aisle, chain.chainId, { expires_at: inMilliseconds(1000) });
  assert.equal((await aisle.call('GET', path, { token })).status, 200);
  assert.equal((await other.call('GET', path, { token })).status, 200);
  await waitBriefly(async () => (await aisle.call('GET', path, { token })).status === 401);
  await waitBriefly(async () => (await other.call('GET', path, { token })).status === 401);
});

test('a revoked token is rejected immediately, even on servers that have it in their cache', async () => {
  const token = await makeToken(aisle, chain.chainId);
  const { body } = await aisle.call('GET', `${chain.base}/tokens`, { token: chain.token });
  for (let times = 0; times < 3; times++) {
    assert.equal((await aisle.call('GET', path, { token })).status, 200);
    assert.equal((await other.call('GET', path, { token })).status, 200);
  }
  const gone = await aisle.call('DELETE', `${chain.base}/tokens/${body.tokens[0].token_id}`, { token: chain.token });
  assert.equal(gone.status, 200);
  assertProblem(await aisle.call('GET', path, { token }), 'invalid_token');
  await waitBriefly(async () => (await other.call('GET', path, { token })).status === 401);
});

test('the list of tokens shows when each was last used', async () => {
  const before = Date.now();
  const token = await makeToken(aisle, chain.chainId);
  const newest = async () =>
    (await aisle.call('GET', `${chain.base}/tokens`, { token: chain.token })).body.tokens[0] as {
      last_used_at: string | null;
    };
  assert.equal((await newest()).last_used_at, null);
  await aisle.call('GET', path, { token });
  await waitBriefly(async () => (await newest()).last_used_at !== null);
  const at = Date.parse(String((await newest()).last_used_at));
  assert.ok(at >= before && at <= Date.now());
});

test('neither tokens nor secrets are stored in plain text', async () => {
  const token = await makeToken(aisle, chain.chainId);
  const { client_id, client_secret } = await makeClient(aisle, chain.chainId);
  const access = await grant({ client_id, client_secret });
  const tables = ['api_tokens', 'clients', 'access_tokens', 'platform_tokens'];
  const dumps = await Promise.all(tables.map((table) => aisle.db.query(`select t::text from ${table} t`)));
  const stored = JSON.stringify(dumps);
  assert.ok(stored.includes(client_id));
  for (const secret of [token, client_secret, access.body.access_token, aisle.platformToken]) {
    assert.equal(stored.includes(secret.slice(secret.lastIndexOf('_') + 5)), false);
  }
});

const client = await makeClient(aisle, chain.chainId, ['outlets:read']);
const { client_id, client_secret } = client;

const formType = { 'content-type': 'application/x-www-form-urlencoded' };

function grant(fields: Record<string, string>, options: CallOptions = {}): Promise<Response> {
  if (options.raw === undefined) return requestAccessToken(aisle, fields, options.headers);
  return aisle.call('POST', '/v2/oauth/token', { ...options, headers: { ...formType, ...options.headers } });
}

function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

function assertGranted(response: Response): void {
  assert.equal(response.status, 200, response.text);
  const { access_token, ...rest } = response.body;
  assert.match(access_token, /^aisle_access_[0-9A-Za-z]{38}$/);
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 7200, scope: 'outlets:read' });
  assert.equal(response.headers['cache-control'], 'no-store');
}

type OAuthCode = 'invalid_request' | 'invalid_client' | 'invalid_scope';

/** Checks that the response is an error as defined in RFC 6749, section 5.2. */
function assertOAuthError(response: Response, code: OAuthCode, error: string): void {
  assertProblem(response, code);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(response.body.error, error);
  assert.match(response.body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  assert.equal(response.headers['cache-control'], 'no-store');
}

test('client credentials sent in the form are exchanged for an access token', async () => {
  assertGranted(await grant({ client_id, client_secret }));
});

test('client credentials sent with HTTP Basic are exchanged for an access token, whatever the case of the scheme', async () => {
  assertGranted(await grant({}, { headers: basic(client_id, client_secret) }));
  const { authorization = '' } = basic(client_id, client_secret);
  assertGranted(await grant({}, { headers: { authorization: authorization.replace('Basic', 'bAsIc') } }));
});

test('a stale bearer token sent with the form is ignored', async () => {
  assertGranted(await grant({ client_id, client_secret }, { headers: { authorization: 'Bearer stale' } }));
});

test('a wrong secret or an unknown client returns 401 invalid_client', async () => {
  const strangers = [
    await grant({ client_id, client_secret: newToken('secret') }),
    await grant({ client_id: 'client_nobody', client_secret }),
    await grant({}, { headers: basic('nul\0', client_secret) }),
    await grant({}, { headers: basic(client_id, 'wrong') }),
    await grant({}, { headers: basic('', '') }),
    await grant({}, { headers: basic('%zz', '%') }),
    await grant({}, { headers: { authorization: 'Basic ###' } }),
    await grant({}, { headers: { authorization: 'Basic' } }),
  ];
  for (const response of strangers) {
    assertOAuthError(response, 'invalid_client', 'invalid_client');
    assert.equal(response.headers['www-authenticate'], 'Basic realm="aisle"');
  }
});

test('a JSON body sent to the token endpoint returns 400 invalid_request', async () => {
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  assertOAuthError(await aisle.call('POST', '/v2/oauth/token', { body }), 'invalid_request', 'invalid_request');
});

test('a missing, empty or repeated field returns 400 invalid_request with the name of the field', async () => {
  const cases: [Response, string][] = [
    [await grant({ client_id }), '/client_secret'],
    [await grant({ client_secret }), '/client_id'],
    [await grant({ client_id, client_secret: '' }), '/client_secret'],
    [await grant({}, { raw: `client_id=${client_id}&client_secret=${client_secret}` }), '/grant_type'],
    [await grant({}, { raw: `grant_type=client_credentials&client_id=a&client_id=b&client_secret=c` }), '/client_id'],
    [await grant({}, { raw: '' }), '/grant_type'],
  ];
  for (const [response, pointer] of cases) {
    assertOAuthError(response, 'invalid_request', 'invalid_request');
    assertInvalid(response, pointer);
  }
});

test('an unsupported grant type returns 400 unsupported_grant_type', async () => {
  const response = await grant({ grant_type: 'password', client_id, client_secret });
  assertOAuthError(response, 'invalid_request', 'unsupported_grant_type');
});

test('errors that occur before the form is read have the OAuth fields too', async () => {
  const raw = 'x'.repeat(1024 * 1024 + 1);
  for (const response of [
    await grant({}, { raw }),
    await grant({}, { raw: 'x', headers: { 'content-encoding': 'br' } }),
    await grant({}, { raw: Buffer.from([0xff]) }),
  ]) {
    assert.ok(response.status >= 400 && response.status < 500);
    assert.equal(response.body.error, 'invalid_request');
    assert.equal(response.body.error_description, response.body.message);
    assert.equal(response.headers['cache-control'], 'no-store');
  }
});

test("an access token has its client's scopes and no others", async () => {
  const token = (await grant({ client_id, client_secret })).body.access_token;
  assert.equal((await aisle.call('GET', path, { token })).status, 200);
  assertProblem(await aisle.call('GET', `${chain.base}/settings`, { token }), 'forbidden');
});

test('an access token can be requested with fewer scopes, which are included in the response', async () => {
  const wide = await makeClient(aisle, chain.chainId, ['orders:read', 'outlets:read', 'catalog:read']);
  const fields = { client_id: wide.client_id, client_secret: wide.client_secret };
  const narrow = await grant({ ...fields, scope: 'outlets:read  catalog:read outlets:read' });
  assert.equal(narrow.body.scope, 'catalog:read outlets:read');
  const call = (address: string, { body }: Response) =>
    aisle.call('GET', `${chain.base}${address}`, { token: body.access_token });
  assert.equal((await call('/vendors', narrow)).status, 200);
  assert.equal((await call('/catalog/jobs', narrow)).status, 200);
  assertProblem(await call(`/orders/${newId()}`, narrow), 'forbidden');
  const one = await grant({ ...fields, scope: 'orders:read' });
  assertProblem(await call(`/orders/${newId()}`, one), 'order_not_found');
  assertProblem(await call('/vendors', one), 'forbidden');
});

test("if no scope or an empty one is requested, the access token has all of its client's scopes", async () => {
  const wide = await makeClient(aisle, chain.chainId, ['outlets:read', 'orders:read']);
  const fields = { client_id: wide.client_id, client_secret: wide.client_secret };
  for (const more of [{}, { scope: '' }, { scope: ' ' }]) {
    const { body } = await grant({ ...fields, ...more });
    assert.equal(body.scope, 'orders:read outlets:read');
    assert.equal((await aisle.call('GET', path, { token: body.access_token })).status, 200);
  }
});

test('a scope that the client does not have, or that does not exist, returns 400 invalid_scope', async () => {
  const before = await aisle.db.query('select 1 from access_tokens');
  for (const scope of [
    'orders:read',
    'outlets:read manage',
    'everything',
    'outlets:read,orders:read',
    'Outlets:Read',
  ]) {
    const response = await grant({ client_id, client_secret, scope });
    assertOAuthError(response, 'invalid_scope', 'invalid_scope');
    assert.match(response.body.error_description, /It has: outlets:read\.$/);
  }
  assert.equal((await aisle.db.query('select 1 from access_tokens')).length, before.length);
  assertOAuthError(
    await grant({ client_id, client_secret: 'wrong', scope: 'everything' }),
    'invalid_client',
    'invalid_client',
  );
});

test('a client restricted to a vendor gets access tokens with the same restriction', async () => {
  const [mine, theirs] = chain.vendors as [string, string];
  const created = await aisle.call('POST', `${chain.base}/clients`, {
    token: chain.token,
    body: { name: 'one store', vendor_ids: ['ext-1'] },
  });
  assert.deepEqual([created.status, created.body.vendor_ids], [201, [mine]]);
  const { body } = await grant({ client_id: created.body.client_id, client_secret: created.body.client_secret });
  const call = (address: string) => aisle.call('GET', `${chain.base}${address}`, { token: body.access_token });
  assert.equal((await call(`/vendors/${mine}/catalog`)).status, 200);
  assertProblem(await call(`/vendors/${theirs}/catalog`), 'forbidden');
  assert.deepEqual(
    (await call('/vendors')).body.vendors.map((one: { vendor_id: string }) => one.vendor_id),
    [mine],
  );
});

test('repeating a request with the same idempotency key still returns a new access token', async () => {
  const headers = { 'idempotency-key': 'same' };
  const first = await grant({ client_id, client_secret }, { headers });
  const second = await grant({ client_id, client_secret }, { headers });
  assert.notEqual(first.body.access_token, second.body.access_token);
});

test('an expired access token returns 401, never 403', async () => {
  const token = (await grant({ client_id, client_secret })).body.access_token;
  await aisle.db.query("update access_tokens set expires_at = now() - interval '1 second'");
  for (const address of [path, `${chain.base}/settings`]) {
    assertProblem(await aisle.call('GET', address, { token }), 'invalid_token');
  }
});

test('the access token lifetime is configurable', async (t) => {
  const brief = await aisle.another({ AISLE_ACCESS_TOKEN_SECONDS: '60' });
  t.after(brief.stop);
  const response = await requestAccessToken(brief, { client_id, client_secret });
  assert.equal(response.body.expires_in, 60);
  const rows = await aisle.db.query<{ seconds: number }>(
    'select extract(epoch from max(expires_at) - now())::int as seconds from access_tokens',
  );
  assert.ok(Number(rows[0]?.seconds) > 50 && Number(rows[0]?.seconds) <= 60);
});

test('deleting a client revokes its access tokens on every server, and its secret can no longer be used to get new ones', async () => {
  const deleted = await makeClient(aisle, chain.chainId);
  const fields = { client_id: deleted.client_id, client_secret: deleted.client_secret };
  const token = (await grant(fields)).body.access_token;
  assert.equal((await aisle.call('GET', path, { token })).status, 200);
  assert.equal((await other.call('GET', path, { token })).status, 200);
  const gone = await aisle.call('DELETE', `${chain.base}/clients/${deleted.client_id}`, { token: chain.token });
  assert.equal(gone.status, 200);
  assertProblem(await aisle.call('GET', path, { token }), 'invalid_token');
  await waitBriefly(async () => (await other.call('GET', path, { token })).status === 401);
  assertOAuthError(await grant(fields), 'invalid_client', 'invalid_client');
});

test('the list of clients shows when each was last used', async () => {
  const fresh = await makeClient(aisle, chain.chainId);
  const shown = async () => {
    const { body } = await aisle.call('GET', `${chain.base}/clients`, { token: chain.token });
    return body.clients.find((one: { client_id: string }) => one.client_id === fresh.client_id).last_used_at;
  };
  assert.equal(await shown(), null);
  const { body } = await grant({ client_id: fresh.client_id, client_secret: fresh.client_secret });
  await aisle.call('GET', path, { token: body.access_token });
  await waitBriefly(async () => (await shown()) !== null);
});

function inMilliseconds(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

/** Waits for at most 5 seconds, which is shorter than the time for which servers cache tokens. */
async function waitBriefly(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, 'the condition was not met within 5 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
