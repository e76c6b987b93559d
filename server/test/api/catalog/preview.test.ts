import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerFor, makeChain, makeToken, useAisle } from '../../support/aisle.ts';
import {
  addProducts,
  plainProducts,
  readLog,
  readOffers,
  readProduct,
  runUpdate,
  waitForJob,
} from '../../support/catalog.ts';
import { uploadFile } from '../../support/files.ts';
import { assertProblem } from '../../support/problem.ts';
import { act, readPreview, run, runPreview } from '../../support/undo.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
const other = await makeChain(aisle);
const [store, otherStore] = chain.vendors as [string, string];
const call = callerFor(aisle, chain);
await addProducts(aisle, chain, plainProducts(60));

type Item = {
  class: string;
  sku: string;
  name: string | null;
  changes: { field: string }[];
  code: string | null;
  row_number: number;
};

async function previewFile(content: string, name = 'prices.csv', folder?: string) {
  const query = new URLSearchParams({ folder: folder ?? `/catalog/${store}`, name, dry_run: 'true' });
  const headers = { 'content-type': 'text/csv' };
  const { status, text, body } = await call('POST', `/files?${query.toString()}`, { raw: content, headers });
  assert.equal(status, 202, text);
  return { fileId: body.file_id, job: await waitForJob(aisle, chain, body.job_ids[0]) };
}

test('a preview reports what would change, errors first, and changes nothing', async () => {
  const before = await readOffers(aisle, chain);
  const job = await runPreview(aisle, chain, [
    { sku: 'SKU-00001', price: 1 },
    { sku: 'SKU-00002', price: 1.2, quantity: null },
    { sku: 'SKU-00003', price: 10 },
    { sku: 'SKU-00004', price: 0 },
    { sku: 'SKU-00005', price: 'x' },
    { sku: 'NO-SUCH-SKU', price: 1 },
    { sku: 'SKU-00006', active: false, barcode: '123', maximum_sales_quantity: 4 },
    { sku: 'SKU-00007', price: 2 },
    { sku: 'SKU-00007', price: 1.1 },
  ]);
  assert.deepEqual([job.job_status, job.dry_run, job.progress.failed], ['COMPLETED', true, 2]);
  assert.ok(Date.parse(job.expires_at) > Date.now());
  const { items, counts, total_items: total } = await readPreview(aisle, chain, job.job_id);
  assert.deepEqual(counts, { ERROR: 2, SUSPICIOUS: 2, DUPLICATE: 1, CHANGED: 3, UNCHANGED: 1 });
  assert.equal(total, 9);
  assert.deepEqual(
    items.map((item: Item) => [item.class, item.sku, item.code, item.row_number]),
    [
      ['ERROR', 'SKU-00005', 'wrong_type', 5],
      ['ERROR', 'NO-SUCH-SKU', 'product_not_found', 6],
      ['SUSPICIOUS', 'SKU-00003', 'price_jump', 3],
      ['SUSPICIOUS', 'SKU-00004', 'price_to_zero', 4],
      ['DUPLICATE', 'SKU-00007', 'given_again', 8],
      ['CHANGED', 'SKU-00002', null, 2],
      ['CHANGED', 'SKU-00006', null, 7],
      ['CHANGED', 'SKU-00007', null, 9],
      ['UNCHANGED', 'SKU-00001', null, 1],
    ],
  );
  const changed = items.find((item: Item) => item.sku === 'SKU-00002');
  assert.equal(changed.name, 'Product 2');
  assert.deepEqual(
    items.slice(0, 5).map((item: Item) => item.name),
    ['Product 5', null, 'Product 3', 'Product 4', 'Product 7'],
  );
  assert.deepEqual(changed.changes, [
    { field: 'price', old: 1, new: 1.2, change_percent: 20 },
    { field: 'quantity', old: 5, new: null },
  ]);
  assert.deepEqual(items.find((item: Item) => item.sku === 'SKU-00006').changes, [
    { field: 'active', old: true, new: false },
    { field: 'maximum_sales_quantity', old: null, new: 4 },
    { field: 'barcode', old: null, new: '123' },
  ]);
  assert.deepEqual(await readOffers(aisle, chain), before);
  const events = await aisle.db.query('select 1 from events where chain_id = $1', [chain.chainId]);
  assert.equal(events.length, 0);
});

