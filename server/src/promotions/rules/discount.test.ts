import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { anyLine } from '../../../test/support/promotion-arbitraries.ts';
import { addDecimals, decimal, decimalText, multiplyDecimals, roundDecimal } from '../../kernel/values/decimal.ts';
import { type DiscountLine, discountableUnits, discountLines } from './discount.ts';
import type { PromotionLimits, PromotionTerms } from './terms.ts';

const strikethrough: PromotionTerms = {
  promotion_id: 'p',
  name: 'Week',
  type: 'STRIKETHROUGH',
  discount_subtype: 'FINAL_PRICE',
  discount_value: '7.5',
};
const bundle: PromotionTerms = {
  ...strikethrough,
  type: 'SAME_ITEM_BUNDLE',
  discount_subtype: 'PERCENTAGE',
  discount_value: '100',
  purchased_quantity: 2,
  discounted_quantity: 1,
};

function line(terms: PromotionTerms | null, quantity: number, price = 10): DiscountLine {
  return { terms, unitPrice: decimal(price), quantity, weight: null };
}

/** Formats each line as `discount/discounted units`. */
function discounts(...lines: DiscountLine[]): string[] {
  return discountLines(lines, 2).map((one) => `${decimalText(one.discount)}/${one.discountedUnits}`);
}

test('a strikethrough promotion discounts every unit by the price difference', () => {
  assert.deepEqual(discounts(line(strikethrough, 3), line(null, 3), line(strikethrough, 1, 8)), [
    '7.500/3',
    '0.000/0',
    '0.500/1',
  ]);
});

test('a line that costs no more than the promotional price gets no discount', () => {
  assert.deepEqual(discounts(line(strikethrough, 3, 7.5), line(strikethrough, 3, 2)), ['0.000/0', '0.000/0']);
});

test('an item sold by weight is discounted per kilogram, rounded half up, and never as a bundle', () => {
  const weighed = { ...line(strikethrough, 1), weight: decimal(1.234) };
  assert.deepEqual(discounts(weighed), ['3.090/1']);
  assert.deepEqual(discounts({ ...weighed, terms: bundle }), ['0.000/0']);
});

test('in a bundle, only complete groups are discounted', () => {
  const units = [1, 2, 3, 5, 6, 9].map((quantity) => discountableUnits(bundle, quantity));
  assert.deepEqual(units, [0, 0, 1, 1, 2, 3]);
  assert.equal(discountableUnits({ ...bundle, purchased_quantity: 1, discounted_quantity: 2 }, 7), 4);
  assert.deepEqual(discounts(line(bundle, 7)), ['20.000/2']);
  assert.deepEqual(discounts(line({ ...bundle, discount_value: '50' }, 3, 0.33)), ['0.160/1']);
});

test('lines share the limits on units and on the discount, and earlier lines use them up first', () => {
  const limited = (limits: PromotionLimits, max_quantity = 100) => ({
    ...strikethrough,
    max_quantity,
    limits,
  });
  assert.deepEqual(discounts(line(limited({}, 2), 5)), ['5.000/2']);
  const items = limited({ max_items_per_order: 4 });
  assert.deepEqual(discounts(line(items, 3), line(items, 3), line(items, 3)), ['7.500/3', '2.500/1', '0.000/0']);
  const money = limited({ max_discount_per_order: '9' });
  assert.deepEqual(discounts(line(money, 3), line(money, 3), line(money, 3)), ['7.500/3', '1.500/3', '0.000/0']);
  const booked = limited({ global_limit: 1 });
  assert.deepEqual(discounts(line(booked, 3)), ['2.500/1']);
});

test('two promotions in one order have separate limits', () => {
  const one = { ...strikethrough, limits: { max_items_per_order: 1 } };
  assert.deepEqual(discounts(line(one, 2), line({ ...one, promotion_id: 'q' }, 2)), ['2.500/1', '2.500/1']);
});

const anyLines = fc.array(anyLine, { maxLength: 8 });
const digits = fc.constantFrom(0, 2, 3);

test("a discount is never negative, never exceeds its line, and is rounded to the currency's minor unit", () => {
  fc.assert(
    fc.property(anyLines, digits, (lines, minorDigits) => {
      for (const [index, { discount, discountedUnits }] of discountLines(lines, minorDigits).entries()) {
        const { unitPrice, weight, quantity } = lines[index] as DiscountLine;
        assert.ok(discount >= 0n);
        assert.ok(discount <= multiplyDecimals(unitPrice, weight ?? decimal(quantity), minorDigits));
        assert.equal(discount, roundDecimal(discount, minorDigits));
        assert.ok(discountedUnits >= 0 && discountedUnits <= quantity);
        assert.equal(discountedUnits === 0, discount === 0n);
      }
    }),
  );
});

test('an order total is never below zero', () => {
  fc.assert(
    fc.property(anyLines, digits, (lines, minorDigits) => {
      const total = lines.map(({ unitPrice, weight, quantity }) =>
        multiplyDecimals(unitPrice, weight ?? decimal(quantity), minorDigits),
      );
      const off = discountLines(lines, minorDigits).map(({ discount }) => discount);
      assert.ok(addDecimals(...off) <= addDecimals(...total));
    }),
  );
});

test("a promotion's limits are never exceeded, whatever the order contains", () => {
  fc.assert(
    fc.property(anyLines, digits, (lines, minorDigits) => {
      // The limits in a promotion's first line apply to all of its lines.
      const terms = new Map<string, PromotionTerms>();
      for (const one of lines)
        if (one.terms && !terms.has(one.terms.promotion_id)) terms.set(one.terms.promotion_id, one.terms);
      const found = discountLines(lines, minorDigits);
      for (const [id, { limits = {} }] of terms) {
        const own = found.filter((_, index) => lines[index]?.terms?.promotion_id === id);
        const units = own.reduce((sum, { discountedUnits }) => sum + discountedUnits, 0);
        assert.ok(units <= Math.min(limits.max_items_per_order ?? Infinity, limits.global_limit ?? Infinity));
        const money = addDecimals(...own.map(({ discount }) => discount));
        if (limits.max_discount_per_order !== undefined) assert.ok(money <= decimal(limits.max_discount_per_order));
      }
      for (const [index, { discountedUnits }] of found.entries()) {
        assert.ok(discountedUnits <= (lines[index]?.terms?.max_quantity ?? Infinity));
      }
    }),
  );
});

test('a larger quantity never gets a smaller discount', () => {
  fc.assert(
    fc.property(anyLine, digits, fc.integer({ min: 1, max: 20 }), (one, minorDigits, more) => {
      fc.pre(one.weight === null);
      const off = (quantity: number) => discountLines([{ ...one, quantity }], minorDigits)[0]?.discount ?? 0n;
      assert.ok(off(one.quantity + more) >= off(one.quantity));
    }),
  );
});
