import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putProducts, readLog, readProduct, runUpdate, sendUpdate, waitForJob } from '../../support/catalog.ts';
import { waitFor } from '../../support/wait.ts';
import { startWithoutWorker } from '../../support/waiting-jobs.ts';

const { aisle, chain, store, otherStore, readJob, withWorker, startExport, startCreation, whileLocked } =
  await startWithoutWorker();
const statesOf = (log: string[]) => log.slice(1).map((line) => line.split(',')[2]);

test("one vendor's jobs are applied in the order they were accepted", async () => {
  const jobIds: string[] = [];
  for (const price of [21, 22, 23, 24]) jobIds.push(await sendUpdate(aisle, chain, [{ sku: 'SKU-00007', price }]));
  await withWorker(() => Promise.all(jobIds.map((jobId) => waitForJob(aisle, chain, jobId))));
  for (const jobId of jobIds) assert.deepEqual(statesOf(await readLog(aisle, chain, jobId)), ['UPDATED']);
  assert.equal((await readProduct(aisle, chain, 'SKU-00007')).price, 24);
});

test("one vendor's creation, update and export jobs run in the order they were accepted", async () => {
  const product = { sku: 'FRESH', title: 'Fresh', price: 1 };
  const early = await sendUpdate(aisle, chain, [{ sku: 'FRESH', price: 30 }]);
  const created = await startCreation('*', [product]);
  const late = await sendUpdate(aisle, chain, [{ sku: 'FRESH', price: 31 }]);
  const exported = await startExport();
  const last = await sendUpdate(aisle, chain, [{ sku: 'FRESH', price: 32 }]);
  const jobs = await withWorker(() =>
    Promise.all([early, created, late, exported, last].map((jobId) => waitForJob(aisle, chain, jobId))),
  );
  assert.deepEqual(
    jobs.map((job) => job.job_status),
    ['FAILED', 'COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED'],
  );
  assert.ok((await readLog(aisle, chain, exported)).includes('FRESH,,31,1,,'));
  assert.equal((await readProduct(aisle, chain, 'FRESH')).price, 32);
});

test("jobs of every type wait for the same vendor's earlier jobs, but not for other vendors' jobs", async () => {
  await withWorker(async () => {
    const waiting = await whileLocked('SKU-00001', async () => {
      const first = await sendUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 41 }], store);
      await waitFor('the job to start', async () => (await readJob(first)).job_status === 'IN_PROGRESS', 30);
      const behind = [
        await startCreation([store], [{ sku: 'BEHIND', title: 'Behind', price: 1 }]),
        await startExport(store),
        await sendUpdate(aisle, chain, [{ sku: 'SKU-00002', price: 42 }], store),
      ];
      const elsewhere = await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 43 }], otherStore);
      assert.equal(elsewhere.job_status, 'COMPLETED');
      for (const jobId of behind) assert.equal((await readJob(jobId)).job_status, 'QUEUED');
      return [first, ...behind];
    });
    for (const jobId of waiting) assert.equal((await waitForJob(aisle, chain, jobId)).job_status, 'COMPLETED');
  });
});

test('a single update overrides all jobs accepted before it', async () => {
  const [first, second] = await Promise.all([
    sendUpdate(aisle, chain, [
      { sku: 'SKU-00008', price: 51, quantity: 51, barcode: '8051' },
      { sku: 'SKU-00009', price: 51 },
    ]),
    sendUpdate(aisle, chain, [
      { sku: 'SKU-00009', price: 52 },
      { sku: 'SKU-00008', price: 52 },
    ]),
  ]);
  const single = await putProducts(aisle, chain, [{ sku: 'SKU-00008', price: 50 }]);
  assert.equal(single.status, 200);
  const jobs = await withWorker(() => Promise.all([first, second].map((jobId) => waitForJob(aisle, chain, jobId))));
  for (const job of jobs) {
    assert.deepEqual(job.progress, { total: 2, processed: 2, succeeded: 1, unchanged: 1, failed: 0 });
    const line = (await readLog(aisle, chain, job.job_id)).find((one) => one.startsWith('SKU-00008'));
    assert.match(line ?? '', /^SKU-00008,superseded_by_single_update,SUPERSEDED,"A single update to this SKU was /);
  }
  const { updated_at: _, ...product } = await readProduct(aisle, chain, 'SKU-00008');
  const { updated_at: _updated, ...responded } = single.body;
  assert.deepEqual(product, responded);
});

test('a job accepted after a single update overrides that update', async () => {
  assert.equal((await putProducts(aisle, chain, [{ sku: 'SKU-00008', price: 60 }])).status, 200);
  const jobId = await sendUpdate(aisle, chain, [{ sku: 'SKU-00008', price: 61 }]);
  await withWorker(() => waitForJob(aisle, chain, jobId));
  assert.deepEqual(statesOf(await readLog(aisle, chain, jobId)), ['UPDATED']);
  assert.equal((await readProduct(aisle, chain, 'SKU-00008')).price, 61);
});

test('a single update overrides a running job', async () => {
  await withWorker(async () => {
    const { jobId, single } = await whileLocked('SKU-00001', async () => {
      const sent = await sendUpdate(aisle, chain, [
        { sku: 'SKU-00001', price: 71 },
        { sku: 'SKU-00002', price: 71 },
      ]);
      await waitFor('the job to start', async () => (await readJob(sent)).job_status === 'IN_PROGRESS', 30);
      return { jobId: sent, single: putProducts(aisle, chain, [{ sku: 'SKU-00002', price: 70 }]) };
    });
    assert.equal((await single).status, 200);
    await waitForJob(aisle, chain, jobId);
    assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 71);
    assert.equal((await readProduct(aisle, chain, 'SKU-00002')).price, 70);
    // Either the job or the single update writes the row first. The job's log must match what happened.
    const [, state] = statesOf(await readLog(aisle, chain, jobId));
    assert.ok(state === 'SUPERSEDED' || state === 'UPDATED', state);
  });
});
