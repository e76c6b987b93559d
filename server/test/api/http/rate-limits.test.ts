import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { ConfigError, readConfig } from '../../../src/config.ts';
import {
  type Response,
  makeChain,
  makeClient,
  makeToken,
  startTestAisle,
  type TestAisle,
  type TestChain,
} from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';
import { inOneMinute } from '../../support/wait.ts';

const aisle = await startTestAisle({ AISLE_RATE_LIMITS: 'read=5,catalog_write=3,token=3' });
const other = await aisle.another();
after(async () => {
  await other.stop();
  await aisle.stop();
});

function read(chain: TestChain, on: TestAisle = aisle): Promise<Response> {
  return on.call('GET', `${chain.base}/vendors`, { token: chain.token });
}

function statusesOf(responses: Response[]): number[] {
  return responses.map((response) => response.status);
}

test('a token can send exactly as many requests per minute as its class allows', () =>
  inOneMinute(aisle.db, async () => {
    const chain = await makeChain(aisle);
    for (let remaining = 4; remaining >= 0; remaining--) {
      const response = await read(chain);
      assert.equal(response.status, 200);
      assert.equal(response.headers['ratelimit-policy'], '"read";q=5;w=60');
      assert.match(String(response.headers['ratelimit']), new RegExp(`^"read";r=${remaining};t=([1-9]|[1-5]\\d|60)$`));
    }
    for (let times = 0; times < 2; times++) {
      const rejected = await read(chain);
      assertProblem(rejected, 'rate_limited');
      assert.equal(rejected.headers['ratelimit-policy'], '"read";q=5;w=60');
      const seconds = /^"read";r=0;t=(\d+)$/.exec(String(rejected.headers['ratelimit']))?.[1];
      assert.equal(rejected.headers['retry-after'], seconds);
      assert.ok(Number(seconds) >= 1 && Number(seconds) <= 60);
    }
  }));

test('each rate limit class is counted separately', () =>
  inOneMinute(aisle.db, async () => {
    const chain = await makeChain(aisle);
    const write = () =>
      aisle.call('POST', `${chain.base}/vendors/${chain.vendors[0]}/catalog/export`, { token: chain.token });
    const responses = [await write(), await write(), await write(), await write()];
    assert.deepEqual(statusesOf(responses), [202, 202, 202, 429]);
    assert.equal(responses[0]?.headers['ratelimit-policy'], '"catalog_write";q=3;w=60');
    assert.equal((await read(chain)).status, 200);
    const settings = await aisle.call('PATCH', `${chain.base}/settings`, { token: chain.token, body: {} });
    assert.equal(
      settings.headers['ratelimit-policy'],
      '"manage_write";q=60;w=60',
      'classes that are not configured keep their default',
    );
  }));

test("each token's requests are counted separately", () =>
  inOneMinute(aisle.db, async () => {
    const chain = await makeChain(aisle);
    for (let times = 0; times < 5; times++) await read(chain);
    assert.equal((await read(chain)).status, 429);
    const token = await makeToken(aisle, chain.chainId);
    assert.equal((await read({ ...chain, token })).status, 200);
  }));

test('rejected requests are counted, except those without a valid token', () =>
  inOneMinute(aisle.db, async () => {
    const chain = await makeChain(aisle);
    const stranger = await makeChain(aisle);
    const anonymous = await aisle.call('GET', `${chain.base}/vendors`);
    assert.equal(anonymous.status, 401);
    assert.equal(anonymous.headers['ratelimit'], '"read";r=5;t=60');
    for (let times = 0; times < 5; times++) {
      const foreign = await aisle.call('GET', `${chain.base}/vendors`, { token: stranger.token });
      assertProblem(foreign, 'chain_not_found');
      assert.equal(foreign.headers['ratelimit-policy'], '"read";q=5;w=60');
    }
    assert.equal((await read(stranger)).status, 429);
    assert.equal((await read(chain)).status, 200);
  }));

test('every response has the rate limit headers, even if the request was not counted', async () => {
  const chain = await makeChain(aisle);
  const responses = [
    ['route_not_found', '"read";q=5', await aisle.call('GET', '/v2/nothing')],
    ['method_not_allowed', '"read";q=5', await aisle.call('DELETE', `${chain.base}/vendors`)],
    ['invalid_request', '"read";q=5', await aisle.call('GET', `${chain.base}/vendors/%ff/orders`)],
    ['invalid_token', '"manage_write";q=60', await aisle.call('POST', `${chain.base}/tokens`, { token: 'junk' })],
  ] as const;
  for (const [code, policy, response] of responses) {
    assertProblem(response, code);
    assert.equal(response.headers['ratelimit-policy'], `${policy};w=60`, code);
    assert.equal(response.headers['ratelimit'], `${policy.replace('q=', 'r=')};t=60`, code);
  }
  const form = { raw: 'grant_type=password', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const rejected = await aisle.call('POST', '/v2/oauth/token', form);
  assert.deepEqual([rejected.status, rejected.headers['ratelimit-policy']], [400, '"token";q=3;w=60']);
});

test('requests to two servers are counted together', () =>
  inOneMinute(aisle.db, async () => {
    const chain = await makeChain(aisle);
    const responses: Response[] = [];
    for (let index = 0; index < 9; index++) responses.push(await read(chain, index % 2 === 0 ? aisle : other));
    assert.deepEqual(statusesOf(responses), [200, 200, 200, 200, 200, 429, 429, 429, 429]);
  }));

test('of many concurrent requests, exactly as many succeed as the limit allows', () =>
  inOneMinute(aisle.db, async () => {
    const chain = await makeChain(aisle);
    const responses = await Promise.all(Array.from({ length: 20 }, () => read(chain)));
    assert.equal(statusesOf(responses).filter((status) => status === 200).length, 5);
  }));

test('concurrent requests on two servers can use up a large limit but not exceed it', async (t) => {
  const limits = { AISLE_RATE_LIMITS: 'read=240' };
  const servers = [await aisle.another(limits), await aisle.another(limits)] as const;
  t.after(() => Promise.all(servers.map((server) => server.stop())));
  await inOneMinute(aisle.db, async () => {
    const chain = await makeChain(aisle);
    let passed = 0;
    for (let wave = 0; wave < 12; wave++) {
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, index) => read(chain, servers[index % 2 === 0 ? 0 : 1])),
      );
      passed += statusesOf(responses).filter((status) => status === 200).length;
      assert.ok(passed <= 240);
    }
    assert.equal(passed, 240);
  });
});

