import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { acceptUpdate, readUpdate } from '../server/src/catalog/index.ts';
import { type Response, makeChain, makeToken, type TestChain } from '../server/test/support/aisle.ts';
import { addProducts, plainProducts, waitForJob } from '../server/test/support/catalog.ts';
import { cloneDatabase, serverUrl, type TestDatabase } from '../server/test/support/database.ts';
import { type Client, clientOf } from './support/client.ts';
import { type Program, runProgram, startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

/** Tests two API processes and two workers on one database. */
let database: TestDatabase;
let environment: Record<string, string>;
let workers: Program[];
let one: Client;
let other: Client;

before(async () => {
  database = await cloneDatabase();
  environment = { DATABASE_URL: database.url, AISLE_RATE_LIMITS: 'off' };
  const migrated = await runProgram(['migrate'], environment);
  assert.deepEqual([migrated.code, migrated.stdout], [0, 'The database is up to date.\n'], migrated.stderr);
  const [first, second, ...rest] = await Promise.all([start('api'), start('api'), start('worker'), start('worker')]);
  one = clientOf(first);
  other = clientOf(second);
  workers = rest;
});

after(() => database?.drop());

test('a rate limit applies across processes', async () => {
  const limits = { AISLE_RATE_LIMITS: 'read=20' };
  const [first, second] = (await Promise.all([start('api', limits), start('api', limits)])).map(clientOf);
  assert.ok(first && second);
  const chain = await makeChain(database);
  await startOfMinute(10);
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, index) => (index % 2 ? first : second).call('GET', `${chain.base}/vendors`, chain)),
  );
  const statuses = Map.groupBy(responses, (response) => response.status);
  assert.deepEqual([statuses.get(200)?.length, statuses.get(429)?.length], [20, 40]);
  for (const rejected of statuses.get(429) ?? []) {
    const seconds = Number(rejected.headers['retry-after']);
    assert.ok(seconds >= 1 && seconds <= 60, `retry-after ${seconds}`);
  }
  const stranger = await makeChain(database);
  for (const client of [first, second])
    assert.equal((await client.call('GET', `${stranger.base}/vendors`, stranger)).status, 200);
});

test('requests with the same idempotency key, sent to both processes at once, create one job', async () => {
  const chain = await makeChain(database);
  await addProducts(database, chain, plainProducts(2));
  const send = (client: Client) => put(client, chain, 0, 7, { 'idempotency-key': 'one-and-only' });
  const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => send(index % 2 ? one : other)));
  const accepted = responses.filter((response) => response.status === 202);
  const busy = responses.filter((response) => response.status === 409);
  assert.equal(accepted.length + busy.length, responses.length);
  assert.ok(accepted.length >= 1);
  for (const response of busy) assert.equal(response.body.code, 'idempotency_in_progress');
  for (const client of [one, other]) accepted.push(await send(client));
  const ids = new Set(accepted.map((response) => response.body.job_id));
  assert.equal(ids.size, 1);
  assert.deepEqual(await jobIds(chain), [...ids]);
});

test('a token revoked in one process is rejected by the other within a second', async () => {
  const chain = await makeChain(database);
  const token = await makeToken(database, chain.chainId);
  const use = () => other.call('GET', `${chain.base}/vendors`, { token });
  assert.equal((await use()).status, 200);
  assert.equal((await use()).status, 200);
  const { body } = await one.call('GET', `${chain.base}/tokens`, chain);
  const { token_id } = body.tokens.find((row: { name: string }) => row.name === 'limited');
  const revoked = await one.call('DELETE', `${chain.base}/tokens/${token_id}`, chain);
  assert.equal(revoked.status, 200);
  await waitFor(1, 'the revoked token to be rejected', async () => (await use()).status === 401 || undefined, 10);
  await sleep(100);
  assert.equal((await use()).status, 401);
});

test('two workers share the jobs, and each job runs once', async () => {
  const chain = await makeChain(database, { vendors: 8 });
  await addProducts(database, chain, plainProducts(2));
  const accepted = await Promise.all(
    Array.from({ length: 40 }, (_, index) => put(index % 2 ? one : other, chain, index % 8, index)),
  );
  for (const { body, status } of accepted) {
    assert.equal(status, 202);
    assert.equal((await waitForJob(one, chain, body.job_id)).job_status, 'COMPLETED');
  }
  const logs = await waitFor(5, 'a log line for each of the 40 tasks', () => {
    const lines = workers.map((worker) => tasksOf(worker, chain));
    return lines.flat().length >= 40 ? lines : undefined;
  });
  for (const lines of logs) assert.ok(lines.length > 0, 'a worker ran no tasks');
  const done = logs.flat().filter((line) => line['outcome'] === 'done');
  assert.equal(done.length, 40);
  assert.equal(new Set(done.map((line) => line['job_id'])).size, 40);
});