test('a preview can be filtered by class, read page by page, and downloaded', async () => {
  const products = plainProducts(30).map(({ sku }, index) => ({ sku, price: index < 10 ? 1 : 1.1 }));
  const { job_id: jobId } = await runPreview(aisle, chain, products);
  const page = await readPreview(aisle, chain, jobId, 'class=CHANGED&page=3&page_size=8');
  assert.deepEqual(
    page.items.map(({ row_number }: Item) => row_number),
    [27, 28, 29, 30],
  );
  assert.deepEqual([page.total_items, page.total_pages], [20, 3]);
  const across = await readPreview(aisle, chain, jobId, 'page=3&page_size=9');
  assert.deepEqual(
    across.items.map((item: Item) => [item.class, item.row_number]),
    [29, 30].map((row) => ['CHANGED', row]).concat([1, 2, 3, 4, 5, 6, 7].map((row) => ['UNCHANGED', row])),
  );
  const lines = await readLog(aisle, chain, jobId);
  assert.equal(lines[0], columns);
  assert.equal(lines[1], `CHANGED,SKU-00011,Product 11,11,,,price,1,1.1,10,,,,,,,,,${store}`);
  assert.equal(lines.length, 31);
});

const columns =
  'class,sku,name,rowNumber,code,errors,changes,old_price,new_price,price_change_percent,old_quantity,new_quantity,old_active,new_active,old_maximum_sales_quantity,new_maximum_sales_quantity,old_barcode,new_barcode,vendor_id';

test('stock that becomes 0 in most rows is suspicious', async () => {
  const products = plainProducts(20).map(({ sku }, index) => ({ sku, quantity: index < 15 ? 0 : 4 }));
  const { counts } = await readPreview(aisle, chain, (await runPreview(aisle, chain, products)).job_id);
  assert.deepEqual([counts.SUSPICIOUS, counts.CHANGED], [15, 5]);
  const few = await runPreview(aisle, chain, products.slice(6));
  assert.equal((await readPreview(aisle, chain, few.job_id)).counts.SUSPICIOUS, 0);
});

for (const [what, content] of [
  ['semicolons and decimal commas', 'sku;price;quantity\nSKU-00008;1,25;7\n'],
  ['tabs', 'sku\tprice\tquantity\nSKU-00008\t1.25\t7\n'],
] as const) {
  test(`a preview reads a file with ${what}`, async () => {
    const { job } = await previewFile(content);
    const { items } = await readPreview(aisle, chain, job.job_id);
    assert.deepEqual(items[0].changes, [
      { field: 'price', old: 1, new: 1.25, change_percent: 25 },
      { field: 'quantity', old: 5, new: 7 },
    ]);
  });
}

test('the preview of products with titles of 10,000 characters does not contain megabytes per page', async () => {
  const verbose = await makeChain(aisle);
  await addProducts(aisle, verbose, plainProducts(60));
  await aisle.db.query(
    `update products set titles = jsonb_build_object('en_AE', repeat('\u0645', 10000)) where chain_id = $1`,
    [verbose.chainId],
  );
  const products = plainProducts(60).map(({ sku }) => ({ sku, price: 1.1 }));
  const { job_id: jobId } = await runPreview(aisle, verbose, products);
  const { items, total_items: total } = await readPreview(aisle, verbose, jobId);
  assert.deepEqual([total, items[0].name], [60, '\u0645'.repeat(200)]);
  const [part] = await listParts(jobId);
  assert.ok(part && part.content_bytes < 60 * 500, JSON.stringify(part));
});

test('a page of a large preview is read from parts with at most 1,000 rows', async () => {
  const unknown = Array.from({ length: 2500 }, (_, index) => ({ sku: `NO-SKU-${index}`, price: 1 }));
  const { job_id: jobId } = await runPreview(aisle, chain, [...unknown, { sku: 'SKU-00001', price: 1.1 }]);
  const parts = await listParts(jobId);
  assert.deepEqual(
    parts.map(({ row_count }) => row_count),
    [1000, 1000, 500, 1],
  );
  const { items, total_items: total } = await readPreview(aisle, chain, jobId, 'page=3&page_size=400');
  assert.equal(total, 2501);
  assert.deepEqual(
    items.map(({ row_number }: Item) => row_number),
    Array.from({ length: 400 }, (_, index) => 801 + index),
  );
  const last = await readPreview(aisle, chain, jobId, 'page=6&page_size=500');
  assert.deepEqual([last.items.length, last.items[0].class], [1, 'CHANGED']);
});

