import assert from 'node:assert/strict';
import test from 'node:test';
import {
  makeChain,
  makeClient,
  makeToken,
  makeUser,
  requestAccessToken,
  type Response,
  type TestChain,
  useOwnAisle,
} from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useOwnAisle({ AISLE_RATE_LIMITS: 'read=4', AISLE_CHAIN_RATE_FACTOR: '2' });

function read(chain: TestChain, token: string): Promise<Response> {
  return aisle.call('GET', `${chain.base}/vendors`, { token });
}

/** Rate limit windows are minutes of database time. A test must not start just before the end of one. */
async function waitForRoomInTheMinute(): Promise<void> {
  const [row] = await aisle.db.query<{ left: number }>(
    'select (60 - extract(second from clock_timestamp()))::float8 as left',
  );
  if ((row?.left ?? 0) < 5) await new Promise((resolve) => setTimeout(resolve, ((row?.left ?? 0) + 0.1) * 1000));
}

test.beforeEach(waitForRoomInTheMinute);

test("five clients do not multiply their chain's rate limit", async () => {
  const chain = await makeChain(aisle);
  const statuses: number[] = [];
  let last: Response | undefined;
  for (let index = 0; index < 5; index++) {
    const { client_id, client_secret } = await makeClient(aisle, chain.chainId);
    const { body } = await requestAccessToken(aisle, { client_id, client_secret });
    for (let times = 0; times < 4; times++) {
      last = await read(chain, body.access_token);
      statuses.push(last.status);
    }
  }
  assert.equal(statuses.filter((status) => status === 200).length, 8);
  assertProblem(last as Response, 'rate_limited');
  assert.match(last?.body.detail, /chain's limit is 8 requests per minute, for all of its tokens and clients together/);
  assert.equal(last?.headers['ratelimit-policy'], '"read_chain";q=8;w=60');
  assert.match(String(last?.headers['ratelimit']), /^"read_chain";r=0;t=\d+$/);
  assert.match(String(last?.headers['retry-after']), /^\d+$/);
  const other = await makeChain(aisle);
  assert.equal((await read(other, other.token)).status, 200, 'other chains are not affected');
});

test('the headers show the limit of the token or of the chain, whichever has fewer requests left', async () => {
  const chain = await makeChain(aisle);
  const second = await makeToken(aisle, chain.chainId);
  const policies: string[] = [];
  for (const token of [chain.token, chain.token, chain.token, second, second, second]) {
    const { headers } = await read(chain, token);
    policies.push(`${String(headers['ratelimit-policy'])} ${String(headers['ratelimit']).replace(/;t=.*/, '')}`);
  }
  assert.deepEqual(policies, [
    '"read";q=4;w=60 "read";r=3',
    '"read";q=4;w=60 "read";r=2',
    '"read";q=4;w=60 "read";r=1',
    '"read";q=4;w=60 "read";r=3',
    '"read";q=4;w=60 "read";r=2',
    '"read";q=4;w=60 "read";r=1',
  ]);
  const third = await makeToken(aisle, chain.chainId);
  const { headers } = await read(chain, third);
  assert.equal(headers['ratelimit-policy'], '"read_chain";q=8;w=60');
  assert.match(String(headers['ratelimit']), /^"read_chain";r=1;/);
});

test("a chain's portal users have their own limit, which the chain's systems cannot use up", async () => {
  const chain = await makeChain(aisle);
  const tokens = [chain.token, await makeToken(aisle, chain.chainId)];
  for (const token of tokens) for (let times = 0; times < 4; times++) await read(chain, token);
  assert.equal((await read(chain, await makeToken(aisle, chain.chainId))).status, 429);
  const users = await Promise.all([1, 2, 3].map(() => makeUser(aisle, chain.chainId)));
  const statuses: number[] = [];
  for (const { session } of users) {
    for (let times = 0; times < 4; times++) statuses.push((await read(chain, session)).status);
  }
  assert.deepEqual(statuses, [...Array<number>(8).fill(200), ...Array<number>(4).fill(429)]);
});

test('GET /v2/limits includes the limits per chain', async () => {
  const { body } = await aisle.call('GET', '/v2/limits');
  assert.equal(body.chain_rate_limits_per_minute.read, 8);
  assert.equal(body.chain_rate_limits_per_minute.catalog_write, 120);
  assert.deepEqual(Object.keys(body.chain_rate_limits_per_minute), [
    'read',
    'catalog_write',
    'order_write',
    'manage_write',
  ]);
});
