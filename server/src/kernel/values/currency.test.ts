import assert from 'node:assert/strict';
import test from 'node:test';
import { minorDigits } from './currency.ts';

test("amounts have their currency's number of decimal places", () => {
  assert.deepEqual(['USD', 'AED', 'KWD', 'JPY', 'BHD', 'KRW', 'EUR'].map(minorDigits), [2, 2, 3, 0, 3, 0, 2]);
});