test('a process reports that its database is unavailable and recovers when the database is back', async () => {
  const name = new URL(database.url).pathname.slice(1);
  const [worker] = workers;
  assert.ok(worker);
  assert.equal((await readiness(worker)).status, 200);
  await onServer(`alter database ${name} with allow_connections false`);
  await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  const unavailable = await waitFor(10, 'a 503', async () => {
    const response = await readiness(worker);
    // The result of the database check is reused for a second.
    return response.status === 503 && response.body.checks.database !== 'ok' ? response : undefined;
  });
  assert.equal(unavailable.body.status, 'unavailable');
  assert.equal((await clientOf(worker).call('GET', '/health/live')).status, 200);
  await sleep(1500);
  await onServer(`alter database ${name} with allow_connections true`);
  for (const each of workers) {
    await waitFor(10, 'the worker to be ready again', async () => (await readiness(each)).status === 200 || undefined);
  }
  const chain = await makeChain(database);
  await addProducts(database, chain, plainProducts(2));
  const { status, body, text } = await put(one, chain, 0, 3);
  assert.equal(status, 202, text);
  assert.equal((await waitForJob(other, chain, body.job_id)).job_status, 'COMPLETED');
});

// This test is last, because it leaves the workers with a large backlog.
test("a thousand jobs from one chain delay another chain's job by less than two seconds", async (t) => {
  // A vendor's jobs run one at a time, so a thousand jobs due at once need a thousand vendors.
  const busy = await makeChain(database, { vendors: 1000 });
  const quiet = await makeChain(database);
  await addProducts(database, busy, plainProducts(2), busy.vendors.slice(0, 1));
  await copyOffers(busy);
  await addProducts(database, quiet, plainProducts(2));
  await acceptAtOnce(busy);
  const started = performance.now();
  const { body } = await put(one, quiet, 0, 9);
  const job = await waitForJob(other, quiet, body.job_id);
  const seconds = (performance.now() - started) / 1000;
  const waiting = await waitingTasks(busy);
  t.diagnostic(`done after ${seconds.toFixed(3)} s, with ${waiting} jobs from the other chain still waiting`);
  assert.equal(job.job_status, 'COMPLETED');
  assert.ok(seconds < 2, `it took ${seconds.toFixed(3)} s`);
  assert.ok(waiting > 0, 'the other chain finished first, so the test proves nothing');
});

function start(role: string, more: Record<string, string> = {}): Promise<Program> {
  return startProgram({ role, environment: { ...environment, ...more } });
}

/** Sends a bulk update with two products to a vendor. */
function put(client: Client, chain: TestChain, vendor: number, quantity: number, headers: Record<string, string> = {}) {
  const body = { products: plainProducts(2).map(({ sku }) => ({ sku, quantity })) };
  const path = `${chain.base}/vendors/${chain.vendors[vendor]}/catalog`;
  return client.call('PUT', path, { token: chain.token, body, headers });
}

/** Creates one job per vendor, all due at the same moment. */
async function acceptAtOnce(chain: TestChain): Promise<void> {
  const products = plainProducts(2).map(({ sku }) => ({ sku, quantity: 9 }));
  const plan = readUpdate({ products }, { maxItems: 2, single: false, isLimited: false });
  assert.ok(plan.kind === 'bulk');
  await database.db.transaction(async (tx) => {
    const origin = { by: 'test', name: 'Test', channel: 'api', address: '127.0.0.1' } as const;
    for (const vendorId of chain.vendors) await acceptUpdate(tx, chain.chainId, vendorId, plan, { origin });
  });
}

/** Gives every vendor in the chain the same offers as the first one. */
async function copyOffers(chain: TestChain): Promise<void> {
  await database.db.query(
    `insert into offers (chain_id, vendor_id, sku, price, quantity, active)
     select o.chain_id, v.vendor_id, o.sku, o.price, o.quantity, o.active
     from offers o join vendors v on v.chain_id = o.chain_id where o.chain_id = $1
     on conflict do nothing`,
    [chain.chainId],
  );
}

async function waitingTasks(chain: TestChain): Promise<number> {
  const rows = await database.db.query<{ count: number }>(
    'select count(*)::int as count from queue_tasks where chain_id = $1',
    [chain.chainId],
  );
  return rows[0]?.count ?? 0;
}

async function jobIds(chain: TestChain): Promise<string[]> {
  const rows = await database.db.query<{ job_id: string }>('select job_id from jobs where chain_id = $1', [
    chain.chainId,
  ]);
  return rows.map((row) => row.job_id);
}

function tasksOf(worker: Program, chain: TestChain) {
  return worker.log().filter((line) => line.event === 'task.ran' && line['chain_id'] === chain.chainId);
}

/**
 * Waits until the current minute on the database clock has enough seconds left. A test that spans two minutes would
 * get the limit twice.
 */
async function startOfMinute(secondsNeeded: number): Promise<void> {
  const rows = await database.db.query<{ left: number }>(
    'select 60 - extract(second from clock_timestamp())::float8 as left',
  );
  const left = rows[0]?.left ?? 0;
  if (left < secondsNeeded) await sleep(left * 1000 + 50);
}

function readiness(program: Program): Promise<Response> {
  return clientOf(program).call('GET', '/health/ready');
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
