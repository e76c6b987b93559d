import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertDeliveries } from '../../../src/deliveries/queries.ts';
import { markStarted } from '../../../src/jobs/queries.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import { applyPromotionNow } from '../../../src/promotions/index.ts';
import { sendUpdate } from '../../support/catalog.ts';
import { percent, promotionBody } from '../../support/promotions.ts';
import { startWithoutWorker } from '../../support/waiting-jobs.ts';
import { changeOrder, setWebhook } from '../../support/webhooks.ts';

const { aisle, chain, startExport } = await startWithoutWorker();

/** Reads the timestamps from the database, because the ones in responses have no microseconds. */
async function assertNotBefore(table: 'jobs' | 'promotions' | 'deliveries', count: number): Promise<void> {
  const rows = await aisle.db.query<{ isFine: boolean }>(
    `select updated_at >= created_at as "isFine" from ${table} where chain_id = $1`,
    [chain.chainId],
  );
  assert.deepEqual(
    rows.map((row) => row.isFine),
    Array.from({ length: count }, () => true),
  );
}

test("a job's updated_at is never before its created_at, even if the job was just accepted or started", async () => {
  await aisle.db.query('delete from jobs where chain_id = $1', [chain.chainId]);
  const jobId = await sendUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 2 }]);
  await startExport();
  await assertNotBefore('jobs', 2);
  await aisle.db.transaction(async (tx) => {
    await tx.query('select now()');
    const later = await startExport();
    for (const id of [jobId, later]) await markStarted(tx, chain.chainId, id);
  });
  await assertNotBefore('jobs', 3);
});

test("a promotion's updated_at is never before its created_at", async () => {
  const body = promotionBody({ discount: [percent(20, 'SKU-00001')] });
  await aisle.db.transaction((tx) => applyPromotionNow(tx, chain.chainId, newId(), body, new Date()));
  await assertNotBefore('promotions', 1);
});

test("a delivery's updated_at is never before its created_at, even in a transaction older than its event", async () => {
  await setWebhook(aisle, chain, { production_url: 'https://receiver.example/' });
  await aisle.db.transaction(async (tx) => {
    await tx.query('select now()');
    const orderId = await changeOrder(aisle, chain);
    const events = await tx.query<{ chain_id: string; event_id: string }>(
      'update events set position = 1 where chain_id = $1 and order_id = $2 returning chain_id, event_id',
      [chain.chainId, orderId],
    );
    await insertDeliveries(tx, chain.chainId, events);
  });
  await assertNotBefore('deliveries', 1);
});
