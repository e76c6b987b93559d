import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { promotionChores } from '../../../src/promotions/chores.ts';
import { runChore } from '../../support/chores.ts';
import { makeChain, startTestAisle, type OwnAisle, type TestChain } from '../../support/aisle.ts';
import { addProducts, plainProducts, putProducts } from '../../support/catalog.ts';
import {
  applyPromotion,
  final,
  percent,
  priceOf,
  promotionBody,
  putPromotion,
  readPromotion,
  runPromotion,
  readShown,
  waitForPromotionJob,
  without,
} from '../../support/promotions.ts';

let aisle: OwnAisle;
let chain: TestChain;
let store: string;
let otherStore: string;

before(async () => {
  aisle = await startTestAisle();
});
after(() => aisle.stop());

/** Creates two stores. The first sells A for 10, and also B. The second sells only A, for 4. */
async function makeShops(): Promise<void> {
  chain = await makeChain(aisle);
  [store, otherStore] = chain.vendors as [string, string];
  const product = (sku: string, price: number) => ({ sku, title: `Title of ${sku}`, price });
  await addProducts(aisle, chain, [product('A', 10), product('B', 10)], [store]);
  await addProducts(aisle, chain, [product('A', 4)], [otherStore]);
}

const download = (jobId: string, accept = 'text/csv') =>
  aisle.call('GET', `${chain.base}/promotion/jobs/${jobId}/download`, { token: chain.token, headers: { accept } });

test('unknown vendors, missing SKUs and discounts above the price are reported, and the rest is applied', async () => {
  await makeShops();
  const vendors = ['unknown', store, otherStore];
  const job = await applyPromotion(aisle, chain, promotionBody({ vendors, discount: [final(5, 'A', 'B', 'Z')] }));
  const { download_url, ...result } = job.result;
  assert.deepEqual(result, {
    applied: 2,
    invalid_vendors: ['unknown'],
    missing_skus: { [store]: ['Z'], [otherStore]: ['B', 'Z'] },
    invalid_discounted_skus: { [otherStore]: ['A'] },
  });
  assert.equal(await priceOf(aisle, chain, 'A'), 5);
  assert.equal(await priceOf(aisle, chain, 'A', otherStore), undefined);
  assert.ok(download_url.startsWith(`http://aisle.test${chain.base}/promotion/jobs/${job.job_id}/download?signature=`));
  const { text } = await download(job.job_id);
  const [header, ...lines] = text.trimEnd().split('\n');
  assert.equal(header, 'vendor_id,sku,code,errors');
  assert.deepEqual(
    lines.toSorted(),
    [
      `${store},Z,product_not_found,"The vendor has no product with this SKU."`,
      `${otherStore},A,discount_not_below_price,"The discounted price is at or above the regular price."`,
      `${otherStore},B,product_not_found,"The vendor has no product with this SKU."`,
      `${otherStore},Z,product_not_found,"The vendor has no product with this SKU."`,
    ].toSorted(),
  );
  const objects = (await download(job.job_id, 'application/json')).body;
  assert.deepEqual(objects.length, 4);
  assert.deepEqual(Object.keys(objects[0]), ['vendor_id', 'sku', 'code', 'errors']);
});

test('a SKU rejected at a store stays excluded, even if its price rises or the store adds the product', async () => {
  await makeShops();
  const vendors = [store, otherStore];
  await applyPromotion(aisle, chain, promotionBody({ vendors, discount: [final(5, 'A', 'B')] }));
  await putProducts(aisle, chain, [{ sku: 'A', price: 20 }], { vendor: otherStore });
  await addProducts(aisle, chain, [{ sku: 'B', title: 'B', price: 20 }], [otherStore]);
  assert.equal(await priceOf(aisle, chain, 'A', otherStore), undefined);
  assert.equal(await priceOf(aisle, chain, 'B', otherStore), undefined);
  // The SKUs are checked again when the promotion is sent again.
  await applyPromotion(aisle, chain, promotionBody({ vendors, discount: [final(5, 'A', 'B')] }));
  assert.equal(await priceOf(aisle, chain, 'A', otherStore), 5);
});

test('a rejected change leaves the promotion unchanged', async () => {
  await makeShops();
  const body = promotionBody({ vendors: [store], discount: [final(5, 'A')] });
  const { promotion_id: id } = await applyPromotion(aisle, chain, body);
  const job = await runPromotion(aisle, chain, { ...body, reason: 'NMR', discount: [final(10, 'A')] });
  assert.equal(job.job_status, 'FAILED');
  assert.match(job.error, /^nothing_applied: /);
  assert.equal(job.promotion_id, id);
  assert.equal(await priceOf(aisle, chain, 'A'), 5);
  const { reason, discount } = await readPromotion(aisle, chain, id);
  assert.deepEqual([reason, discount[0].discount_value], ['COMPETITIVENESS', 5]);
});

