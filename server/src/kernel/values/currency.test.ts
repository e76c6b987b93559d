import assert from 'node:assert/strict';
import test from 'node:test';
import { minorDigits } from './currency.ts';

test('the number of decimal places depends on the currency', () => {
  assert.deepEqual(['USD', 'AED', 'KWD', 'JPY', 'BHD', 'KRW', 'EUR'].map(minorDigits), [2, 2, 3, 0, 3, 0, 2]);
});
