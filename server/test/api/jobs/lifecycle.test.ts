import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendUpdate, waitForJob } from '../../support/catalog.ts';
import { percent, promotionBody, putPromotion, waitForPromotionJob } from '../../support/promotions.ts';
import { waitFor } from '../../support/wait.ts';
import { startWithoutWorker } from '../../support/waiting-jobs.ts';

const { aisle, chain, store, withWorker, startExport, startCreation } = await startWithoutWorker();

type Row = { status: string; error: string | null; error_code: string | null; open_tasks: number };

async function readRow(jobId: string): Promise<Row> {
  const [row] = await aisle.db.query<Row>('select status, error, error_code, open_tasks from jobs where job_id = $1', [
    jobId,
  ]);
  assert.ok(row, `the job ${jobId}`);
  return row;
}

async function sendPromotion(name: string): Promise<string> {
  const body = promotionBody({ display_name: { en_AE: name }, discount: [percent(20, 'SKU-00001')] });
  const { status, text, body: accepted } = await putPromotion(aisle, chain, body);
  assert.equal(status, 202, text);
  return accepted.job_id;
}

test('a running promotion job is marked as started but still has the status QUEUED', async () => {
  await withWorker(async () => {
    const jobId = await aisle.db.transaction(async (tx) => {
      // The job inserts into this table, so it blocks.
      await tx.query('lock table promotions in exclusive mode');
      const sent = await sendPromotion('Started');
      await waitFor('the job to start', async () => (await readRow(sent)).status === 'IN_PROGRESS', 30);
      const path = `${chain.base}/promotion/jobs/${sent}`;
      const { body } = await aisle.call('GET', path, { token: chain.token });
      assert.deepEqual([body.job_status, body.promotion_id], ['QUEUED', null]);
      assert.ok(body.updated_at > body.created_at);
      return sent;
    });
    assert.equal((await waitForPromotionJob(aisle, chain, jobId)).job_status, 'COMPLETED');
  });
});

test("an error's code is stored separately from its text, and a promotion job returns both", async () => {
  const body = promotionBody({ discount: [percent(20, 'NOWHERE')] });
  const { body: accepted } = await putPromotion(aisle, chain, body);
  const job = await withWorker(() => waitForPromotionJob(aisle, chain, accepted.job_id));
  const { error, error_code } = await readRow(accepted.job_id);
  assert.deepEqual(
    [error_code, error],
    ['nothing_applied', 'No SKU could be applied at any vendor; see the result for the reasons.'],
  );
  assert.equal(job.error, `${error_code}: ${error}`);
});

test('a job from an earlier version, whose error text includes its code, is returned unchanged', async () => {
  const jobId = await sendPromotion('Earlier');
  await withWorker(() => waitForPromotionJob(aisle, chain, jobId));
  const error = 'nothing_applied: none of the ids is a vendor of the chain.';
  await aisle.db.query(`update jobs set status = 'FAILED', error = $2 where job_id = $1`, [jobId, error]);
  assert.equal((await waitForPromotionJob(aisle, chain, jobId)).error, error);
});

test('a job of any type becomes FAILED once its tasks have used up all attempts', async () => {
  const jobs = {
    CATALOG_UPDATE: await sendUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 2 }]),
    CATALOG_EXPORT: await startExport(),
    PRODUCT_CREATION: await startCreation([store], [{ sku: 'NEW', title: 'New', price: 1 }]),
    PROMOTION: await sendPromotion('Given up'),
  };
  const ids = Object.values(jobs);
  // The payload is invalid, and four of the five attempts have failed already.
  await aisle.db.query(
    `update queue_tasks set payload = ('{"vendor_id": 7, "job_id": "' || (payload ->> 'job_id') || '"}')::jsonb, attempts = 4
     where payload ->> 'job_id' = any ($1)`,
    [ids],
  );
  await withWorker(async () => {
    for (const jobId of ids) {
      await waitFor(`${jobId} to finish`, async () => (await readRow(jobId)).status === 'FAILED', 30);
    }
  });
  const message = 'Processing failed after 5 attempts because of an internal error; contact the operator.';
  for (const [type, jobId] of Object.entries(jobs)) {
    const row = { status: 'FAILED', error: message, error_code: 'internal_error', open_tasks: 0 };
    assert.deepEqual(await readRow(jobId), row, type);
  }
  assert.equal((await waitForJob(aisle, chain, jobs.CATALOG_UPDATE)).error, message);
  const promotion = await waitForPromotionJob(aisle, chain, jobs.PROMOTION);
  assert.deepEqual([promotion.error, promotion.promotion_id], [`internal_error: ${message}`, null]);
  const dead = await aisle.db.query<{ kind: string; attempts: number }>(
    `select kind, attempts from queue_dead where payload ->> 'job_id' = any ($1) order by kind`,
    [ids],
  );
  const kinds = ['catalog.creation', 'catalog.export', 'catalog.update', 'promotions.apply'];
  assert.deepEqual(
    dead,
    kinds.map((kind) => ({ kind, attempts: 5 })),
  );
});
