import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extendJob } from '../../../src/jobs/index.ts';
import { callerFor, makeChain, makeToken, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, putProducts, readProduct, runUpdate, waitForJob } from '../../support/catalog.ts';
import { assertProblem } from '../../support/problem.ts';
import { act, runPreview } from '../../support/undo.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
const [store] = chain.vendors as [string];
const call = callerFor(aisle, chain);
await addProducts(aisle, chain, plainProducts(20));

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

async function schedule(products: unknown[], at = inAnHour()): Promise<string> {
  const { status, text, body } = await call('PUT', `/vendors/${store}/catalog?apply_at=${at}`, { body: { products } });
  assert.equal(status, 202, text);
  return body.job_id;
}

const getJob = async (jobId: string) => (await call('GET', `/catalog/jobs/${jobId}`)).body;

/** Makes the job due now. */
async function makeDue(jobId: string): Promise<void> {
  const rows = await aisle.db.query(
    `update queue_tasks set run_at = now() where chain_id = $1 and lane = $2 and run_at > now() returning 1`,
    [chain.chainId, `start ${jobId}`],
  );
  assert.equal(rows.length, 1);
}

test('a scheduled job waits for its time and takes its place in the order then', async () => {
  const at = inAnHour();
  const jobId = await schedule(
    [
      { sku: 'SKU-00001', price: 2 },
      { sku: 'SKU-00002', price: 2 },
    ],
    at,
  );
  const waiting = await getJob(jobId);
  assert.deepEqual([waiting.job_status, waiting.apply_at], ['QUEUED', at]);
  // Neither a later job nor a later single update waits for it, and it is applied after both.
  await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 3 }]);
  await putProducts(aisle, chain, [{ sku: 'SKU-00002', price: 4 }]);
  await makeDue(jobId);
  const job = await waitForJob(aisle, chain, jobId);
  assert.deepEqual([job.job_status, job.progress.succeeded], ['COMPLETED', 2]);
  assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 2);
  assert.equal((await readProduct(aisle, chain, 'SKU-00002')).price, 2);
  assertProblem(await act(aisle, chain, jobId, 'cancel'), 'job_state_conflict');
});

test('a file with apply_at is not applied as soon as it has been read', async () => {
  const at = inAnHour();
  const query = new URLSearchParams({ folder: `/catalog/${store}`, name: 'not-yet.csv', apply_at: at });
  const headers = { 'content-type': 'text/csv' };
  const { body } = await call('POST', `/files?${query.toString()}`, { raw: 'sku,price\nSKU-00011,2\n', headers });
  const [jobId] = body.job_ids;
  const isRead = async () => {
    const rows = await aisle.db.query(
      `select 1 from jobs where job_id = $1 and not (details -> 'is_open')::boolean and total = 1`,
      [jobId],
    );
    return rows.length > 0;
  };
  await waitFor('the file to be read', isRead, 60);
  const [start] = await aisle.db.query<{ waits: boolean }>(
    `select run_at > now() + interval '30 min' as waits from queue_tasks where lane = $1`,
    [`start ${jobId}`],
  );
  assert.deepEqual(start, { waits: true });
  assert.equal((await getJob(jobId)).job_status, 'QUEUED');
  const file = await call('GET', `/files/${body.file_id}`);
  assert.equal(file.body.jobs[0].apply_at, at);
  await makeDue(jobId);
  assert.equal((await waitForJob(aisle, chain, jobId)).progress.succeeded, 1);
});

test('a scheduled job runs by itself when it is due', async () => {
  const jobId = await schedule([{ sku: 'SKU-00010', price: 2 }], new Date(Date.now() + 1000).toISOString());
  assert.equal((await waitForJob(aisle, chain, jobId)).progress.succeeded, 1);
});

test('a scheduled job can be cancelled', async () => {
  const jobId = await schedule([{ sku: 'SKU-00003', price: 2 }]);
  const { status, body } = await act(aisle, chain, jobId, 'cancel');
  assert.deepEqual([status, body.job_status], [200, 'FAILED']);
  assert.match(body.error, /^Cancelled by .* before it was applied\.$/);
  assertProblem(await act(aisle, chain, jobId, 'cancel'), 'job_state_conflict');
  await makeDue(jobId);
  // The next job runs, so the cancelled one does not block the store.
  await runUpdate(aisle, chain, [{ sku: 'SKU-00004', price: 2 }]);
  assert.equal((await readProduct(aisle, chain, 'SKU-00003')).price, 1);
  const chunks = await aisle.db.query('select 1 from job_chunks where job_id = $1', [jobId]);
  assert.equal(chunks.length, 0);
});

