import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeToken } from '../../support/aisle.ts';
import { addProducts, catalogPath, readLog, readProduct, waitForJob } from '../../support/catalog.ts';
import { product, startCreationTests } from '../../support/creation.ts';

const { aisle, chain, store, otherStore, post, vendorsOf } = await startCreationTests();
const token = await makeToken(aisle, chain.chainId, { vendor_ids: [store] });
await addProducts(aisle, chain, [product('SHARED', { barcode: '111', quantity: 1 })]);

const put = (products: unknown[], headers: Record<string, string> = {}) =>
  aisle.call('PUT', catalogPath(chain, store), { token, headers, body: { products } });

test('a token limited to one store cannot change barcodes, because they apply to all stores', async () => {
  const response = await put([{ sku: 'SHARED', price: 9, barcode: '666' }]);
  assert.equal(response.status, 400, response.text);
  assert.deepEqual(response.body.errors, [
    {
      pointer: '/products/0/barcode',
      code: 'requires_all_vendors',
      message:
        'barcode belongs to the product in all stores, so changing it requires a credential that is not limited to some vendors',
    },
  ]);
  const unchanged = await readProduct(aisle, chain, 'SHARED', otherStore);
  assert.deepEqual([unchanged.barcodes, unchanged.price], [['111'], 2.5]);
});

test('a barcode from a limited token is rejected with requires_all_vendors, even if it is invalid', async () => {
  const { body } = await put([{ sku: 'SHARED', barcode: 'x' }]);
  assert.deepEqual(
    body.errors.map(({ code }: { code: string }) => code),
    ['requires_all_vendors'],
  );
});

test('in a bulk update from a limited token, only the items with a barcode are rejected', async () => {
  await addProducts(aisle, chain, [product('BULK-1', { barcode: '1' }), product('BULK-2', { barcode: '2' })]);
  const products = [
    { sku: 'BULK-1', price: 8, barcode: '777' },
    { sku: 'BULK-2', price: 8, barcode: null },
  ];
  const accepted = await put(products, { prefer: 'respond-async' });
  assert.equal(accepted.status, 202, accepted.text);
  const job = await waitForJob(aisle, chain, accepted.body.job_id);
  assert.deepEqual(job.progress, { total: 2, processed: 2, succeeded: 1, unchanged: 0, failed: 1 });
  const [, failed, updated] = await readLog(aisle, chain, accepted.body.job_id);
  assert.match(
    String(failed),
    /^BULK-1,requires_all_vendors,FAILED,"barcode belongs to the product in all stores.*",1,777$/,
  );
  assert.equal(updated, 'BULK-2,,UPDATED,,2,');
  assert.deepEqual((await readProduct(aisle, chain, 'BULK-1', otherStore)).barcodes, ['1']);
  assert.equal((await readProduct(aisle, chain, 'BULK-1', store)).price, 2.5);
});

test('a limited token can update price, stock and availability at its own store', async () => {
  const response = await put([{ sku: 'SHARED', price: 3, quantity: 7, active: false, maximum_sales_quantity: 2 }]);
  assert.equal(response.status, 200, response.text);
  assert.deepEqual([response.body.price, response.body.quantity, response.body.barcodes], [3, 7, ['111']]);
});

test('a limited token cannot create a product that the chain does not have yet', async () => {
  const images = ['https://pictures.test/wrong.jpg'];
  const routes = [
    { path: catalogPath(chain, store), body: { products: [product('NEW', { images, barcode: '5' })] } },
    { path: `${chain.base}/catalog`, body: { vendors: [store], products: [product('NEW', { images })] } },
  ];
  for (const { path, body } of routes) {
    const accepted = await post(body, { token, path });
    assert.equal(accepted.status, 202, accepted.text);
    const job = await waitForJob(aisle, chain, accepted.body.job_id);
    assert.equal(job.job_status, 'FAILED');
    const [reason] = job.result.item_level_feedback[0].rejection_reasons;
    assert.equal(
      reason.rejected_reason,
      'The chain does not have this product yet; creating it requires a credential that is not limited to some vendors.',
    );
    const [, row] = await readLog(aisle, chain, accepted.body.job_id);
    assert.match(String(row), /^NEW,requires_all_vendors,FAILED,/);
  }
  const products = await aisle.db.query('select 1 from products where chain_id = $1 and sku = $2', [
    chain.chainId,
    'NEW',
  ]);
  assert.equal(products.length, 0);
});

test("a limited token can add the chain's products to its own store without changing them", async () => {
  await addProducts(aisle, chain, [product('ELSEWHERE', { barcode: '42' })], [otherStore]);
  const products = [
    product('ELSEWHERE', { title: 'Another title', barcode: '43', price: 4, quantity: 3 }),
    product('UNKNOWN'),
    { sku: 'INVALID' },
  ];
  const accepted = await post({ products }, { token, path: catalogPath(chain, store) });
  const job = await waitForJob(aisle, chain, accepted.body.job_id);
  assert.deepEqual(job.progress, { total: 3, processed: 3, succeeded: 1, unchanged: 0, failed: 2 });
  const rows = (await readLog(aisle, chain, accepted.body.job_id)).slice(1).map((row) => row.split(',').slice(0, 3));
  assert.deepEqual(rows, [
    ['ELSEWHERE', '', 'CREATED'],
    ['UNKNOWN', 'requires_all_vendors', 'FAILED'],
    ['INVALID', 'missing', 'FAILED'],
  ]);
  const created = await readProduct(aisle, chain, 'ELSEWHERE', store);
  assert.deepEqual(
    [created.title, created.barcodes, created.price, created.quantity],
    ['Title of ELSEWHERE', ['42'], 4, 3],
  );
  assert.deepEqual(await vendorsOf('ELSEWHERE'), [store, otherStore].toSorted());
});
