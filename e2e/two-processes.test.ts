import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AisleClient, isApiError } from '@aisle/sdk';
import pg from 'pg';
import { acceptUpdate, readUpdate } from '../server/src/catalog/index.ts';
import { makeChain, makeToken, type TestChain } from '../server/test/support/chain.ts';
import { addProducts, plainProducts } from '../server/test/support/catalog.ts';
import { cloneDatabase, serverUrl, type TestDatabase } from '../server/test/support/database.ts';
import { clientOf, jobIdOf, statusOf, waitForJob } from './support/client.ts';
import { type Program, runProgram, startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

/** Tests two API processes and two workers on one database. */
let database: TestDatabase;
let environment: Record<string, string>;
let workers: Program[];
let one: Program;
let other: Program;

before(async () => {
  database = await cloneDatabase();
  environment = { DATABASE_URL: database.url, AISLE_RATE_LIMITS: 'off' };
  const migrated = await runProgram(['migrate'], environment);
  assert.deepEqual([migrated.code, migrated.stdout], [0, 'The database is up to date.\n'], migrated.stderr);
  [one, other, ...workers] = await Promise.all([start('api'), start('api'), start('worker'), start('worker')]);
});

after(() => database?.drop());

test('a rate limit applies across processes', async () => {
  const limits = { AISLE_RATE_LIMITS: 'read=20' };
  const servers = await Promise.all([start('api', limits), start('api', limits)]);
  const chain = await makeChain(database);
  const [first, second] = [clientOf(servers[0], chain), clientOf(servers[1], chain)];
  await startOfMinute(10);
  const results = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => (index % 2 ? first : second).listVendors()),
  );
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  assert.equal(errors.length, 40);
  for (const error of errors) {
    assert.ok(isApiError(error, 'rate_limited'), String(error));
    const seconds = Number(error.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 60, `retry-after ${seconds}`);
  }
  const stranger = await makeChain(database);
  for (const server of servers) await clientOf(server, stranger).listVendors();
});

test('requests with the same idempotency key, sent to both processes at once, create one job', async () => {
  const chain = await makeChain(database);
  await addProducts(database, chain, plainProducts(2));
  const clients = [clientOf(one, chain), clientOf(other, chain)] as const;
  const send = (client: AisleClient) => put(client, chain, 0, 7, 'one-and-only');
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) => send(index % 2 ? clients[0] : clients[1])),
  );
  const ids = new Set<string>();
  for (const result of results) {
    if (result.status === 'fulfilled') ids.add(result.value);
    else assert.ok(isApiError(result.reason, 'idempotency_in_progress'), String(result.reason));
  }
  for (const client of clients) ids.add(await send(client));
  assert.equal(ids.size, 1);
  assert.deepEqual(await jobIds(chain), [...ids]);
});

test('a token revoked in one process is rejected by the other within a second', async () => {
  const chain = await makeChain(database);
  const token = await makeToken(database, chain.chainId);
  const limited = clientOf(other, { token, chainId: chain.chainId });
  const use = () => statusOf(limited.listVendors.withResponse());
  assert.deepEqual([await use(), await use()], [200, 200]);
  const client = clientOf(one, chain);
  const { tokens } = await client.listTokens();
  const { token_id = '' } = tokens.find(({ name }) => name === 'limited') ?? {};
  await client.deleteToken({ params: { token_id } });
  await waitFor(1, 'the revoked token to be rejected', async () => (await use()) === 401 || undefined, 10);
  await sleep(100);
  assert.equal(await use(), 401);
});

test('two workers share the jobs, and each job runs once', async () => {
  const chain = await makeChain(database, { vendors: 8 });
  await addProducts(database, chain, plainProducts(2));
  const [client, another] = [clientOf(one, chain), clientOf(other, chain)];
  const jobs = await Promise.all(
    Array.from({ length: 40 }, (_, index) => put(index % 2 ? client : another, chain, index % 8, index)),
  );
  for (const job of jobs) await waitForJob(client, job);
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
  assert.equal((await fetch(`${worker.url}/health/live`)).status, 200);
  await sleep(1500);
  await onServer(`alter database ${name} with allow_connections true`);
  for (const each of workers) {
    await waitFor(10, 'the worker to be ready again', async () => (await readiness(each)).status === 200 || undefined);
  }
  const chain = await makeChain(database);
  await addProducts(database, chain, plainProducts(2));
  await waitForJob(clientOf(other, chain), await put(clientOf(one, chain), chain, 0, 3));
});

// This test is last, because it leaves the workers with a large backlog.
test("another chain's job does not wait for a thousand jobs from one chain", async (t) => {
  // A vendor's jobs run one at a time, so a thousand jobs due at once need a thousand vendors.
  const busy = await makeChain(database, { vendors: 1000 });
  const quiet = await makeChain(database);
  await addProducts(database, busy, plainProducts(2), busy.vendors.slice(0, 1));
  await copyOffers(busy);
  await addProducts(database, quiet, plainProducts(2));
  await acceptAtOnce(busy);
  const started = performance.now();
  await waitForJob(clientOf(other, quiet), await put(clientOf(one, quiet), quiet, 0, 9));
  const seconds = (performance.now() - started) / 1000;
  const waiting = await waitingTasks(busy);
  t.diagnostic(`done after ${seconds.toFixed(3)} s, with ${waiting} jobs from the other chain still waiting`);
  assert.ok(waiting > 900, `only ${waiting} jobs were still waiting`);
});

function start(role: string, more: Record<string, string> = {}): Promise<Program> {
  return startProgram({ role, environment: { ...environment, ...more } });
}

/** Sends a bulk update with two products to a vendor. Returns the id of its job. */
async function put(client: AisleClient, chain: TestChain, vendor: number, quantity: number, idempotencyKey?: string) {
  const products = plainProducts(2).map(({ sku }) => ({ sku, quantity }));
  const params = { vendor_id: String(chain.vendors[vendor]) };
  return jobIdOf(await client.updateCatalog({ params, body: { products } }, { idempotencyKey }));
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

async function readiness({ url }: Program) {
  const response = await fetch(`${url}/health/ready`);
  const body = (await response.json()) as { status: string; checks: { database: string } };
  return { status: response.status, body };
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