test('a promotion that cannot be applied to any SKU is not created', async () => {
  await makeShops();
  const inapplicable = [
    promotionBody({ vendors: ['unknown', 'missing'] }),
    promotionBody({ vendors: [store], discount: [final(5, 'Z')] }),
    promotionBody({ vendors: '*', discount: [final(10, 'A')] }),
  ];
  for (const body of inapplicable) {
    const job = await runPromotion(aisle, chain, body);
    assert.deepEqual([job.job_status, job.promotion_id, job.result.applied], ['FAILED', null, 0]);
    assert.match(job.error, /^nothing_applied: /);
  }
  const { body } = await aisle.call('GET', `${chain.base}/promotions`, { token: chain.token });
  assert.equal(body.total_items, 0);
  assert.deepEqual(await aisle.db.query('select 1 from promotions where chain_id = $1', [chain.chainId]), []);
  assert.deepEqual(await aisle.db.query('select 1 from promotion_offers where chain_id = $1', [chain.chainId]), []);
});

test('SKUs can be removed without sending a discount, and SKUs that the vendor does not have are reported', async () => {
  await makeShops();
  const body = promotionBody({ vendors: [store], discount: [final(5, 'A', 'B')] });
  const { promotion_id: id } = await applyPromotion(aisle, chain, body);
  const job = await applyPromotion(aisle, chain, { ...body, discount: [without('A', 'Z')] });
  assert.deepEqual([job.result.applied, job.result.missing_skus], [1, { [store]: ['Z'] }]);
  assert.deepEqual([await priceOf(aisle, chain, 'A'), await priceOf(aisle, chain, 'B')], [undefined, 5]);
  // Removing a SKU twice is not an error.
  await applyPromotion(aisle, chain, { ...body, discount: [without('A')] });
  const { discount } = await readPromotion(aisle, chain, id);
  assert.deepEqual(
    discount.map((entry: { sku: string[] }) => entry.sku),
    [['B']],
  );
});

test('removing a SKU that the promotion does not contain is reported and not counted as applied', async () => {
  await makeShops();
  const body = promotionBody({ vendors: [store, otherStore], discount: [final(3, 'A')] });
  await applyPromotion(aisle, chain, body);
  const mixed = await applyPromotion(aisle, chain, { ...body, discount: [without('A', 'B')] });
  assert.equal(mixed.result.applied, 2);
  assert.deepEqual(mixed.result.skus_not_in_promotion, { [store]: ['B'] });
  assert.deepEqual(mixed.result.missing_skus, { [otherStore]: ['B'] });
  const { text } = await download(mixed.job_id);
  assert.ok(text.includes(`${store},B,not_in_promotion,"The promotion does not contain this SKU, so it`), text);
  const again = await applyPromotion(aisle, chain, { ...body, discount: [without('A')] });
  assert.equal(again.result.applied, 0);
  assert.deepEqual(again.result.skus_not_in_promotion, { [store]: ['A'], [otherStore]: ['A'] });
  const failed = await runPromotion(aisle, chain, { ...body, discount: [without('A'), final(10, 'B')] });
  assert.deepEqual([failed.job_status, failed.result.applied], ['FAILED', 0]);
});

test('removing a SKU from a promotion for all stores takes effect at every store', async () => {
  await makeShops();
  const body = promotionBody({ vendors: '*', discount: [final(3, 'A')] });
  await applyPromotion(aisle, chain, body);
  const job = await applyPromotion(aisle, chain, { ...body, discount: [without('A', 'B')] });
  assert.equal(job.result.applied, 2);
  assert.deepEqual(job.result.skus_not_in_promotion, { [store]: ['B'] });
  assert.equal(await priceOf(aisle, chain, 'A'), undefined);
  const created = await applyPromotion(aisle, chain, {
    ...promotionBody({ vendors: '*', display_name: { en_AE: 'New' } }),
    discount: [final(3, 'A'), without('B')],
  });
  assert.equal(created.result.applied, 2);
  assert.deepEqual(created.result.skus_not_in_promotion, { [store]: ['B'] });
});

test('a product sold by weight is rejected in a bundle, because it could never get a discount', async () => {
  await makeShops();
  await addProducts(aisle, chain, [{ sku: 'HAM', title: 'Ham', price: 20, is_sold_by_weight: true }]);
  const bundle = {
    ...promotionBody({ vendors: '*', type: 'SAME_ITEM_BUNDLE' }),
    conditions: { ...promotionBody().conditions, purchased_quantity: 2, discounted_quantity: 1 },
  };
  const only = await runPromotion(aisle, chain, { ...bundle, discount: [percent(100, 'HAM')] });
  assert.deepEqual([only.job_status, only.result.applied, only.promotion_id], ['FAILED', 0, null]);
  const job = await applyPromotion(aisle, chain, { ...bundle, discount: [percent(100, 'A', 'HAM')] });
  assert.equal(job.result.applied, 2);
  assert.deepEqual(job.result.invalid_discounted_skus, { [store]: ['HAM'], [otherStore]: ['HAM'] });
  assert.equal((await readShown(aisle, chain, 'HAM')).promotion, undefined);
  const { text } = await download(job.job_id);
  assert.ok(text.includes(`${store},HAM,bundle_sold_by_weight,"The product is sold by weight`), text);
  const lower = { ...promotionBody({ vendors: [store] }), discount: [percent(10, 'HAM')] };
  assert.equal((await applyPromotion(aisle, chain, lower)).result.applied, 1);
});

