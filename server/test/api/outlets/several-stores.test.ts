import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import {
  makeToken,
  type Response,
  startAisleOn,
  type TestAisle,
  type TestChain,
  useAisle,
} from '../../support/aisle.ts';
import { announceReopened } from '../../../src/outlets/index.ts';
import { holdLocks, isLockAwaited } from '../../support/lock-waits.ts';
import { makeShop } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { startCountingProxy } from '../../support/round-trips.ts';
import { waitFor } from '../../support/wait.ts';

let aisle: TestAisle;
let chain: TestChain;
let first: string;
let second: string;

before(async () => {
  aisle = await useAisle();
  chain = await makeShop(aisle, { vendors: 3 });
  [first = '', second = ''] = chain.vendors;
});
beforeEach(async () => {
  await aisle.db.query('delete from outlet_statuses');
});

const put = (body: unknown, token = chain.token) => aisle.call('PUT', `${chain.base}/status`, { token, body });
const setOne = (body: unknown) =>
  aisle.call('PUT', `${chain.base}/vendors/${first}/status`, { token: chain.token, body });
const list = async (token = chain.token): Promise<Record<string, string>> => {
  const { status, body, text } = await aisle.call('GET', `${chain.base}/status?page_size=500`, { token });
  assert.equal(status, 200, text);
  return Object.fromEntries(body.outlets.map((outlet: Response['body']) => [outlet.vendor_id, outlet.status]));
};
const clockIn = (timeZone: string, time: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short', timeStyle: 'short', hour12: false }).format(
    new Date(time),
  );

test('several stores are closed with one request, and the others stay open', async () => {
  const body = { vendor_ids: [second, 'ext-1'], status: 'CLOSED_UNTIL', closed_reason: 'BAD_WEATHER' };
  const response = await put({ ...body, closed_for_minutes: 30 });
  assert.equal(response.status, 200, response.text);
  const results: Response['body'][] = response.body.results;
  assert.deepEqual(
    results.map(({ vendor_id, is_changed, outlet }) => [vendor_id, is_changed, outlet.status, outlet.closed_reason]),
    [second, first].map((id) => [id, true, 'CLOSED_UNTIL', 'BAD_WEATHER']),
  );
  const minutes = (Date.parse(results[0]?.outlet.closed_until) - Date.now()) / 60_000;
  assert.ok(minutes > 25 && minutes < 31, String(minutes));
  assert.deepEqual(await list(), { ...allOpen(), [first]: 'CLOSED_UNTIL', [second]: 'CLOSED_UNTIL' });
});

test('a store whose closure ends while a request changes its status is not opened before the request has ended', async () => {
  const release = await holdLocks(
    aisle.db,
    'select 1 from vendors where chain_id = $1 and vendor_id = $2 for no key update',
    [chain.chainId, first],
  );
  const ended = "values ($1, $2, 'CLOSED_TODAY', 'OTHER', now() - interval '1 s')";
  await aisle.db.query(
    `insert into outlet_statuses (chain_id, vendor_id, status, closed_reason, closed_until) ${ended}`,
    [chain.chainId, first],
  );
  let hasEnded = false;
  const reopening = announceReopened(aisle.db, undefined).finally(() => (hasEnded = true));
  await waitFor('the worker', async () => hasEnded || (await isLockAwaited(aisle.db, 'transactionid')));
  const isTooEarly = hasEnded;
  const closed = "update outlet_statuses set status = 'CLOSED', closed_until = null where vendor_id = $1";
  await aisle.db.query(closed, [first]);
  await release();
  await reopening;
  assert.equal(isTooEarly, false);
  assert.equal((await list())[first], 'CLOSED');
});

test('a closed store in the list is open again when its time has come', async () => {
  await put({ vendor_ids: chain.vendors, status: 'CLOSED_TODAY' });
  await aisle.db.query("update outlet_statuses set closed_until = now() - interval '1 ms'");
  assert.deepEqual(await list(), allOpen());
});

test("a store that the platform closed or that does not exist does not stop the others' change", async () => {
  const path = `/platform/v1/chains/${chain.chainId}/vendors/${first}/status`;
  await aisle.call('PUT', path, { token: aisle.platformToken, body: { status: 'CLOSED' } });
  const { body } = await put({ vendor_ids: [first, 'nowhere', second], status: 'CLOSED_TODAY' });
  const outcomes = body.results.map((result: Response['body']) => [
    result.vendor_id,
    result.is_changed,
    result.outlet?.status,
    result.error?.code,
  ]);
  assert.deepEqual(outcomes, [
    [first, false, 'CLOSED', 'outlet_closed_by_platform'],
    ['nowhere', false, undefined, 'vendor_not_found'],
    [second, true, 'CLOSED_TODAY', undefined],
  ]);
  assert.equal((await list())[second], 'CLOSED_TODAY');
});

