import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimTasks, continueTask } from '../../../src/kernel/background/queue.ts';
import { makeChain } from '../../support/aisle.ts';
import { addProducts, plainProducts, readProduct, sendUpdate, waitForJob } from '../../support/catalog.ts';
import { waitFor } from '../../support/wait.ts';
import { startWithoutWorker } from '../../support/waiting-jobs.ts';

const { aisle, chain, store, otherStore, withWorker, readJob } = await startWithoutWorker();
const firstChain = '00000000-0000-0000-0000-000000000000';

/** Claims the only task and does nothing with it, like a worker that is killed. Returns the seconds until it is due. */
async function claimAndDie(): Promise<number> {
  await aisle.db.query('update queue_tasks set run_at = now()');
  const claimed = await claimTasks(aisle.db, { count: 4, afterChain: firstChain });
  assert.equal(claimed.length, 1);
  const [row] = await aisle.db.query<{ seconds: number }>(
    'select extract(epoch from run_at - now())::float8 as seconds from queue_tasks',
  );
  return row?.seconds ?? 0;
}

test('a job whose worker is killed ten times in the same slice is not lost', async () => {
  const jobId = await sendUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 12 }]);
  for (let deaths = 0; deaths < 10; deaths++) await claimAndDie();
  await aisle.db.query('update queue_tasks set run_at = now()');
  const job = await withWorker(() => waitForJob(aisle, chain, jobId));
  assert.equal(job.job_status, 'COMPLETED', job.error);
  assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 12);
});

test('a task that kills its worker every time runs at once, then after seconds, later only every few minutes', async () => {
  const jobId = await sendUpdate(aisle, chain, [{ sku: 'SKU-00002', price: 13 }]);
  for (const [min, max] of [
    [2, 3],
    [5, 8],
    [11, 19],
    [23, 47],
    [47, 118],
    [95, 294],
    [191, 733],
    [191, 733],
    [191, 733],
  ] as const) {
    const seconds = await claimAndDie();
    assert.ok(seconds > min && seconds <= max, `${seconds} s should be between ${min} and ${max} s`);
  }
  await aisle.db.query('update queue_tasks set run_at = now()');
  await withWorker(() => waitForJob(aisle, chain, jobId));
});

test('a slice that succeeds resets the count of deaths', async () => {
  const jobId = await sendUpdate(aisle, chain, [{ sku: 'SKU-00003', price: 14 }]);
  await claimAndDie();
  await claimAndDie();
  assert.equal((await readTask()).deaths, 2);
  await aisle.db.query('update queue_tasks set run_at = now()');
  const [task] = await claimTasks(aisle.db, { count: 1, afterChain: firstChain });
  assert.ok(task);
  await aisle.db.transaction((tx) => continueTask(tx, task, task.payload));
  assert.deepEqual(await readTask(), { attempts: 0, deaths: 0 });
  await withWorker(() => waitForJob(aisle, chain, jobId));
});

test('deaths do not use up the five attempts of a task that fails', async () => {
  const jobId = await sendUpdate(aisle, chain, [{ sku: 'SKU-00004', price: 15 }]);
  const [before] = await aisle.db.query<{ payload: unknown }>('select payload from queue_tasks');
  await aisle.db.query(`update queue_tasks set payload = payload || '{"vendor_id": 7}', deaths = 30`);
  await withWorker(async () => {
    await waitFor('the first failure', async () => (await readTask()).attempts === 1, 30);
    assert.equal((await readTask()).deaths, 30, 'an attempt that fails is not a death');
    await aisle.db.query('update queue_tasks set payload = $1, run_at = now()', [JSON.stringify(before?.payload)]);
    assert.equal((await waitForJob(aisle, chain, jobId)).job_status, 'COMPLETED');
  });
});

test('a job whose workers have died for days is FAILED, and the next job runs', async () => {
  const poisoned = await sendUpdate(aisle, chain, [{ sku: 'SKU-00005', price: 16 }]);
  await aisle.db.query('update queue_tasks set deaths = 500');
  const next = await sendUpdate(aisle, chain, [{ sku: 'SKU-00005', price: 17 }]);
  await withWorker(async () => {
    const job = await waitForJob(aisle, chain, poisoned);
    assert.equal(job.job_status, 'FAILED');
    assert.match(job.error, /^Processing failed after 500 attempts because of an internal error/);
    assert.equal((await waitForJob(aisle, chain, next)).job_status, 'COMPLETED');
  });
  const dead = await aisle.db.query('select attempts, last_error from queue_dead where chain_id = $1', [chain.chainId]);
  assert.deepEqual(dead, [{ attempts: 500, last_error: 'The worker died 500 times while running the task.' }]);
});

test("a chain's long tasks in every slot do not delay another chain's job", async () => {
  const other = await makeChain(aisle);
  await addProducts(aisle, other, plainProducts(1));
  const worker = await aisle.another({ AISLE_WORKER_SLOTS: '2' }, 'worker');
  try {
    const long = await aisle.db.transaction(async (tx) => {
      await tx.query('select 1 from offers where chain_id = $1 for update', [chain.chainId]);
      const ids = [
        await sendUpdate(aisle, chain, [{ sku: 'SKU-00006', price: 18 }], store),
        await sendUpdate(aisle, chain, [{ sku: 'SKU-00006', price: 18 }], otherStore),
      ];
      for (const id of ids) {
        await waitFor('the job to start', async () => (await readJob(id)).job_status === 'IN_PROGRESS', 30);
      }
      const jobId = await sendUpdate(aisle, other, [{ sku: 'SKU-00001', price: 19 }]);
      assert.equal((await waitForJob(aisle, other, jobId)).job_status, 'COMPLETED');
      return ids;
    });
    for (const id of long) assert.equal((await waitForJob(aisle, chain, id)).job_status, 'COMPLETED');
  } finally {
    await worker.stop();
  }
});

type TaskState = { attempts: number; deaths: number };

async function readTask(): Promise<TaskState> {
  const [task] = await aisle.db.query<TaskState>('select attempts, deaths from queue_tasks');
  assert.ok(task, 'the task is in the queue');
  return task;
}