test('a page of a preview is not read if there is not enough memory for it', async () => {
  const { job_id: jobId } = await runPreview(aisle, chain, [{ sku: 'SKU-00001', price: 1.1 }]);
  await aisle.db.query('update job_file_parts set content_bytes = 2000000000 where job_id = $1', [jobId]);
  assertProblem(await call('GET', `/catalog/jobs/${jobId}/preview`), 'service_unavailable');
});

function listParts(jobId: string) {
  return aisle.db.query<{ row_count: number; content_bytes: number }>(
    'select row_count, content_bytes from job_file_parts where job_id = $1 order by part_no',
    [jobId],
  );
}

test('a preview of a file finds a SKU that is repeated far below', async () => {
  const filler = Array.from({ length: 25_000 }, (_, index) => `NO-SKU-${index},1\n`).join('');
  const { job } = await previewFile(`sku,price\nSKU-00009,1.1\n${filler}SKU-00009,1.2\n`);
  const { items, counts } = await readPreview(aisle, chain, job.job_id, 'class=DUPLICATE');
  assert.deepEqual([counts.ERROR, counts.CHANGED, counts.DUPLICATE], [25_000, 1, 1]);
  assert.deepEqual([items[0].row_number, items[0].code], [25_003, 'repeated_sku']);
  const kept = await aisle.db.query('select 1 from preview_skus where job_id = $1', [job.job_id]);
  assert.equal(kept.length, 0, 'the SKUs are deleted when the preview has ended');
});

test('a preview of a file is applied without uploading it again', async () => {
  const content = 'sku,price\nSKU-00010,1.3\nNO-SUCH-SKU,2\n';
  const { fileId, job: preview } = await previewFile(content, 'apply.csv');
  assert.equal((await call('GET', `/files/${fileId}`)).body.jobs[0].dry_run, true);
  const job = await run(aisle, chain, preview.job_id, 'apply');
  assert.deepEqual(job.progress, { total: 2, processed: 2, succeeded: 1, unchanged: 0, failed: 1 });
  assert.deepEqual([job.file_name, job.dry_run, job.created_by.channel], ['apply.csv', undefined, 'api']);
  const file = (await call('GET', `/files/${fileId}`)).body;
  assert.deepEqual([file.jobs.length, file.jobs[0].job_id], [1, job.job_id]);
  const failed = await call('GET', new URL(file.failed_rows_url).pathname.replace(chain.base, ''));
  assert.match(failed.text, /NO-SUCH-SKU,2,/);
  const again = await act(aisle, chain, preview.job_id, 'apply');
  assertProblem(again, 'job_state_conflict');
  assert.equal((await call('GET', `/catalog/jobs/${preview.job_id}`)).body.applied_job_id, job.job_id);
  assert.equal((await readPreview(aisle, chain, preview.job_id)).counts.CHANGED, 1);
});

test('uploading a file after its preview applies it', async () => {
  const content = 'sku,price\nSKU-00011,1.4\n';
  await previewFile(content, 'twice.csv');
  const { body } = await uploadFile(aisle, chain, { name: 'twice.csv', content });
  assert.equal(body.is_repeat, false);
  const job = await waitForJob(aisle, chain, body.job_ids[0]);
  assert.equal(job.progress.succeeded, 1);
});

test('a preview for all stores lists the items of each', async () => {
  const { job } = await previewFile('sku,price\nSKU-00012,1.1\n', 'all.csv', '/catalog/all');
  const { items } = await readPreview(aisle, chain, job.job_id);
  assert.deepEqual(items.map((item: { vendor_id: string }) => item.vendor_id).toSorted(), chain.vendors.toSorted());
  const applied = await run(aisle, chain, job.job_id, 'apply');
  assert.equal(applied.progress.succeeded, chain.vendors.length);
});

