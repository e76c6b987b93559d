import assert from 'node:assert/strict';
import test from 'node:test';
import type { Config } from '../../../src/config.ts';
import { jobChores } from '../../../src/jobs/chores.ts';
import { listUnmeasured } from '../../../src/jobs/storage-queries.ts';
import { makeChain, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import {
  addProducts,
  catalogPath,
  plainProducts,
  putProducts,
  readLog,
  readProduct,
  runUpdate,
  sendUpdate,
  waitForJob,
} from '../../support/catalog.ts';
import { runChores } from '../../support/chores.ts';
import { uploadFile } from '../../support/files.ts';
import { assertProblem } from '../../support/problem.ts';
import { applyPromotion, percent, promotionBody, putPromotion, without } from '../../support/promotions.ts';

const maxJobBytes = 1_000_000;
const aisle = await useOwnAisle({
  AISLE_MAX_PRODUCTS: '10',
  AISLE_MAX_OFFERS: '24',
  AISLE_MAX_JOB_BYTES: String(maxJobBytes),
});

const named = (prefix: string, count: number) =>
  plainProducts(count).map((one) => ({ ...one, sku: `${prefix}-${one.sku}` }));

async function create(chain: TestChain, products: unknown[], vendors: unknown = [chain.vendors[0]]) {
  const { status, text, body } = await aisle.call('POST', `${chain.base}/catalog`, {
    token: chain.token,
    body: { vendors, products },
  });
  assert.equal(status, 202, text);
  return waitForJob(aisle, chain, body.job_id);
}

async function countRows(table: 'products' | 'offers', { chainId }: TestChain): Promise<number> {
  const [row] = await aisle.db.query<{ count: number }>(
    `select count(*)::int as count from ${table} where chain_id = $1`,
    [chainId],
  );
  return row?.count ?? 0;
}

test('products that exceed the maximum of a chain are not created, at any of the stores', async () => {
  const chain = await makeChain(aisle);
  assert.equal((await create(chain, plainProducts(5), '*')).progress.succeeded, 10);
  const job = await create(chain, [...plainProducts(5), ...named('X', 6)], '*');
  assert.deepEqual(job.progress, { total: 22, processed: 22, succeeded: 0, unchanged: 10, failed: 12 });
  const rows = (await readLog(aisle, chain, job.job_id)).filter((row) => row.includes('FAILED'));
  assert.equal(rows.length, 12);
  for (const row of rows) assert.match(row, /catalog_limit_reached,FAILED,"?The chain can have at most 10 products/);
  assert.deepEqual([await countRows('products', chain), await countRows('offers', chain)], [5, 10]);
});

test('at the maximum, existing products can be updated, and other chains can create products', async () => {
  const [chain, other] = [await makeChain(aisle), await makeChain(aisle)];
  assert.equal((await create(chain, plainProducts(10))).progress.succeeded, 10);
  assert.equal((await create(chain, named('X', 1))).progress.failed, 1);
  assert.equal((await create(chain, plainProducts(4), [chain.vendors[1]])).progress.succeeded, 4);
  const update = await runUpdate(aisle, chain, [
    { sku: 'SKU-00001', price: 7 },
    { sku: 'SKU-00002', barcode: '4006381333931' },
  ]);
  assert.equal(update.progress.succeeded, 2);
  assert.equal((await putProducts(aisle, chain, [{ sku: 'SKU-00003', price: 8 }])).status, 200);
  assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 7);
  assert.equal((await create(other, plainProducts(10))).progress.succeeded, 10);
});

test('offers that exceed the maximum of a chain are not created, and neither are their products', async () => {
  const chain = await makeChain(aisle, { vendors: 3 });
  await create(chain, plainProducts(7), '*');
  const job = await create(chain, [...plainProducts(7), ...named('X', 4)]);
  assert.deepEqual(job.progress, { total: 11, processed: 11, succeeded: 0, unchanged: 7, failed: 4 });
  const failed = (await readLog(aisle, chain, job.job_id)).find((row) => row.startsWith('X-SKU-00001'));
  assert.match(failed ?? '', /catalog_limit_reached,FAILED,.*at most 24 offers .*has 21/);
  assert.deepEqual([await countRows('products', chain), await countRows('offers', chain)], [7, 21]);
  assert.equal((await create(chain, named('X', 2))).progress.succeeded, 2);
});

/** Measures all chains, also those that were measured a moment ago. */
async function measure(): Promise<void> {
  await aisle.db.query('update chain_storage set measured_at = null');
  await runChores(aisle, jobChores({ limits: { jobBytes: maxJobBytes, jobDays: 30 } } as Config));
}

const items = (count: number) => plainProducts(count).map(({ sku }, index) => ({ sku, price: 2 + index }));

test('a chain whose job data has the maximum size can store no more until some has expired', async () => {
  const [chain, other] = [await makeChain(aisle), await makeChain(aisle)];
  for (const one of [chain, other]) await addProducts(aisle, one, plainProducts(5));
  await runUpdate(aisle, chain, items(5));
  const promotion = promotionBody({ discount: [percent(20, 'SKU-00001', 'SKU-00002')] });
  await applyPromotion(aisle, chain, promotion);
  await measure();
  const jobs = 'select job_id from jobs where chain_id = $1';
  const before = (await aisle.db.query(jobs, [chain.chainId])).length;
  const rejected = await putProducts(aisle, chain, items(20_000));
  assertProblem(rejected, 'storage_limit_reached');
  assert.match(rejected.body.detail, /may use 1000000 bytes/);
  assert.equal((await aisle.db.query(jobs, [chain.chainId])).length, before);
  assert.equal((await aisle.db.query('select 1 from job_chunks where chain_id = $1', [chain.chainId])).length, 0);

  const file = Buffer.from(Array.from({ length: 1_020_000 }, (_, index) => 32 + ((index * 7919) % 90)));
  await aisle.db.query(
    `insert into job_file_parts (chain_id, job_id, part_no, bytes) select $1, job_id, 1000, $2 from jobs where chain_id = $1 limit 1`,
    [chain.chainId, file],
  );
  await measure();
  const requests = [
    () => putProducts(aisle, chain, items(2)),
    () => aisle.call('POST', `${catalogPath(chain)}/export`, { token: chain.token }),
    () =>
      aisle.call('POST', `${chain.base}/catalog`, { token: chain.token, body: { vendors: '*', products: items(1) } }),
    () => putPromotion(aisle, chain, { ...promotion, display_name: { en_AE: 'Another' } }),
    () => uploadFile(aisle, chain, { name: 'prices.csv', content: 'sku,price\nSKU-00001,3\n' }),
  ];
  for (const send of requests) assertProblem(await send(), 'storage_limit_reached');
  assert.equal((await putProducts(aisle, chain, [{ sku: 'SKU-00001', price: 9 }])).status, 200);
  await applyPromotion(aisle, chain, { ...promotion, discount: [without('SKU-00001')] });
  assert.equal((await runUpdate(aisle, other, items(2))).job_status, 'COMPLETED');

  await aisle.db.query("update jobs set file_expires_at = now() - interval '1 hour' where chain_id = $1", [
    chain.chainId,
  ]);
  await measure();
  await measure();
  assert.equal((await runUpdate(aisle, chain, items(2))).job_status, 'COMPLETED');
});

test('a job counts as soon as it is accepted, and its changes and results afterwards', async () => {
  const chain = await makeChain(aisle);
  await addProducts(aisle, chain, plainProducts(2));
  const stored = async () => {
    const [row] = await aisle.db.query<{ bytes: number }>(
      'select job_bytes::float8 as bytes from chain_storage where chain_id = $1',
      [chain.chainId],
    );
    return row?.bytes ?? 0;
  };
  const jobId = await sendUpdate(aisle, chain, items(1000));
  const accepted = await stored();
  assert.ok(accepted > 1000 * 64, `${accepted} bytes when it was accepted`);
  await waitForJob(aisle, chain, jobId);
  await measure();
  const ended = await stored();
  assert.ok(ended > 1000 && ended !== accepted, `${ended} bytes when it has ended`);
});

test('jobs that were accepted are stopped if the chain is far above the limit', async () => {
  const chain = await makeChain(aisle);
  await addProducts(aisle, chain, plainProducts(2));
  await runUpdate(aisle, chain, items(2));
  await measure();
  const { status, text, body } = await aisle.call(
    'PUT',
    `${catalogPath(chain)}?apply_at=${encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString())}`,
    { token: chain.token, body: { products: plainProducts(2).map(({ sku }) => ({ sku, price: 50 })) } },
  );
  assert.equal(status, 202, text);
  await aisle.db.query('update chain_storage set job_bytes = 2 * max_job_bytes where chain_id = $1', [chain.chainId]);
  await aisle.db.query("update queue_tasks set run_at = now() where kind = 'jobs.start' and chain_id = $1", [
    chain.chainId,
  ]);
  const job = await waitForJob(aisle, chain, body.job_id);
  assert.deepEqual([job.job_status, job.error_code], ['FAILED', 'storage_limit_reached']);
  assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 2);
  assert.equal((await aisle.db.query('select 1 from job_chunks where chain_id = $1', [chain.chainId])).length, 0);
});

