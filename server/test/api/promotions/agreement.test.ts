import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { minorDigits } from '../../../src/kernel/values/currency.ts';
import { decimal, decimalNumber } from '../../../src/kernel/values/decimal.ts';
import { applyDiscount } from '../../../src/promotions/rules/terms.ts';
import { makeChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { applyPromotion, findTerms, promotionBody } from '../../support/promotions.ts';

/** Discounts are computed in SQL for the job and in TypeScript for reads. Both must return exactly the same prices. */
const aisle = await useAisle();

/** Generates amounts close to each other, so that rounding often determines the result. */
const cents = fc.integer({ min: 0, max: 3000 }).map((thousandths) => thousandths / 1000);
const anyCase = fc.record({
  price: fc.oneof(
    cents,
    fc.integer({ min: 0, max: 9_999_999_999 }).map((thousandths) => thousandths / 1000),
  ),
  discount: fc.oneof(
    fc.record({ discount_subtype: fc.constant('FINAL_PRICE' as const), discount_value: cents }),
    fc.record({
      discount_subtype: fc.constant('ABSOLUTE' as const),
      discount_value: cents.map((value) => Math.max(0.001, value)),
    }),
    fc.record({
      discount_subtype: fc.constant('PERCENTAGE' as const),
      discount_value: fc.integer({ min: 1, max: 100_000 }).map((thousandths) => thousandths / 1000),
    }),
  ),
});

for (const currency of ['AED', 'KWD', 'JPY']) {
  test(`the job, the catalog and orders apply the same discounts and get the same prices in ${currency}`, async () => {
    const chain = await makeChain(aisle, { vendors: 1, currency });
    const [store = ''] = chain.vendors;
    const seed = Number(process.env['AISLE_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
    const cases = fc.sample(anyCase, { numRuns: 400, seed }).map((one, index) => ({ ...one, sku: `S${index}` }));
    const products = cases.map(({ sku, price }) => ({ sku, title: sku, price }));
    await addProducts(aisle, chain, products);
    const discount = cases.map(({ sku, discount: entry }) => ({ ...entry, sku: [sku] }));
    const job = await applyPromotion(aisle, chain, promotionBody({ discount }));
    const rejected = new Set(job.result.invalid_discounted_skus[store]);

    const prices = cases.map(({ sku, price }) => ({ sku, price: String(price) }));
    const terms = await findTerms(aisle.db, chain.chainId, { vendor_id: store, locale: 'en_AE' }, prices, new Date());
    const { body } = await aisle.call('GET', `${chain.base}/vendors/${store}/catalog?page_size=500`, {
      token: chain.token,
    });
    for (const product of body.products) {
      const { price, discount: entry } = cases.find(({ sku }) => sku === product.sku) as (typeof cases)[number];
      const what = `seed ${seed}: ${JSON.stringify({ currency, price, ...entry })}`;
      const prices = applyDiscount(
        { ...entry, discount_value: String(entry.discount_value) },
        decimal(price),
        minorDigits(currency),
      );
      assert.equal(rejected.has(product.sku), prices === undefined, what);
      assert.equal(terms.has(product.sku), prices !== undefined, what);
      assert.equal(product.promotional_price, prices && decimalNumber(prices.promotional), what);
    }
  });
}
