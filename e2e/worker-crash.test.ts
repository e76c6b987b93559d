import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AisleClient } from '@aisle/sdk';
import { makeChain, type TestChain } from '../server/test/support/chain.ts';
import { cloneDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { insertOffers, insertProducts, skuOf } from './support/products.ts';
import { clientOf, jobIdOf, waitForJob } from './support/client.ts';
import { launchProgram, startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

const items = 100_000;
const kills = 10;

let database: TestDatabase;
let chain: TestChain;
let client: AisleClient;

before(async () => {
  database = await cloneDatabase();
  chain = await makeChain(database, { vendors: 1 });
  await insertProducts(database.db, chain.chainId, items);
  await insertOffers(database.db, chain.chainId, String(chain.vendors[0]), 0);
  client = clientOf(await startProgram({ role: 'api', environment: environment() }), chain);
});

after(() => database?.drop());

test('an update whose worker is killed ten times is applied exactly once, with a complete result file and one event', async (t) => {
  const jobs: { id: string; kills: number }[] = [];
  for (let landed = 0; landed < kills; ) {
    assert.ok(jobs.length < 10, 'ten jobs were too short to be interrupted ten times');
    const id = await submitUpdate(jobs.length + 1);
    const job = { id, kills: await killWorkersOf(id, kills - landed) };
    landed += job.kills;
    jobs.push(job);
  }
  t.diagnostic(`kills while each job was running: ${jobs.map((job) => job.kills).join(', ')}`);

  await startProgram({ role: 'worker', environment: environment() });
  for (const { id } of jobs) await assertComplete(id);
  await assertOffersAreOfRound(jobs.length);
  await assertNothingIsLeft();
});

function environment(): Record<string, string> {
  return { DATABASE_URL: database.url, AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'warn' };
}

async function submitUpdate(round: number): Promise<string> {
  const products = Array.from({ length: items }, (_, index) => ({
    sku: skuOf(index + 1),
    price: (1000 * round + index + 1) / 1000,
    quantity: (index + 1) % 1000,
    active: (index + 1) % 2 === round % 2,
  }));
  const params = { vendor_id: String(chain.vendors[0]) };
  return jobIdOf(await client.updateCatalog({ params, body: { products } }));
}

/** Kills workers one by one, shortly after each claims the job. Returns how many kills left the job unfinished. */
async function killWorkersOf(jobId: string, maxKills: number): Promise<number> {
  const claims = new Map<string, number>();
  for (let landed = 0; landed < maxKills; landed++) {
    const worker = launchProgram(['worker'], { ...environment(), PORT: '0' });
    await tasksReach(jobId, 'a claim', (tasks) => tasks.some((task) => task.claim > (claims.get(task.task_id) ?? 0)));
    await waitFor(30, 'the job to start', async () => ((await jobStatus(jobId)) !== 'QUEUED' ? true : undefined), 5);
    await sleep(30 + Math.random() * 220);
    worker.kill('SIGKILL');
    assert.deepEqual(await worker.ended, { code: null, signal: 'SIGKILL' }, worker.stderr());
    const left = await listTasks(jobId);
    if (left.length === 0) return landed;
    assert.equal(await jobStatus(jobId), 'IN_PROGRESS');
    for (const task of left) claims.set(task.task_id, task.claim);
    // The delay before a task runs again grows with every death, so the test does not wait for it.
    await database.db.query("update queue_tasks set run_at = now() where run_at < 'infinity'");
  }
  return maxKills;
}

type TaskState = { task_id: string; claim: number };

/** Waits until the tasks are in this state. Once there are no tasks left, every state counts as reached. */
function tasksReach(jobId: string, what: string, isReached: (tasks: TaskState[]) => boolean): Promise<true> {
  return waitFor(
    30,
    what,
    async () => {
      const tasks = await listTasks(jobId);
      return tasks.length === 0 || isReached(tasks) ? true : undefined;
    },
    5,
  );
}

function listTasks(jobId: string): Promise<TaskState[]> {
  return database.db.query("select task_id, claim::int from queue_tasks where payload ->> 'job_id' = $1", [jobId]);
}

async function jobStatus(jobId: string): Promise<string> {
  return (await client.getCatalogJob({ params: { job_id: jobId } })).job_status;
}

/** Checks the result. If a slice had been applied twice, its items would be counted twice or as unchanged. */
async function assertComplete(jobId: string): Promise<void> {
  const job = await waitForJob(client, jobId, 60);
  assert.deepEqual(job.progress, { total: items, processed: items, succeeded: items, unchanged: 0, failed: 0 });

  const file = await client.downloadCatalogJob({ params: { job_id: jobId } });
  const [header, ...lines] = (await file.text()).trimEnd().split('\n');
  assert.equal(header, 'sku,code,state,errors,rowNumber,pieceBarcode');
  assert.equal(lines.length, items);
  const rows = new Map(lines.map((line) => [Number(line.split(',')[4]), line]));
  for (let row = 1; row <= items; row++) assert.equal(rows.get(row), `${skuOf(row)},,UPDATED,,${row},`);

  const events = await database.db.query("select 1 from events where body ->> 'job_id' = $1", [jobId]);
  assert.equal(events.length, 1);
}

async function assertOffersAreOfRound(round: number): Promise<void> {
  const rows = await database.db.query<{ right: number; total: number }>(
    `select count(*)::int as total, count(*) filter (where
       (price, quantity, active) = ($1 + n / 1000.0, n % 1000, n % 2 = $1 % 2))::int as right
     from (select *, right(sku, 6)::int as n from offers) o`,
    [round],
  );
  assert.deepEqual(rows[0], { total: items, right: items });
}

async function assertNothingIsLeft(): Promise<void> {
  for (const table of ['queue_tasks', 'queue_dead', 'job_chunks']) {
    const rows = await database.db.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    assert.equal(rows[0]?.count, 0, table);
  }
}