test("tomorrow at 08:00 is in each store's own time zone", async () => {
  const zones = ['Pacific/Kiritimati', 'America/New_York', 'Asia/Kathmandu'];
  for (const [index, zone] of zones.entries()) await setTimeZone(chain.vendors[index] ?? '', zone);
  const request = { vendor_ids: chain.vendors, status: 'CLOSED_UNTIL', closed_until_tomorrow: '08:00' };
  const { body } = await put(request);
  for (const [index, timeZone] of zones.entries()) {
    const until: string = body.results[index].outlet.closed_until;
    const tomorrow = clockIn(timeZone, new Date(Date.now() + 86_400_000).toISOString()).slice(0, 10);
    assert.equal(clockIn(timeZone, until), `${tomorrow}, 08:00`);
  }
  for (const vendor of chain.vendors) await setTimeZone(vendor, 'Asia/Dubai');
});

test('a store that is closed until it is reopened has no end, and opens with a request', async () => {
  const { body } = await setOne({ status: 'CLOSED_UNTIL', until_reopened: true, closed_reason: 'OTHER' });
  assert.deepEqual(body, { vendor_id: first, status: 'CLOSED_UNTIL', closed_reason: 'OTHER' });
  await put({ vendor_ids: [first], status: 'OPEN' });
  assert.deepEqual(await list(), allOpen());
});

test('a closure has exactly one end', async () => {
  const close = { status: 'CLOSED_UNTIL' };
  assertInvalid(await setOne(close), '/closed_until');
  assertInvalid(await setOne({ ...close, closed_for_minutes: 5, until_reopened: true }), '/until_reopened');
  for (const minutes of [0, -1, 1.5, 43_201, 'long']) {
    assertInvalid(await setOne({ ...close, closed_for_minutes: minutes }), '/closed_for_minutes');
  }
  for (const time of ['8:00', '24:00', '08:60', 'noon', 8]) {
    assertInvalid(await setOne({ ...close, closed_until_tomorrow: time }), '/closed_until_tomorrow');
  }
  assertInvalid(await setOne({ ...close, until_reopened: false }), '/until_reopened');
  assertInvalid(await put({ vendor_ids: [], status: 'OPEN' }), '/vendor_ids');
  assertInvalid(await put({ vendor_ids: [first], status: 'CLOSED' }), '/status');
  assert.deepEqual(await list(), allOpen());
});

test('a token limited to a store sees and changes only that store', async () => {
  const scopes = ['outlets:read', 'outlets:write'];
  const limited = await makeToken(aisle, chain.chainId, { scopes, vendor_ids: [second] });
  assert.deepEqual(await list(limited), { [second]: 'OPEN' });
  assertProblem(await put({ vendor_ids: chain.vendors, status: 'CLOSED_TODAY' }, limited), 'forbidden');
  assert.deepEqual(await list(), allOpen());
  assert.equal((await put({ vendor_ids: [second], status: 'CLOSED_TODAY' }, limited)).status, 200);
});

function allOpen(): Record<string, string> {
  return Object.fromEntries(chain.vendors.map((id) => [id, 'OPEN']));
}

async function setTimeZone(vendor: string, timezone: string): Promise<void> {
  const path = `/platform/v1/chains/${chain.chainId}/vendors/${vendor}`;
  const response = await aisle.call('PATCH', path, { token: aisle.platformToken, body: { timezone } });
  assert.equal(response.status, 200, response.text);
}

test('the change of many stores takes few round trips', async () => {
  const large = await makeShop(aisle, { vendors: 30 });
  const proxy = await startCountingProxy(aisle.url);
  const server = await startAisleOn(proxy.url, {}, 'api');
  const tripsFor = async (status: string) => {
    const before = proxy.roundTrips();
    const body = { vendor_ids: large.vendors, status };
    const response = await server.call('PUT', `${large.base}/status`, { token: large.token, body });
    assert.equal(response.body.results.length, 30, response.text);
    return proxy.roundTrips() - before;
  };
  try {
    await tripsFor('OPEN');
    // Other statements, such as polls, can run at the same time.
    assert.ok((await tripsFor('CLOSED_TODAY')) < 20);
  } finally {
    await server.stop();
    await proxy.close();
  }
  const [events] = await aisle.db.query<{ count: string }>(
    "select count(*) from platform_events where chain_id = $1 and type = 'store.closed'",
    [large.chainId],
  );
  assert.equal(Number(events?.count), 30);
});
