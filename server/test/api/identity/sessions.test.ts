import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { type Response, makeChain, makeUser, useAisle } from '../../support/aisle.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const limited = await aisle.another({ AISLE_RATE_LIMITS: 'sign_in=3' });
const limitedToo = await aisle.another({ AISLE_RATE_LIMITS: 'sign_in=3' });
after(async () => {
  await limited.stop();
  await limitedToo.stop();
});

const path = '/v2/portal/session';

function signIn(body: unknown, headers: Record<string, string> = {}, on = aisle): Promise<Response> {
  return on.call('POST', path, { body, headers });
}

/** Returns the cookie from a response as a browser would send it back. */
function cookieOf(response: Response): string {
  return String(response.headers['set-cookie']).split(';')[0] ?? '';
}

test('signing in returns the user and a cookie that gives access to the chain', async () => {
  const chain = await makeChain(aisle);
  const { email, password, user_id } = await makeUser(aisle, chain.chainId, 'MANAGER');
  const response = await signIn({ email: ` ${email.toUpperCase()} `, password });
  assert.equal(response.status, 201, response.text);
  assert.equal(response.body.user.user_id, user_id);
  assert.equal(response.body.user.role, 'MANAGER');
  assert.ok(response.body.user.last_sign_in_at);
  assert.deepEqual(response.body.chain, { chain_id: chain.chainId, name: 'Test chain', profile: 'strict' });
  assert.equal(response.headers['cache-control'], 'no-store');
  const headers = { cookie: cookieOf(response) };
  const stores = await aisle.call('GET', `${chain.base}/vendors`, { headers });
  assert.equal(stores.body.total_items, 2);
  const session = await aisle.call('GET', path, { headers });
  assert.deepEqual(session.body, response.body);
});

