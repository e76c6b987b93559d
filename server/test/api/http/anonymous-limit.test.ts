import assert from 'node:assert/strict';
import test from 'node:test';
import { newToken } from '../../../src/identity/index.ts';
import {
  makeChain,
  makeClient,
  requestAccessToken,
  type Response,
  startTestAisle,
  useOwnAisle,
} from '../../support/aisle.ts';
import { setReachable } from '../../support/database.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useOwnAisle({ AISLE_RATE_LIMITS: 'anonymous=5', AISLE_TRUSTED_PROXIES: 'loopback' });

function from(address: string) {
  return { 'x-forwarded-for': address };
}

async function flood(path: string, address: string, headers: Record<string, string> = {}): Promise<Response> {
  let last: Response | undefined;
  for (let times = 0; times < 6; times++) {
    last = await aisle.call('GET', path, { headers: { ...from(address), ...headers } });
  }
  return last as Response;
}

test('a flood of requests without valid credentials is limited by address', async () => {
  const { base } = await makeChain(aisle);
  const floods = [
    await flood(`${base}/vendors`, '192.0.2.1'),
    await flood(`${base}/vendors`, '192.0.2.2', { authorization: 'Bearer junk' }),
    await flood(`${base}/vendors`, '192.0.2.3', { authorization: `Bearer ${newToken('live')}` }),
    await flood(`${base}/vendors`, '192.0.2.4', { cookie: `__Host-aisle_session=${newToken('session')}` }),
    await flood('/v2/nothing', '192.0.2.5'),
    await flood('/v2/limits', '192.0.2.6'),
    await flood('/docs', '192.0.2.7'),
    await flood('/portal', '192.0.2.8', { cookie: '__Host-aisle_session=junk' }),
  ];
  for (const rejected of floods) {
    assertProblem(rejected, 'rate_limited');
    assert.equal(rejected.headers['ratelimit-policy'], '"anonymous";q=5;w=60');
    assert.match(String(rejected.headers['ratelimit']), /^"anonymous";r=0;t=\d+$/);
    assert.match(String(rejected.headers['retry-after']), /^\d+$/);
  }
});

test('requests with valid credentials from the same address are not affected', async () => {
  const chain = await makeChain(aisle);
  const headers = from('192.0.2.20');
  assertProblem(await flood('/v2/nothing', '192.0.2.20'), 'rate_limited');
  for (let times = 0; times < 7; times++) {
    assert.equal((await aisle.call('GET', `${chain.base}/vendors`, { token: chain.token, headers })).status, 200);
  }
  const { client_id, client_secret } = await makeClient(aisle, chain.chainId);
  assert.equal((await requestAccessToken(aisle, { client_id, client_secret }, headers)).status, 200);
});

test('a flood of token requests with wrong secrets is limited by address, and a correct secret still works', async () => {
  const { chainId } = await makeChain(aisle);
  const { client_id, client_secret } = await makeClient(aisle, chainId);
  const headers = from('192.0.2.21');
  const wrong = () => requestAccessToken(aisle, { client_id: 'client_unknown', client_secret: 'x' }, headers);
  const correct = () => requestAccessToken(aisle, { client_id, client_secret }, headers);
  // Requests with a correct secret do not use up the limit.
  for (let times = 0; times < 6; times++) assert.equal((await correct()).status, 200);
  for (let times = 0; times < 5; times++) assert.equal((await wrong()).status, 401);
  const rejected = await wrong();
  assert.equal(rejected.status, 429);
  assert.equal(rejected.headers['ratelimit-policy'], '"anonymous";q=5;w=60');
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
  const unread = await aisle.call('POST', '/v2/oauth/token', { raw: 'a'.repeat(9000), headers: form });
  assert.equal(unread.status, 429, 'a body that is not parsed is counted too');
  assert.equal((await correct()).status, 200);
});

test('all addresses in an IPv6 /64 network share a limit', async () => {
  const statuses: number[] = [];
  for (let host = 1; host <= 6; host++) {
    const headers = from(`2001:db8:0:7::${host}`);
    statuses.push((await aisle.call('GET', '/v2/limits', { headers })).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  const neighbour = from('2001:db8:0:8::1');
  assert.equal((await aisle.call('GET', '/v2/limits', { headers: neighbour })).status, 200);
});

test('health checks and metrics are never limited', async () => {
  for (let times = 0; times < 7; times++) {
    for (const path of ['/health/live', '/metrics']) {
      assert.equal((await aisle.call('GET', path, { headers: from('192.0.2.30') })).status, 200);
    }
  }
});

test('with limits disabled, requests without credentials are not limited', async (t) => {
  const open = await aisle.another({ AISLE_RATE_LIMITS: 'off' });
  t.after(open.stop);
  for (let times = 0; times < 7; times++) {
    assert.equal((await open.call('GET', '/v2/limits')).status, 200);
  }
});

test('requests that the database cannot check are not taken for a flood', async (t) => {
  const cut = await startTestAisle({ AISLE_RATE_LIMITS: 'anonymous=2', AISLE_TRUSTED_PROXIES: 'loopback' });
  t.after(cut.stop);
  const { base, token } = await makeChain(cut);
  await setReachable(cut, false);
  const codes: string[] = [];
  for (let times = 0; times < 4; times++) {
    codes.push((await cut.call('GET', `${base}/vendors`, { token, headers: from('192.0.2.30') })).body.code);
  }
  assert.deepEqual(codes, Array(4).fill('service_unavailable'));
  await setReachable(cut, true);
});
