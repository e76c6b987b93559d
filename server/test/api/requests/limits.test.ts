import assert from 'node:assert/strict';
import test from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { requestChores } from '../../../src/requests/chores.ts';
import { runChores } from '../../support/chores.ts';
import { makeChain, startTestAisle, type TestAisle, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { setReachable } from '../../support/database.ts';
import { openRequestLog } from '../../support/requests.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle({ AISLE_REQUEST_LOG_RATE: '50' });

test("requests above a chain's recording rate are dropped and counted, and do not affect other chains", async () => {
  const [busy, quiet] = [await makeChain(aisle), await makeChain(aisle)];
  const [busyLog, quietLog] = [await openRequestLog(aisle, busy), await openRequestLog(aisle, quiet)];
  await Promise.all(Array.from({ length: 300 }, () => listVendors(aisle, busy)));
  await quietLog.find(await listVendors(aisle, quiet));
  await waitFor('every request to be recorded or dropped', async () => {
    const { total_items, dropped } = await busyLog.list();
    return total_items + dropped === 300;
  });
  const { total_items, dropped } = await busyLog.list();
  assert.ok(total_items >= 50, String(total_items));
  assert.ok(dropped > 0, String(dropped));
  assert.equal((await quietLog.list()).dropped, 0);
  const { text } = await aisle.call('GET', '/metrics');
  assert.match(text, new RegExp(`^aisle_request_log_dropped_total ${dropped}$`, 'm'));
});

test('recorded requests and the counts of dropped requests are deleted after 7 days', async () => {
  const chain = await makeChain(aisle);
  const log = await openRequestLog(aisle, chain);
  await insertRequests(chain, 3, 200, '7 days 1 minute');
  await insertRequests(chain, 2, 500, '6 days 23 hours');
  for (const age of ['8 days', '1 day']) {
    const values = [chain.chainId, age];
    await aisle.db.query('insert into dropped_requests values ($1, now() - $2::interval, 5)', values);
  }
  await trimLog();
  const { requests, dropped } = await log.list();
  assert.deepEqual(
    requests.map((entry: { status: number }) => entry.status),
    [500, 500],
  );
  assert.equal(dropped, 5);
});

test('a chain keeps its newest requests, and many successful requests do not displace failed ones', async () => {
  const chain = await makeChain(aisle);
  const log = await openRequestLog(aisle, chain);
  await insertRequests(chain, 90, 404, '2 days');
  await insertRequests(chain, 30, 404, '1 day');
  await insertRequests(chain, 250, 200, '1 hour');
  const other = await makeChain(aisle);
  await insertRequests(other, 80, 200, '3 days');
  await trimLog({ AISLE_REQUEST_LOG_ROWS: '100' });
  assert.equal((await log.list('?status=2xx')).total_items, 100);
  assert.equal((await log.list('?status=4xx')).total_items, 100);
  const since = new Date(Date.now() - 36 * 3_600_000).toISOString();
  assert.equal((await log.list(`?status=4xx&since=${since}`)).total_items, 30);
  assert.equal((await (await openRequestLog(aisle, other)).list()).total_items, 80);
});

test('only the newest 10,000 bodies are kept', async () => {
  const chain = await makeChain(aisle);
  await insertRequests(chain, 10_050, 200, '1 hour', 'body');
  await insertRequests(chain, 100, 200, '1 minute');
  await trimLog();
  const [counts] = await aisle.db.query(
    `select count(*)::int as rows, count(request_body)::int as bodies from requests where chain_id = $1`,
    [chain.chainId],
  );
  assert.deepEqual(counts, { rows: 10_150, bodies: 10_000 });
});

test('requests that have not been written yet are written when the server stops', async () => {
  const other = await aisle.another();
  const chain = await makeChain(other);
  for (let count = 0; count < 5; count++) await listVendors(other, chain);
  await other.stop();
  assert.equal((await (await openRequestLog(aisle, chain)).list()).total_items, 5);
});

test('requests that could not be written while the database was unavailable are written later', async (t) => {
  const cut = await startTestAisle();
  t.after(cut.stop);
  const chain = await makeChain(cut);
  const log = await openRequestLog(cut, chain);
  const holder = await cut.db.pool.connect();
  holder.on('error', () => {});
  await holder.query('begin; lock table requests in access exclusive mode');
  const response = await listVendors(cut, chain);
  const blocked = "select 1 from pg_locks where relation = 'requests'::regclass and not granted";
  await waitFor('the write to be blocked', async () => (await cut.db.query(blocked)).length > 0);
  await setReachable(cut, false);
  holder.release(true);
  await waitFor('the server not to be ready', async () => (await cut.call('GET', '/health/ready')).status === 503);
  await setReachable(cut, true);
  await waitFor('the server to be ready', async () => (await cut.call('GET', '/health/ready')).status === 200, 30);
  assert.equal((await log.find(response)).status, 200);
  assert.equal((await log.list()).dropped, 0);
});

test('a server can stop while the database is unavailable', async (t) => {
  const cut = await startTestAisle();
  const chain = await makeChain(cut);
  await listVendors(cut, chain);
  t.after(() => setReachable(cut, true));
  await setReachable(cut, false);
  const started = performance.now();
  await cut.aisle.stop();
  assert.ok(performance.now() - started < 15_000);
  await cut.db.close();
});

test('nothing is recorded if AISLE_REQUEST_LOG is off', async () => {
  const other = await aisle.another({ AISLE_REQUEST_LOG: 'off' });
  const chain = await makeChain(other);
  await listVendors(other, chain);
  await other.stop();
  assert.equal((await (await openRequestLog(aisle, chain)).list()).total_items, 0);
});

function listVendors(on: TestAisle, chain: TestChain) {
  return on.call('GET', `${chain.base}/vendors`, { token: chain.token });
}

async function insertRequests(chain: TestChain, count: number, status: number, age: string, body?: string) {
  await aisle.db.query(
    `insert into requests (chain_id, received_at, request_id, method, path, status, duration_ms, caller_kind, caller_id,
       caller_name, is_aborted, is_streamed, request_body, request_bytes)
     select $1, now() - $4::interval, 'id', 'GET', '/', $3, 1, 'token', 'id', 'name', false, false, $5, 4
     from generate_series(1, $2)`,
    [chain.chainId, count, status, age, body],
  );
}

function trimLog(environment: Record<string, string> = {}): Promise<void> {
  return runChores(aisle, requestChores(readConfig(environment)));
}
