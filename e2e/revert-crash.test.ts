import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeChain, type TestChain } from '../server/test/support/aisle.ts';
import { catalogPath, waitForJob } from '../server/test/support/catalog.ts';
import { cloneDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { act } from '../server/test/support/undo.ts';
import { insertOffers, insertProducts, skuOf } from './support/products.ts';
import { type Client, clientOf } from './support/client.ts';
import { launchProgram, startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

const items = 60_000;
const chunkItems = 10_000;
/** Every 100th product is changed again before the revert. */
const changedLater = 100;

let database: TestDatabase;
let chain: TestChain;
let client: Client;

before(async () => {
  database = await cloneDatabase();
  chain = await makeChain(database, { vendors: 1 });
  await insertProducts(database.db, chain.chainId, items);
  await insertOffers(database.db, chain.chainId, String(chain.vendors[0]), 1.5);
  client = clientOf(await startProgram({ role: 'api', environment: environment() }));
});

after(() => database?.drop());

test('a file is previewed, applied and reverted, and its export is the old one except for what changed since', async () => {
  const worker = launchProgram(['worker'], { ...environment(), PORT: '0' });
  const before = await exportCatalog();
  const preview = await previewFile();
  assert.deepEqual([preview.job_status, preview.progress.succeeded], ['COMPLETED', items]);
  assert.deepEqual(await exportCatalog(), before);
  const { body: applied } = await act(client, chain, preview.job_id, 'apply');
  const job = await waitForJob(client, chain, applied.job_id, 120);
  assert.equal(job.progress.succeeded, items);
  const later = Array.from({ length: items / changedLater }, (_, index) => ({
    sku: skuOf((index + 1) * changedLater),
    price: 9,
  }));
  const update = await client.call('PUT', catalogPath(chain), { token: chain.token, body: { products: later } });
  await waitForJob(client, chain, update.body.job_id, 60);
  const changed = await exportCatalog();

  const { body: reverting } = await act(client, chain, job.job_id, 'revert');
  const isHalfDone = async () => {
    const { body } = await client.call('GET', `${chain.base}/catalog/jobs/${reverting.job_id}`, { token: chain.token });
    return body.progress.processed >= chunkItems ? true : undefined;
  };
  await waitFor(60, 'the revert to be in progress', isHalfDone, 2);
  worker.kill('SIGKILL');
  await worker.ended;
  await database.db.query("update queue_tasks set run_at = now() where run_at < 'infinity'");
  await startProgram({ role: 'worker', environment: environment() });
  const revert = await waitForJob(client, chain, reverting.job_id, 120);
  const { progress } = revert;
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
    [reverting.job_id],
  );
  assert.equal(counts?.rows, items);
});

function environment(): Record<string, string> {
  return { DATABASE_URL: database.url, AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'warn' };
}

async function previewFile() {
  const lines = Array.from({ length: items }, (_, index) => `${skuOf(index + 1)},${2 + (index % 50) / 100},7\n`);
  const query = new URLSearchParams({ folder: `/catalog/${chain.vendors[0]}`, name: 'prices.csv', dry_run: 'true' });
  const { status, text, body } = await client.call('POST', `${chain.base}/files?${query.toString()}`, {
    token: chain.token,
    raw: Buffer.from(`sku,price,quantity\n${lines.join('')}`),
    headers: { 'content-type': 'text/csv' },
  });
  assert.equal(status, 202, text);
  return waitForJob(client, chain, body.job_ids[0], 120);
}

async function exportCatalog(): Promise<string[]> {
  const { body } = await client.call('POST', `${catalogPath(chain)}/export`, { token: chain.token });
  await waitForJob(client, chain, body.job_id, 120);
  const path = `${chain.base}/catalog/jobs/${body.job_id}/download`;
  const { text } = await client.call('GET', path, { token: chain.token });
  return text.trimEnd().split('\n');
}

function priceOf(line: string | undefined): string {
  return line?.split(',')[2] ?? '';
}
