import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  addDecimals,
  decimal,
  decimalNumber,
  decimalText,
  floorDecimal,
  minDecimal,
  multiplyDecimals,
  reduceByPercent,
  roundDecimal,
} from './decimal.ts';

test('extra digits are truncated, not rounded', () => {
  assert.equal(decimalText(decimal(4.5559)), '4.555');
  assert.equal(decimalText(decimal('0.9999')), '0.999');
  assert.equal(decimalText(decimal(1e-7)), '0.000');
  assert.equal(decimalText(decimal(5e-324)), '0.000');
});

test('sums are exact where floating-point sums are not', () => {
  assert.equal(decimalText(addDecimals(decimal(0.1), decimal(0.2))), '0.300');
});

test("the result of a multiplication is rounded half up to the currency's minor unit", () => {
  assert.equal(decimalText(multiplyDecimals(decimal(2.5), decimal(0.13), 2)), '0.330');
  assert.equal(decimalText(multiplyDecimals(decimal(1.005), decimal(1), 2)), '1.010');
  assert.equal(decimalText(multiplyDecimals(decimal('9999999.999'), decimal('9999999.999'), 3)), '99999999980000.000');
  assert.equal(decimalText(roundDecimal(decimal(7.5), 0)), '8.000');
  assert.equal(decimalText(roundDecimal(decimal(-7.5), 0)), '-8.000');
});

test('a percentage is deducted exactly, then rounded', () => {
  assert.equal(decimalText(reduceByPercent(decimal(9.99), decimal(10), 2)), '8.990');
  assert.equal(decimalText(reduceByPercent(decimal(0.3), decimal(33.333), 3)), '0.200');
  assert.equal(decimalText(reduceByPercent(decimal(1.01), decimal(50), 2)), '0.510');
  assert.equal(decimalText(reduceByPercent(decimal('9999999.999'), decimal(100), 3)), '0.000');
  assert.equal(decimalText(floorDecimal(decimal(1.999), 2)), '1.990');
  assert.equal(decimalText(minDecimal(decimal(2), decimal(0.5), decimal(1))), '0.500');
});

test('every amount survives a round trip through text and a JSON number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), (thousandths) => {
      const text = decimalText(BigInt(thousandths) as ReturnType<typeof decimal>);
      assert.equal(decimalText(decimal(text)), text);
      assert.equal(decimalText(decimal(decimalNumber(decimal(text)))), text);
    }),
  );
});