test('a preview of a file that cannot be read fails with the reason', async () => {
  const { job } = await previewFile('sku,price\n"SKU-1,2\n', 'broken.csv');
  assert.equal(job.job_status, 'FAILED');
  assert.match(job.error, /Line 2/);
  assertProblem(await act(aisle, chain, job.job_id, 'apply'), 'job_state_conflict');
  assert.equal((await readPreview(aisle, chain, job.job_id)).total_items, 0);
});

test('a preview that has expired can neither be read nor applied', async () => {
  const { job_id: jobId } = await runPreview(aisle, chain, [{ sku: 'SKU-00001', price: 3 }]);
  await aisle.db.query(`update jobs set file_expires_at = now() - interval '1 s' where job_id = $1`, [jobId]);
  assertProblem(await call('GET', `/catalog/jobs/${jobId}/preview`), 'download_expired');
  assertProblem(await act(aisle, chain, jobId, 'apply'), 'download_expired');
});

test('a job that is not a preview has none and cannot be applied', async () => {
  const { job_id: jobId } = await runUpdate(aisle, chain, [{ sku: 'SKU-00013', price: 3 }]);
  assertProblem(await call('GET', `/catalog/jobs/${jobId}/preview`), 'job_state_conflict');
  assertProblem(await act(aisle, chain, jobId, 'apply'), 'job_state_conflict');
});

test('previews are visible only to their chain and to credentials for their stores', async () => {
  const { job_id: jobId } = await runPreview(aisle, chain, [{ sku: 'SKU-00001', price: 3 }]);
  const limited = await makeToken(aisle, chain.chainId, { vendor_ids: [otherStore] });
  for (const [base, token] of [
    [other.base, other.token],
    [chain.base, limited],
  ] as const) {
    const path = `${base}/catalog/jobs/${jobId}`;
    assertProblem(await aisle.call('GET', `${path}/preview`, { token }), 'job_not_found');
    assertProblem(await aisle.call('POST', `${path}/apply`, { token }), 'job_not_found');
  }
});

for (const source of ['request', 'file']) {
  test(`a credential for some stores cannot apply the barcodes in the preview of a ${source} that another one sent`, async () => {
    const token = await makeToken(aisle, chain.chainId, { vendor_ids: [store] });
    const send = async (barcode: string) =>
      source === 'file'
        ? (await previewFile(`sku,price,barcode\nSKU-00014,1.4,${barcode}\n`)).job
        : runPreview(aisle, chain, [{ sku: 'SKU-00014', price: 1.4, ...(barcode && { barcode }) }]);
    const { job_id: jobId } = await send('4242');
    const rejected = await act(aisle, chain, jobId, 'apply', undefined, token);
    assertProblem(rejected, 'forbidden');
    assert.match(rejected.body.detail, /contains barcodes/);
    assert.deepEqual((await readProduct(aisle, chain, 'SKU-00014', otherStore)).barcodes, []);
    const withoutBarcodes = await send('');
    assert.equal((await act(aisle, chain, withoutBarcodes.job_id, 'apply', undefined, token)).status, 202);
  });
}

test('dry_run and apply_at are rejected where they make no sense', async () => {
  const body = { products: [{ sku: 'SKU-00001', price: 2 }] };
  const both = await call('PUT', `/vendors/${store}/catalog?dry_run=true&apply_at=2027-01-01T00:00:00Z`, { body });
  assertProblem(both, 'invalid_request');
  assert.match(both.body.detail, /apply_at: cannot be combined with dry_run/);
  const query = new URLSearchParams({ folder: '/products', name: 'new.csv', dry_run: 'true' });
  const headers = { 'content-type': 'text/csv' };
  const products = await call('POST', `/files?${query.toString()}`, { raw: 'sku\n', headers });
  assert.match(products.body.detail, /dry_run: is available only for the folders in \/catalog/);
  for (const at of ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z']) {
    const response = await call('PUT', `/vendors/${store}/catalog?apply_at=${at}`, { body });
    assert.match(response.body.detail, /apply_at: must be in the future and at most 30 days ahead/);
  }
});
