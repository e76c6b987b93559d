import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeChain, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts, putProducts } from '../../support/catalog.ts';
import {
  applyPromotion,
  final,
  fromNow,
  percent,
  priceOf,
  promotionBody,
  readPromotion,
  runPromotion,
  readShown,
  without,
} from '../../support/promotions.ts';

let aisle: TestAisle;
let chain: TestChain;
let store: string;
let otherStore: string;

before(async () => {
  aisle = await useAisle();
});

/** Creates a chain with two stores that sell A and B for 10 and C for 3.335. */
async function makeShops(options: { currency?: string } = {}): Promise<void> {
  chain = await makeChain(aisle, options);
  [store, otherStore] = chain.vendors as [string, string];
  const product = (sku: string, price: number) => ({ sku, title: `Title of ${sku}`, price });
  await addProducts(aisle, chain, [product('A', 10), product('B', 10), product('C', 3.335)]);
}

test('one PUT creates a promotion, which is shown in the catalog and in the response to a price update', async () => {
  await makeShops();
  const body = promotionBody({ vendors: [store], discount: [final(7.5, 'A', 'B'), percent(10, 'C')] });
  const job = await applyPromotion(aisle, chain, body);
  const { job_id, promotion_id, created_at, updated_at, ...rest } = job;
  assert.ok(job_id && promotion_id && created_at <= updated_at);
  assert.deepEqual(rest, {
    job_status: 'COMPLETED',
    result: { applied: 3, invalid_vendors: [], missing_skus: {}, invalid_discounted_skus: {} },
  });
  assert.deepEqual(await readShown(aisle, chain, 'A'), {
    price: 10,
    promotional_price: 7.5,
    promotion: {
      promotion_id,
      type: 'STRIKETHROUGH',
      display_name: { en_AE: 'Week' },
      end_time: body.conditions.end_time,
    },
  });
  // 3.335 is charged as 3.34, and 10 percent off that is 3.006.
  assert.equal(await priceOf(aisle, chain, 'C'), 3.01);
  assert.equal(await priceOf(aisle, chain, 'A', otherStore), undefined);
  const updated = await putProducts(aisle, chain, [{ sku: 'A', price: 11 }]);
  assert.deepEqual([updated.body.price, updated.body.promotional_price], [11, 7.5]);
  assert.equal(updated.body.promotion.promotion_id, promotion_id);
  const keyed = await putProducts(aisle, chain, [{ sku: 'A', price: 12 }], {
    headers: { 'idempotency-key': 'twelve' },
  });
  assert.deepEqual([keyed.body.price, keyed.body.promotional_price], [12, 7.5]);
});

test('sending some entries again changes them, removes those that are now inactive, and keeps the rest', async () => {
  await makeShops();
  const body = promotionBody({ vendors: [store, otherStore], discount: [final(7, 'A'), final(6, 'B'), final(2, 'C')] });
  const { promotion_id: first } = await applyPromotion(aisle, chain, body);
  const job = await applyPromotion(aisle, chain, { ...body, discount: [percent(50, 'A'), without('B')] });
  assert.equal(job.promotion_id, first);
  assert.equal(job.result.applied, 4);
  for (const vendor of [store, otherStore]) {
    assert.equal(await priceOf(aisle, chain, 'A', vendor), 5);
    assert.equal(await priceOf(aisle, chain, 'B', vendor), undefined);
    assert.equal(await priceOf(aisle, chain, 'C', vendor), 2);
  }
  assert.deepEqual((await readPromotion(aisle, chain, first)).discount, [
    { discount_subtype: 'PERCENTAGE', discount_value: 50, active: true, sku: ['A'], title: { en_AE: 'Title of A' } },
    { discount_subtype: 'FINAL_PRICE', discount_value: 2, active: true, sku: ['C'], title: { en_AE: 'Title of C' } },
  ]);
});