test('a cancelled job is not opened again by a process that is still reading its file', async () => {
  const query = new URLSearchParams({ folder: `/catalog/${store}`, name: 'cancelled.csv', apply_at: inAnHour() });
  const headers = { 'content-type': 'text/csv' };
  const { body } = await call('POST', `/files?${query.toString()}`, { raw: 'sku,price\nSKU-00005,2\n', headers });
  const jobId = body.job_ids[0];
  assert.equal((await act(aisle, chain, jobId, 'cancel')).status, 200);
  const more = { items: 10, details: { is_open: true, chunks: 5 } };
  assert.equal(await aisle.db.transaction((tx) => extendJob(tx, chain.chainId, jobId, more)), false);
  assert.ok((await getJob(jobId)).progress.total <= 1);
});

test('a scheduled job that cannot be started fails with an event, and nothing of it is left', async () => {
  const jobId = await schedule([{ sku: 'SKU-00006', price: 2 }]);
  await aisle.db.query('update queue_tasks set deaths = 500, run_at = now() where lane = $1', [`start ${jobId}`]);
  const job = await waitForJob(aisle, chain, jobId);
  assert.deepEqual([job.job_status, job.progress.succeeded], ['FAILED', 0]);
  assertProblem(await act(aisle, chain, jobId, 'cancel'), 'job_state_conflict');
  const left = await aisle.db.query('select 1 from job_chunks where job_id = $1', [jobId]);
  const events = await aisle.db.query('select type from events where job_id = $1', [jobId]);
  assert.deepEqual([left, events], [[], [{ type: 'catalog.job_finished' }]]);
});

test('a file is applied at its time, not as soon as it has been read', async () => {
  const query = new URLSearchParams({ folder: `/catalog/${store}`, name: 'later.csv', apply_at: inAnHour() });
  const headers = { 'content-type': 'text/csv' };
  const raw = 'sku,price\nSKU-00005,2\n';
  const { body } = await call('POST', `/files?${query.toString()}`, { raw, headers });
  const jobId = body.job_ids[0];
  await waitFor('the file to be read', async () => (await getJob(jobId)).progress.total === 1, 30);
  assert.equal((await getJob(jobId)).job_status, 'QUEUED');
  await makeDue(jobId);
  const job = await waitForJob(aisle, chain, jobId);
  assert.deepEqual([job.file_name, job.progress.succeeded], ['later.csv', 1]);
});

test('the same file sent without a time is applied now', async () => {
  const send = (more: Record<string, string>) => {
    const query = new URLSearchParams({ folder: `/catalog/${store}`, name: 'now.csv', ...more });
    const headers = { 'content-type': 'text/csv' };
    return call('POST', `/files?${query.toString()}`, { raw: 'sku,price\nSKU-00006,2\n', headers });
  };
  await send({ apply_at: inAnHour() });
  const { body } = await send({});
  assert.equal(body.is_repeat, false);
  assert.equal((await waitForJob(aisle, chain, body.job_ids[0])).progress.succeeded, 1);
});

test('a preview is applied at a time', async () => {
  const preview = await runPreview(aisle, chain, [{ sku: 'SKU-00007', price: 2 }]);
  const past = await act(aisle, chain, preview.job_id, 'apply', { apply_at: '2020-01-01T00:00:00Z' });
  assertProblem(past, 'invalid_request');
  const { body } = await act(aisle, chain, preview.job_id, 'apply', { apply_at: inAnHour() });
  assert.equal((await getJob(body.job_id)).job_status, 'QUEUED');
  await makeDue(body.job_id);
  assert.equal((await waitForJob(aisle, chain, body.job_id)).progress.succeeded, 1);
});

test('cancelling requires access to the job and catalog:write', async () => {
  const jobId = await schedule([{ sku: 'SKU-00008', price: 2 }]);
  const reader = await makeToken(aisle, chain.chainId, { scopes: ['catalog:read'] });
  assertProblem(await act(aisle, chain, jobId, 'cancel', undefined, reader), 'forbidden');
  const limited = await makeToken(aisle, chain.chainId, { vendor_ids: [String(chain.vendors[1])] });
  assertProblem(await act(aisle, chain, jobId, 'cancel', undefined, limited), 'job_not_found');
});

test('every job says who created it and from where', async () => {
  const { body } = await putProducts(aisle, chain, [{ sku: 'SKU-00009', price: 2 }], {
    headers: { prefer: 'respond-async' },
  });
  const job = await waitForJob(aisle, chain, body.job_id);
  assert.deepEqual(job.created_by, { name: 'all', channel: 'api', address: '127.0.0.1' });
});
