import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AisleClient, PutPromotionInput } from '@aisle/sdk';
import { makeChain, type TestChain } from '../server/test/support/chain.ts';
import { cloneDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { promotionBody } from '../server/test/support/promotions.ts';
import { insertProducts, skuOf } from './support/products.ts';
import { clientOf } from './support/client.ts';
import { launchProgram, startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

const skus = 12_000;
const vendors = 12;
const kills = 5;

let database: TestDatabase;
let chain: TestChain;
let client: AisleClient;

before(async () => {
  database = await cloneDatabase();
  chain = await makeChain(database, { vendors });
  await addOffersBySql();
  client = clientOf(await startProgram({ role: 'api', environment: environment() }), chain);
});

after(() => database?.drop());

test('a promotion whose worker is killed repeatedly is applied exactly once, and is visible only when complete', async (t) => {
  const sku = Array.from({ length: skus }, (_, index) => skuOf(index + 1));
  const body = promotionBody({
    vendors: chain.vendors,
    discount: [{ discount_subtype: 'FINAL_PRICE', discount_value: 2, sku: [...sku, 'NOWHERE'] }],
  });
  const accepted = await client.putPromotion({ body } as PutPromotionInput);
  const landed = await killWorkers(accepted.job_id);
  t.diagnostic(`${landed} kills while the job was running`);
  assert.ok(landed > 0, 'the job was too short to be interrupted');

  await startProgram({ role: 'worker', environment: environment() });
  const job = await client.waitForPromotionJob(accepted.job_id, { pollMs: 50, timeoutMs: 120_000 });
  const rejected = skus / 100;
  assert.equal(job.result.applied, (skus - rejected) * vendors);
  assert.deepEqual(Object.keys(job.result.missing_skus).toSorted(), chain.vendors.toSorted());
  await assertRowsAreComplete(String(job.promotion_id), skus - rejected);
  await assertFileIsComplete(job.job_id, (rejected + 1) * vendors);
  await assertNothingIsLeft();
});

function environment(): Record<string, string> {
  return { DATABASE_URL: database.url, AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'warn' };
}

/** Kills workers one by one, shortly after each claims the job. Returns how many kills left the job unfinished. */
async function killWorkers(jobId: string): Promise<number> {
  let claims = 0;
  for (let landed = 0; landed < kills; landed++) {
    const worker = launchProgram(['worker'], { ...environment(), PORT: '0' });
    const isClaimed = async () => (await isOver()) || (await countClaims()) > claims;
    await waitFor(60, 'a claim', async () => ((await isClaimed()) ? true : undefined), 5);
    await sleep(30 + Math.random() * 200);
    worker.kill('SIGKILL');
    await worker.ended;
    if (await isOver()) return landed;
    claims = await countClaims();
    // The delay before a task runs again grows with every death, so the test does not wait for it.
    await database.db.query("update queue_tasks set run_at = now() where run_at < 'infinity'");
    await assertHidden(jobId);
  }
  return kills;
}

async function countClaims(): Promise<number> {
  const rows = await database.db.query<{ claims: number }>(
    'select coalesce(sum(claim), 0)::int as claims from queue_tasks',
  );
  return rows[0]?.claims ?? 0;
}

async function isOver(): Promise<boolean> {
  return (await database.db.query('select 1 from queue_tasks')).length === 0;
}

/** Checks that the promotion is not visible while the job is running. */
async function assertHidden(jobId: string): Promise<void> {
  const { job_status } = await client.getPromotionJob({ params: { job_id: jobId } });
  if (job_status !== 'QUEUED') return;
  const params = { vendor_id: String(chain.vendors[0]) };
  const { products } = await client.listCatalog({ params, query: { page_size: 5 } });
  for (const { promotion } of products) assert.equal(promotion, undefined);
}

async function assertRowsAreComplete(promotionId: string, each: number): Promise<void> {
  const rows = await database.db.query<{ vendor_id: string; count: number }>(
    'select vendor_id, count(*)::int as count from promotion_offers where promotion_id = $1 group by vendor_id',
    [promotionId],
  );
  assert.deepEqual(
    new Map(rows.map((row) => [row.vendor_id, row.count])),
    new Map(chain.vendors.map((id) => [id, each])),
  );
  const { state, total_items } = await client.getPromotion({ params: { promotion_id: promotionId } });
  assert.deepEqual([state, total_items], ['RUNNING', each]);
}

async function assertFileIsComplete(jobId: string, lines: number): Promise<void> {
  const file = await client.downloadPromotionJob({ params: { job_id: jobId } });
  const [, ...rows] = (await file.text()).trimEnd().split('\n');
  assert.equal(rows.length, lines);
  assert.equal(new Set(rows).size, lines);
}

async function assertNothingIsLeft(): Promise<void> {
  for (const table of ['queue_tasks', 'queue_dead', 'job_chunks']) {
    assert.deepEqual(await database.db.query(`select 1 from ${table}`), [], table);
  }
}

/** Inserts offers. Every hundredth one costs less than the promotional price. */
async function addOffersBySql(): Promise<void> {
  const { db } = database;
  await insertProducts(db, chain.chainId, skus);
  await db.query(
    `insert into offers (chain_id, vendor_id, sku, price, active)
     select p.chain_id, v.vendor_id, p.sku, case when right(p.sku, 2) = '00' then 1 else 5 end, true
     from products p join vendors v on v.chain_id = p.chain_id where p.chain_id = $1`,
    [chain.chainId],
  );
  await db.query('analyze products, offers');
}