test('`active: false` cancels a promotion, and sending it as active again restores it with all of its entries', async () => {
  await makeShops();
  const body = promotionBody({ discount: [final(7, 'A'), final(6, 'B')] });
  const { promotion_id: id } = await applyPromotion(aisle, chain, body);
  const cancelled = await applyPromotion(aisle, chain, { ...body, active: false });
  assert.deepEqual([cancelled.promotion_id, cancelled.result.applied], [id, 2]);
  assert.equal(await priceOf(aisle, chain, 'A'), undefined);
  const { state, active } = await readPromotion(aisle, chain, id);
  assert.deepEqual([state, active], ['CANCELLED', false]);

  await applyPromotion(aisle, chain, { ...body, discount: [final(5, 'B')] });
  assert.deepEqual([await priceOf(aisle, chain, 'A'), await priceOf(aisle, chain, 'B')], [7, 5]);
  assert.equal((await readPromotion(aisle, chain, id)).state, 'RUNNING');
});

test('an unknown promotion cannot be cancelled, and no SKUs can be removed from it', async () => {
  await makeShops();
  for (const body of [promotionBody({ active: false }), promotionBody({ discount: [without('A')] })]) {
    const job = await runPromotion(aisle, chain, body);
    assert.equal(job.job_status, 'FAILED');
    assert.match(job.error, /^promotion_not_found: /);
    assert.deepEqual([job.promotion_id, job.result.applied], [null, 0]);
  }
});

test('cancelling a promotion requires no discount, and cancelling it twice is not an error', async () => {
  await makeShops();
  const body = promotionBody();
  await applyPromotion(aisle, chain, body);
  const { discount: _, ...bare } = body;
  for (let times = 0; times < 2; times++) await applyPromotion(aisle, chain, { ...bare, active: false });
  assert.equal(await priceOf(aisle, chain, 'A'), undefined);
});

test('reason and limits are kept if omitted and replaced if sent', async () => {
  await makeShops();
  const limits = { max_discount_per_order: 5.5559, max_items_per_order: 3, global_limit: 100 };
  const body = promotionBody({ limits });
  const { promotion_id: id } = await applyPromotion(aisle, chain, body);
  assert.deepEqual((await readPromotion(aisle, chain, id)).limits, { ...limits, max_discount_per_order: 5.555 });
  const { reason: _, limits: _limits, ...bare } = body;
  await applyPromotion(aisle, chain, bare);
  const kept = await readPromotion(aisle, chain, id);
  assert.deepEqual([kept.reason, kept.limits.global_limit], ['COMPETITIVENESS', 100]);
  await applyPromotion(aisle, chain, { ...body, reason: 'EXPIRING_SOON', limits: { global_limit: 7 } });
  const changed = await readPromotion(aisle, chain, id);
  assert.deepEqual([changed.reason, changed.limits], ['EXPIRING_SOON', { global_limit: 7 }]);
  await applyPromotion(aisle, chain, { ...body, limits: {} });
  assert.deepEqual((await readPromotion(aisle, chain, id)).limits, {});
});

test("every type of discount is rounded half up to the currency's minor unit", async () => {
  const cases = [
    ['AED', final(2.345, 'A'), 2.35],
    ['AED', percent(33.335, 'A'), 6.67],
    ['AED', { discount_subtype: 'ABSOLUTE', discount_value: 2.505, sku: ['A'] }, 7.5],
    ['AED', { discount_subtype: 'ABSOLUTE', discount_value: 12, sku: ['A'] }, 0],
    ['AED', percent(100, 'A'), 0],
    ['KWD', percent(33.335, 'A'), 6.667],
    ['JPY', percent(25, 'A'), 8],
  ] as const;
  for (const [currency, entry, expected] of cases) {
    await makeShops({ currency });
    await applyPromotion(aisle, chain, promotionBody({ discount: [entry] }));
    assert.equal(await priceOf(aisle, chain, 'A'), expected, `${currency} ${JSON.stringify(entry)}`);
  }
});

test('a bundle is shown in the catalog without a promotional price', async () => {
  await makeShops();
  const times = { start_time: fromNow(-60), end_time: fromNow(60) };
  const conditions = { ...times, purchased_quantity: 2, discounted_quantity: 1 };
  const body = promotionBody({ type: 'SAME_ITEM_BUNDLE', conditions, discount: [percent(100, 'A')] });
  const { promotion_id: id } = await applyPromotion(aisle, chain, body);
  const { promotional_price, promotion } = await readShown(aisle, chain, 'A');
  assert.deepEqual([promotional_price, promotion.promotion_id, promotion.type], [undefined, id, 'SAME_ITEM_BUNDLE']);
  assert.deepEqual((await readPromotion(aisle, chain, id)).conditions, conditions);
});