test('a chain is measured again if it has sent jobs or is near the limit, but not all the time', async () => {
  const chain = await makeChain(aisle);
  const isDue = async (maxBytes = maxJobBytes) =>
    (await aisle.db.transaction((tx) => listUnmeasured(tx, chain.chainId, maxBytes))).length > 0;
  const set = (values: string) =>
    aisle.db.query(`update chain_storage set ${values} where chain_id = $1`, [chain.chainId]);
  assert.equal(await isDue(), false, 'it has sent no jobs');
  await putProducts(aisle, chain, items(2));
  assert.equal(await isDue(), true, 'it has not been measured');
  await measure();
  await set('measured_ms = 0');
  assert.equal(await isDue(), true, 'its job may still be storing results');
  await set("changed_at = now() - interval '20 minutes'");
  assert.equal(await isDue(), false, 'it has been measured since');
  assert.equal(await isDue(2 * maxJobBytes), true, 'the limit was changed');
  await set('job_bytes = max_job_bytes');
  assert.equal(await isDue(), true, 'some of its data may have expired');
  await set('measured_ms = 1000000');
  assert.equal(await isDue(), false, 'measuring it takes long');
});

test('the limits are readable, and a metric has the largest share that is used', async () => {
  const { body } = await aisle.call('GET', '/v2/limits');
  assert.deepEqual([body.products_per_chain, body.offers_per_chain, body.job_bytes_per_chain], [10, 24, maxJobBytes]);
  await measure();
  const { text } = await aisle.call('GET', '/metrics');
  assert.match(text, /aisle_job_data_max_share 0\.\d+/);
});
