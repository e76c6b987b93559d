import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unitLine, weightLine } from '../../../test/support/lines.ts';
import { type Decimal, decimal, decimalNumber } from '../../kernel/values/decimal.ts';
import { amountAt, amountFor, checkPrices, payFor, withDiscounts } from './pricing.ts';

const thousandths = (max: number) => fc.bigInt(0n, BigInt(max)).map((value) => value as Decimal);
const digits = fc.constantFrom(0, 2, 3);
const minorOf = (count: number) => 10n ** BigInt(3 - count);

test("the unit price is rounded to the currency's minor unit, and so is the total calculated from it", () => {
  fc.assert(
    fc.property(thousandths(9_999_999_999), thousandths(100_000_000), digits, (price, weight, count) => {
      const { unitPrice, total } = amountAt(price, 1, weight, count);
      const minor = minorOf(count);
      assert.deepEqual([unitPrice % minor, total % minor], [0n, 0n]);
      const isRounded = (error: bigint, scale: bigint) => (error < 0n ? -error : error) * 2n <= minor * scale;
      assert.ok(isRounded(unitPrice - price, 1n) && isRounded(total * 1000n - unitPrice * weight, 1000n));
    }),
  );
});

test('a larger quantity never costs less than a smaller one', () => {
  fc.assert(
    fc.property(thousandths(999_999), thousandths(50_000), thousandths(50_000), digits, (price, one, more, count) => {
      const heavier = (one + more) as Decimal;
      assert.ok(amountAt(price, 1, one, count).total <= amountAt(price, 1, heavier, count).total);
    }),
  );
});

test('half a minor unit is rounded up', () => {
  assert.equal(decimalNumber(amountAt(decimal(0.1), 1, decimal(0.05), 2).total), 0.01);
  assert.equal(decimalNumber(amountAt(decimal(333), 1, decimal(1.5), 0).total), 500);
});

test('a total in the request is kept for any quantity, and the unit price is calculated from the total', () => {
  fc.assert(
    fc.property(thousandths(9_999_999), fc.integer({ min: 1, max: 1000 }), digits, (total, quantity, count) => {
      const amount = amountFor(total, quantity, null, count);
      assert.equal(amount.total, total);
      const error = amount.unitPrice * BigInt(quantity) - total;
      assert.ok((error < 0n ? -error : error) * 2n <= minorOf(count) * BigInt(quantity));
    }),
  );
});

test('NOT_FOUND and REPLACED lines are not billed; the total is the sum of the rest minus discounts plus fees', () => {
  const off = { discount: decimal(0.4) };
  const lines = [
    unitLine('picked', 2, 1.5, { status: 'IN_CART', ...off }),
    unitLine('open', 1, 4),
    unitLine('missing', 9, 9, { status: 'NOT_FOUND', ...off }),
    weightLine('gone', 9, 9, { status: 'REPLACED', ...off }),
    weightLine('extra', 0.5, 3, { status: 'ADDITION' }),
  ];
  const { subTotal, discount, total } = payFor(lines, decimal(5.25));
  assert.deepEqual([subTotal, discount, total].map(decimalNumber), [8.5, 0.4, 13.35]);
});

test('a line that is not billable has no discount, and no discount exceeds the price', () => {
  const lines = [
    unitLine('missing', 1, 9, { status: 'NOT_FOUND', discount: decimal(3) }),
    unitLine('cheap', 1, 2, { status: 'IN_CART' }),
    unitLine('dear', 1, 20, { status: 'IN_CART' }),
  ];
  const rule = (billable: unknown[]) => billable.map(() => ({ discount: decimal(5), discountedUnits: 1 }));
  const discounts = withDiscounts(lines, rule, 2).map((line) => decimalNumber(line.discount));
  assert.deepEqual(discounts, [0, 2, 5]);
});

test('a price that would exceed the maximum after rounding is rejected', () => {
  const errors = (price: number, digits: number) => checkPrices('/items/0', { unit_price: price }, 'Milk', digits);
  assert.deepEqual(errors(9_999_999.999, 3), []);
  assert.deepEqual(errors(9_999_999.994, 2), []);
  assert.deepEqual(errors(9_999_999.999, 2), [
    {
      pointer: '/items/0/pricing/unit_price',
      code: 'out_of_range',
      message: 'must be between 0 and 9999999.99 for Milk',
    },
  ]);
});
