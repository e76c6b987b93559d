import assert from 'node:assert/strict';
import test from 'node:test';
import type { DiscountSubtype } from '@aisle/contract/promotion-types';
import fc from 'fast-check';
import { decimal, decimalText, roundDecimal } from '../../kernel/values/decimal.ts';
import { anyDiscount, anyPrice } from '../../../test/support/promotion-arbitraries.ts';
import { applyDiscount, promotionalPrice } from './terms.ts';

const priced = (discount_subtype: DiscountSubtype, discount_value: string, price: number, digits = 2) =>
  decimalText(promotionalPrice({ discount_subtype, discount_value }, decimal(price), digits));

test('a final price replaces the current price; a percentage or an amount is subtracted from the current price', () => {
  assert.equal(priced('FINAL_PRICE', '4.5', 9.99), '4.500');
  assert.equal(priced('PERCENTAGE', '15', 9.99), '8.490');
  assert.equal(priced('PERCENTAGE', '100', 9.99), '0.000');
  assert.equal(priced('ABSOLUTE', '2.5', 9.99), '7.490');
  assert.equal(priced('ABSOLUTE', '12', 9.99), '0.000');
});

test("a promotional price is rounded half up to the currency's minor unit", () => {
  assert.equal(priced('PERCENTAGE', '50', 0.01), '0.010');
  assert.equal(priced('PERCENTAGE', '50', 1.001, 3), '0.501');
  assert.equal(priced('PERCENTAGE', '33.333', 100, 0), '67.000');
  assert.equal(priced('FINAL_PRICE', '1.005', 2), '1.010');
});

test('a discount applies only if the rounded price is lower', () => {
  const prices = (subtype: DiscountSubtype, value: string, price: number) =>
    applyDiscount({ discount_subtype: subtype, discount_value: value }, decimal(price), 2);
  assert.equal(prices('FINAL_PRICE', '5', 5), undefined);
  assert.equal(prices('FINAL_PRICE', '5.01', 5), undefined);
  assert.equal(prices('FINAL_PRICE', '4.996', 5), undefined);
  assert.equal(prices('PERCENTAGE', '0.001', 5), undefined);
  assert.equal(prices('FINAL_PRICE', '0', 0), undefined);
  assert.deepEqual(prices('FINAL_PRICE', '4.99', 5), { price: decimal(5), promotional: decimal(4.99) });
  assert.deepEqual(prices('ABSOLUTE', '0.01', 4.555), { price: decimal(4.56), promotional: decimal(4.55) });
});

test('a promotional price is rounded, never negative, and below the regular price if the discount applies', () => {
  fc.assert(
    fc.property(anyDiscount, anyPrice, fc.constantFrom(0, 2, 3), (discount, price, digits) => {
      const promotional = promotionalPrice(discount, price, digits);
      assert.ok(promotional >= 0n);
      assert.equal(promotional, roundDecimal(promotional, digits));
      const result = applyDiscount(discount, price, digits);
      assert.ok(result === undefined || result.promotional < result.price);
    }),
  );
});
