import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishPromotion } from '../../../src/promotions/end-promotion.ts';
import type { PromotionJob } from '../../../src/promotions/job.ts';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { applyPromotion, percent, promotionBody, readPromotion } from '../../support/promotions.ts';
import { copyCatalog } from '../../support/storefront.ts';

const aisle = await useOwnAisle();

test('if a job is stopped, a storefront and the promotion have the products that it has discounted', async () => {
  const chain = await makeChain(aisle);
  const [store] = chain.vendors;
  await addProducts(
    aisle,
    chain,
    ['A', 'B', 'C'].map((sku) => ({ sku, title: sku, price: 10 })),
  );
  const copy = copyCatalog(aisle, chain);
  const body = promotionBody({ discount: [percent(20, 'A')] });
  const { job_id, promotion_id } = await applyPromotion(aisle, chain, body);
  await copy.sync();
  // What a slice has stored that was not the last one of its chunk.
  await aisle.db.query(
    `insert into promotion_offers (chain_id, vendor_id, sku, end_time, promotion_id, start_time, discount_subtype, discount_value)
     select chain_id, vendor_id, 'B', end_time, promotion_id, start_time, discount_subtype, discount_value
     from promotion_offers where promotion_id = $1`,
    [promotion_id],
  );
  const details = { promotion_id, header: { active: true } };
  const job = { job_id, status: 'FAILED', succeeded: 1, details } as unknown as PromotionJob;
  await aisle.db.transaction((tx) => finishPromotion(tx, chain.chainId, job));
  const seen = await copy.sync();
  assert.deepEqual([seen.includes(`${store} B`), seen.includes(`${store} C`)], [true, false]);
  assert.equal(copy.products.get(`${store} B`)?.effective_price, 8);
  await copy.assertEqual();
  const { discount } = await readPromotion(aisle, chain, promotion_id);
  assert.deepEqual(
    discount.map((entry: { sku: string[] }) => entry.sku),
    [['A'], ['B']],
  );
});
