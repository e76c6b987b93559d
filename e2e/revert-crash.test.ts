import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AisleClient } from '@aisle/sdk';
import { makeChain, type TestChain } from '../server/test/support/chain.ts';
import { cloneDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { holdLocks, isLockAwaited } from '../server/test/support/lock-waits.ts';
import { insertOffers, insertProducts, skuOf } from './support/products.ts';
import { clientOf, jobIdOf, waitForJob } from './support/client.ts';
import { launchProgram, startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

const items = 60_000;
/** The worker is killed in the slice with this row, which is neither the first nor the last one of its chunk. */
const lastRow = 36_000;
/** Every 100th product is changed again before the revert. */
const changedLater = 100;

let database: TestDatabase;
let chain: TestChain;
let client: AisleClient;
let params: { vendor_id: string };

before(async () => {
  database = await cloneDatabase();
  chain = await makeChain(database, { vendors: 1 });
  await insertProducts(database.db, chain.chainId, items);
  await insertOffers(database.db, chain.chainId, String(chain.vendors[0]), 1.5);
  client = clientOf(await startProgram({ role: 'api', environment: environment() }), chain);
  params = { vendor_id: String(chain.vendors[0]) };
});

after(() => database?.drop());

test('a file is previewed, applied and reverted, and its export is the old one except for what changed since', async () => {
  const worker = launchProgram(['worker'], { ...environment(), PORT: '0' });
  const before = await exportCatalog();
  const preview = await previewFile();
  assert.equal(preview.progress.succeeded, items);
  assert.deepEqual(await exportCatalog(), before);
  const applied = await client.applyCatalogPreview({ params: { job_id: preview.job_id } });
  const job = await waitForJob(client, applied.job_id, 120);
  assert.equal(job.progress.succeeded, items);
  const later = Array.from({ length: items / changedLater }, (_, index) => ({
    sku: skuOf((index + 1) * changedLater),
    price: 9,
  }));
  await waitForJob(client, jobIdOf(await client.updateCatalog({ params, body: { products: later } })), 60);
  const changed = await exportCatalog();

  const release = await holdLocks(database.db, 'select 1 from offers where sku = $1 for update', [skuOf(lastRow)]);
  const { job_id } = await client.revertCatalogJob({ params: { job_id: job.job_id } });
  const isHeld = async () => (await isLockAwaited(database.db, 'transactionid')) || undefined;
  await waitFor(60, 'the revert to be in progress', isHeld);
  worker.kill('SIGKILL');
  await worker.ended;
  await release();
  const { progress: half } = await client.getCatalogJob({ params: { job_id } });
  assert.ok(half.processed > 0 && half.processed < items, `${half.processed} rows were reverted`);
  await database.db.query("update queue_tasks set run_at = now() where run_at < 'infinity'");
  await startProgram({ role: 'worker', environment: environment() });
  const { progress } = await waitForJob(client, job_id, 120);
  // The stock of the products that were changed again is restored too, but not their prices.
  assert.deepEqual(progress, { total: items, processed: items, succeeded: items, unchanged: 0, failed: 0 });
  const after = await exportCatalog();
  const expected = before.map((line, index) => {
    const isKept = index > 0 && index % changedLater === 0;
    return isKept ? line.replace(/^([^,]*,[^,]*),[^,]*/, `$1,${priceOf(changed[index])}`) : line;
  });
  assert.deepEqual(after, expected);
  const [counts] = await database.db.query<{ rows: number }>(
    'select sum(cardinality(skus))::int as rows from job_changes where job_id = $1',
    [job_id],
  );
  assert.equal(counts?.rows, items);
});

function environment(): Record<string, string> {
  return { DATABASE_URL: database.url, AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'warn' };
}

async function previewFile() {
  const lines = Array.from({ length: items }, (_, index) => `${skuOf(index + 1)},${2 + (index % 50) / 100},7\n`);
  const { job_ids } = await client.uploadFile({
    query: { folder: `/catalog/${params.vendor_id}`, name: 'prices.csv', dry_run: true },
    body: `sku,price,quantity\n${lines.join('')}`,
  });
  return waitForJob(client, job_ids[0] ?? '', 120);
}

async function exportCatalog(): Promise<string[]> {
  const { job_id } = await client.exportCatalog({ params });
  await waitForJob(client, job_id, 120);
  const file = await client.downloadCatalogJob({ params: { job_id } });
  return (await file.text()).trimEnd().split('\n');
}

function priceOf(line: string | undefined): string {
  return line?.split(',')[2] ?? '';
}
