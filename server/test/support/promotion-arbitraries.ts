import fc from 'fast-check';
import { type Decimal, decimalText } from '../../src/kernel/values/decimal.ts';
import type { DiscountLine, PromotionTerms } from '../../src/promotions/index.ts';

/** Amounts of money up to the maximum, in thousandths. */
export const anyPrice = fc.bigInt({ min: 0n, max: 9_999_999_999n }).map((thousandths) => thousandths as Decimal);

export const anyDiscount = fc.oneof(
  fc.record({
    discount_subtype: fc.constantFrom('FINAL_PRICE' as const, 'ABSOLUTE' as const),
    discount_value: texts(anyPrice),
  }),
  fc.record({
    discount_subtype: fc.constant('PERCENTAGE' as const),
    discount_value: texts(fc.bigInt({ min: 1n, max: 100_000n }).map((thousandths) => thousandths as Decimal)),
  }),
);

const limit = fc.integer({ min: 1, max: 20 });
const anyLimits = fc.record(
  { max_discount_per_order: texts(anyPrice), max_items_per_order: limit, global_limit: limit },
  { requiredKeys: [] },
);

/** The terms of one of three promotions, so that several line items can share a promotion. */
export const anyTerms: fc.Arbitrary<PromotionTerms> = fc
  .record({
    promotion_id: fc.constantFrom('one', 'two', 'three'),
    type: fc.constantFrom('STRIKETHROUGH' as const, 'SAME_ITEM_BUNDLE' as const),
    discount: anyDiscount,
    purchased_quantity: limit,
    discounted_quantity: limit,
    max_quantity: fc.option(limit, { nil: undefined }),
    limits: anyLimits,
  })
  .map(({ discount, max_quantity, ...terms }) => ({
    name: 'Week',
    ...terms,
    ...discount,
    ...(max_quantity !== undefined && { max_quantity }),
  }));

/** A line item sold by the piece or by weight. */
export const anyLine: fc.Arbitrary<DiscountLine> = fc
  .record({
    terms: fc.option(anyTerms),
    unitPrice: anyPrice,
    quantity: fc.integer({ min: 1, max: 100 }),
    weight: fc.option(fc.bigInt({ min: 1n, max: 50_000n }).map((grams) => grams as Decimal)),
  })
  .map((line) => ({ ...line, quantity: line.weight === null ? line.quantity : 1 }));

function texts(values: fc.Arbitrary<Decimal>): fc.Arbitrary<string> {
  return values.map(decimalText);
}