test('a new minute starts with the full limit', () =>
  inOneMinute(aisle.db, async () => {
    const chain = await makeChain(aisle);
    for (let times = 0; times < 6; times++) await read(chain);
    await aisle.db.query("update rate_windows set window_start = window_start - interval '1 minute'");
    const fresh = await aisle.another();
    const responses: Response[] = [];
    for (let times = 0; times < 6; times++) responses.push(await read(chain, fresh));
    await fresh.stop();
    assert.deepEqual(statusesOf(responses), [200, 200, 200, 200, 200, 429]);
  }));

test('requests to public routes are counted by IP address, separately from requests with tokens', () =>
  inOneMinute(aisle.db, async () => {
    await aisle.db.query('delete from rate_windows');
    const fresh = await aisle.another();
    const limits = () => fresh.call('GET', '/v2/limits');
    const responses: Response[] = [];
    for (let times = 0; times < 6; times++) responses.push(await limits());
    const chain = await makeChain(aisle);
    const own = await read(chain, fresh);
    await fresh.stop();
    assert.deepEqual(statusesOf(responses), [200, 200, 200, 200, 200, 429]);
    assert.equal(own.status, 200);
  }));

function grant(clientId: string, secret: string, on: TestAisle = aisle): Promise<Response> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
  });
  return on.call('POST', '/v2/oauth/token', {
    raw: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

test('the token endpoint counts requests by client id across servers, except those with a wrong secret', () =>
  inOneMinute(aisle.db, async () => {
    const chain = await makeChain(aisle);
    const [client, otherClient] = [await makeClient(aisle, chain.chainId), await makeClient(aisle, chain.chainId)];
    const responses = [
      await grant(client.client_id, client.client_secret),
      await grant(client.client_id, 'wrong'),
      await grant(client.client_id, client.client_secret, other),
      await grant(client.client_id, client.client_secret, other),
      await grant(client.client_id, client.client_secret),
    ];
    assert.deepEqual(statusesOf(responses), [200, 401, 200, 200, 429]);
    for (const response of responses) assert.equal(response.headers['ratelimit-policy'], '"token";q=3;w=60');
    assert.match(String(responses[2]?.headers['ratelimit']), /^"token";r=1;t=\d+$/);
    assert.equal((await grant(otherClient.client_id, otherClient.client_secret)).status, 200);
  }));

test('a 429 from the token endpoint has the OAuth fields too', () =>
  inOneMinute(aisle.db, async () => {
    const chain = await makeChain(aisle);
    const { client_id, client_secret } = await makeClient(aisle, chain.chainId);
    for (let times = 0; times < 3; times++) await grant(client_id, client_secret);
    const rejected = await grant(client_id, client_secret);
    assertProblem(rejected, 'rate_limited');
    assert.equal(rejected.body.error, 'temporarily_unavailable');
    assert.equal(rejected.body.error_description, rejected.body.message);
    assert.equal(rejected.headers['cache-control'], 'no-store');
    assert.ok(Number(rejected.headers['retry-after']) >= 1);
  }));

test('requests with an unknown client id are counted by IP address', () =>
  inOneMinute(aisle.db, async () => {
    await aisle.db.query('delete from rate_windows');
    const fresh = await aisle.another();
    const responses: Response[] = [];
    for (let times = 0; times < 4; times++) responses.push(await grant(`client_guess_${times}`, 'x', fresh));
    await fresh.stop();
    assert.deepEqual(statusesOf(responses), [401, 401, 401, 429]);
  }));

test('with limits disabled, the headers are sent and no request is rejected', async (t) => {
  const open = await aisle.another({ AISLE_RATE_LIMITS: 'off' });
  t.after(open.stop);
  const chain = await makeChain(aisle);
  const responses: Response[] = [];
  for (let times = 0; times < 20; times++) responses.push(await read(chain, open));
  for (const { status, headers } of responses) {
    assert.equal(status, 200);
    assert.equal(headers['ratelimit-policy'], '"read";q=600;w=60');
    assert.equal(headers['ratelimit'], '"read";r=600;t=60');
  }
});

test('limits are enabled by default, and an invalid limit prevents startup', () => {
  const config = (text?: string) => readConfig({ ...(text !== undefined && { AISLE_RATE_LIMITS: text }) }).rateLimits;
  assert.equal(config().enforced, true);
  assert.deepEqual(config('read=7, token=9').perMinute, { ...config().perMinute, read: 7, token: 9 });
  assert.equal(config('off').enforced, false);
  for (const text of ['read=0', 'read', 'read=-1', 'reads=5', 'read=5;token=3', 'none']) {
    assert.throws(() => config(text), ConfigError, text);
  }
});