test('a job with thousands of rejected SKUs lists the first thousand, and its file lists all of them', async () => {
  await makeShops();
  const skus = Array.from({ length: 2500 }, (_, index) => `NONE-${String(index).padStart(4, '0')}`);
  const job = await applyPromotion(aisle, chain, promotionBody({ vendors: '*', discount: [final(5, 'A', ...skus)] }));
  const missing = Object.values(job.result.missing_skus) as string[][];
  assert.ok(missing.flat().length >= 1000 && missing.flat().length <= 2000, String(missing.flat().length));
  const { text } = await download(job.job_id);
  assert.equal(text.trimEnd().split('\n').length, 1 + 2 * 2500 + 1);
});

test('a job without rejected SKUs has no file', async () => {
  await makeShops();
  const job = await applyPromotion(aisle, chain, promotionBody({ vendors: [store] }));
  assert.equal((await download(job.job_id)).body.code, 'file_not_found');
});

test('a large request is parsed in a worker thread and applied in slices, and its entries can be read in pages', async () => {
  chain = await makeChain(aisle, { vendors: 3 });
  await addProducts(aisle, chain, plainProducts(12_000));
  const skus = plainProducts(12_000).map(({ sku }) => sku);
  const discount = skus.map((sku, index) => ({ ...percent(1 + (index % 99), sku), max_quantity: 1 + (index % 5) }));
  const response = await putPromotion(aisle, chain, promotionBody({ vendors: chain.vendors, discount }));
  assert.equal(response.status, 202, response.text);
  const job = await waitForPromotionJob(aisle, chain, response.body.job_id, 120);
  assert.deepEqual([job.job_status, job.result.applied], ['COMPLETED', 36_000]);
  const path = `${chain.base}/promotions/${job.promotion_id}?page_size=500&page=24`;
  const { body } = await aisle.call('GET', path, { token: chain.token });
  assert.deepEqual([body.total_items, body.total_pages, body.page_number, body.discount.length], [12_000, 24, 24, 500]);
  assert.deepEqual(body.discount.at(-1), {
    discount_subtype: 'PERCENTAGE',
    discount_value: 1 + (11_999 % 99),
    active: true,
    sku: ['SKU-12000'],
    max_quantity: 1 + (11_999 % 5),
    title: { en_AE: 'Product 12000' },
  });
  const rows = await aisle.db.query('select distinct vendor_id from promotion_offers where promotion_id = $1', [
    job.promotion_id,
  ]);
  assert.equal(rows.length, 3);
});

test('after a promotion ends, its list of covered offers is deleted, but the promotion can still be read', async () => {
  await makeShops();
  const { promotion_id: ended } = await applyPromotion(aisle, chain, promotionBody({ vendors: [store] }));
  const { promotion_id: running } = await applyPromotion(aisle, chain, promotionBody({ vendors: [otherStore] }));
  const aged = "end_time = now() - interval '25 hours', start_time = now() - interval '2 days'";
  await aisle.db.query(`update promotion_offers set ${aged} where promotion_id = $1`, [ended]);
  await aisle.db.query(`update promotions set ${aged} where promotion_id = $1`, [ended]);
  const [chore] = promotionChores();
  await runChore(aisle, chore);
  const rows = await aisle.db.query('select promotion_id from promotion_offers where chain_id = $1', [chain.chainId]);
  assert.deepEqual(rows, [{ promotion_id: running }]);
  const { state, total_items } = await readPromotion(aisle, chain, ended);
  assert.deepEqual([state, total_items], ['ENDED', 1]);
});

test('a promotion is invisible until its job has finished', async () => {
  await makeShops();
  const idle = await aisle.another({}, 'api');
  await aisle.db.query("update queue_tasks set run_at = 'infinity'");
  const pause = await aisle.db.pool.connect();
  await pause.query('begin');
  await pause.query('lock table promotion_entries in access exclusive mode');
  const { body: accepted } = await putPromotion(idle, chain, promotionBody({ vendors: [store] }));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const path = `${chain.base}/promotion/jobs/${accepted.job_id}`;
  const { body: job } = await idle.call('GET', path, { token: chain.token });
  assert.deepEqual([job.job_status, job.promotion_id], ['QUEUED', null]);
  assert.equal((await readShown(idle, chain, 'A')).promotion, undefined);
  assert.equal((await idle.call('GET', `${chain.base}/promotions`, { token: chain.token })).body.total_items, 0);
  await pause.query('commit');
  pause.release();
  await waitForPromotionJob(aisle, chain, accepted.job_id);
  assert.equal(await priceOf(aisle, chain, 'A'), 8);
  await idle.stop();
});