test('the cookie is restricted to its host and to HTTPS, unless the public URL is plain HTTP on localhost', async () => {
  const { email, password } = await makeUser(aisle, (await makeChain(aisle)).chainId);
  const outside = await signIn({ email, password }, { host: 'aisle.test' });
  assert.match(
    String(outside.headers['set-cookie']),
    /^__Host-aisle_session=\w+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
  );
  const local = await aisle.another({ AISLE_PUBLIC_URL: 'http://127.0.0.1:8080' });
  const inside = await signIn({ email, password }, { host: '127.0.0.1:8080' }, local);
  assert.match(
    String(inside.headers['set-cookie']),
    /^aisle_session=\w+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  await local.stop();
});

test('a wrong password and an unknown email get the same response', async () => {
  const { email } = await makeUser(aisle, (await makeChain(aisle)).chainId);
  const wrong = await signIn({ email, password: 'not the right one' });
  const unknown = await signIn({ email: 'unknown@aisle.test', password: 'not the right one' });
  for (const response of [wrong, unknown]) {
    assertProblem(response, 'invalid_credentials');
    assert.equal(response.headers['set-cookie'], undefined);
  }
  assert.equal(wrong.body.detail, unknown.body.detail);
  assertInvalid(await signIn({ email }), '/password');
});

test('sign-in attempts per minute are limited by email address and IP address together, across processes', async () => {
  const { email, password } = await makeUser(aisle, (await makeChain(aisle)).chainId);
  const seen: number[] = [];
  // The loop can span two rate limit windows, so up to twice the limit can be allowed.
  for (let tries = 0; tries < 7; tries++) {
    seen.push((await signIn({ email, password }, {}, tries % 2 === 0 ? limited : limitedToo)).status);
  }
  assert.deepEqual(seen.slice(0, 3), [201, 201, 201]);
  assert.ok(seen.includes(429), seen.join(' '));
  const rejected = await signIn({ email, password }, {}, limited);
  if (rejected.status !== 201) {
    assertProblem(rejected, 'rate_limited');
    assert.match(String(rejected.headers['retry-after']), /^\d+$/);
  }
});

test('a page on another site cannot sign a browser in', async () => {
  const { email, password } = await makeUser(aisle, (await makeChain(aisle)).chainId);
  assertProblem(await signIn({ email, password }, { origin: 'https://elsewhere.example' }), 'forbidden');
  assertProblem(await signIn({ email, password }, { 'sec-fetch-site': 'cross-site' }), 'forbidden');
  assert.equal((await signIn({ email, password }, { origin: 'http://aisle.test' })).status, 201);
});

test('a session request without an Origin header is rejected with a message that mentions the header', async () => {
  const chain = await makeChain(aisle);
  const { session } = await makeUser(aisle, chain.chainId);
  const close = (headers: Record<string, string>) =>
    aisle.call('PUT', `${chain.base}/vendors/${chain.vendors[0]}/status`, {
      headers: { cookie: `__Host-aisle_session=${session}`, ...headers },
      body: { status: 'CLOSED_TODAY' },
    });
  const silent = await close({});
  assertProblem(silent, 'forbidden');
  assert.doesNotMatch(silent.body.title, /token/);
  assert.match(silent.body.detail, /must have the header Origin: http:\/\/aisle\.test, .* token in Authorization/);
  const foreign = await close({ origin: 'https://elsewhere.example' });
  assertProblem(foreign, 'forbidden');
  assert.match(foreign.body.detail, /Origin must be http:\/\/aisle\.test, and Sec-Fetch-Site.* same-origin/);
  assert.equal((await close({ origin: 'http://aisle.test' })).status, 200);
});

test('signing out ends the session and clears the cookie, and other sessions stay valid', async () => {
  const chain = await makeChain(aisle);
  const { email, password, session: other } = await makeUser(aisle, chain.chainId);
  const response = await signIn({ email, password });
  const headers = { cookie: cookieOf(response), origin: 'http://aisle.test' };
  assert.equal((await aisle.call('GET', path, { headers })).status, 200);
  const out = await aisle.call('DELETE', path, { headers });
  assert.equal(out.status, 200);
  assert.match(String(out.headers['set-cookie']), /aisle_session=; Path=\/; Max-Age=0/);
  assertProblem(await aisle.call('GET', path, { headers }), 'invalid_token');
  assertProblem(await aisle.call('GET', `${chain.base}/vendors`, { headers }), 'invalid_token');
  assert.equal((await aisle.call('GET', path, { token: other })).status, 200);
});

test('an expired session returns 401', async () => {
  const { session } = await makeUser(aisle, (await makeChain(aisle)).chainId);
  await aisle.db.query("update sessions set expires_at = now() - interval '1 second'");
  assertProblem(await aisle.call('GET', path, { token: session }), 'invalid_token');
});

test("only a session's hash is stored, and a session is not accepted as a token", async () => {
  const chain = await makeChain(aisle);
  const { session } = await makeUser(aisle, chain.chainId);
  const rows = await aisle.db.query<{ found: boolean }>(
    "select session_hash = sha256(convert_to($1, 'UTF8')) as found from sessions where chain_id = $2",
    [session, chain.chainId],
  );
  assert.deepEqual(rows, [{ found: true }]);
  const headers = { authorization: `Bearer ${session}` };
  assertProblem(await aisle.call('GET', `${chain.base}/vendors`, { headers }), 'invalid_token');
});

test('a token takes precedence over a cookie', async () => {
  const chain = await makeChain(aisle);
  const { session } = await makeUser(aisle, (await makeChain(aisle)).chainId);
  const headers = { authorization: `Bearer ${chain.token}`, cookie: `__Host-aisle_session=${session}` };
  assert.equal((await aisle.call('PATCH', `${chain.base}/settings`, { headers, body: {} })).status, 200);
  const broken = { ...headers, authorization: 'Bearer no-token' };
  assertProblem(await aisle.call('GET', path, { headers: broken }), 'invalid_token');
});

test('changing your own password requires the old one and ends your other sessions', async () => {
  const chain = await makeChain(aisle);
  const { email, password, session } = await makeUser(aisle, chain.chainId, 'VIEWER');
  const elsewhere = cookieOf(await signIn({ email, password }));
  const change = (body: unknown) => aisle.call('PUT', `${path}/password`, { token: session, body });
  assertProblem(await change({ current_password: 'wrong', new_password: 'a new password' }), 'invalid_credentials');
  assertInvalid(await change({ current_password: password, new_password: 'short' }), '/new_password');
  const changed = await change({ current_password: password, new_password: 'a new password' });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await aisle.call('GET', path, { token: session })).status, 200);
  assertProblem(await aisle.call('GET', path, { headers: { cookie: elsewhere } }), 'invalid_token');
  assertProblem(await signIn({ email, password }), 'invalid_credentials');
  assert.equal((await signIn({ email, password: 'a new password' })).status, 201);
});

test('two users who send the same idempotency key do not get each other’s responses', async () => {
  const chain = await makeChain(aisle);
  const body = { name: 'Created once' };
  const headers = { 'idempotency-key': 'the-same' };
  const create = (token: string) => aisle.call('POST', `${chain.base}/tokens`, { token, body, headers });
  const [one, two] = [(await makeUser(aisle, chain.chainId)).session, (await makeUser(aisle, chain.chainId)).session];
  const first = await create(one);
  assert.equal((await create(one)).body.token, first.body.token);
  assert.notEqual((await create(two)).body.token, first.body.token);
});
