import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changePercent, findSuspicion, hasStockLoss } from './suspicious-change.ts';

const same = { percent: 0, becomesEmpty: false };

test('a price that changes by half or more, in either direction, is suspicious', () => {
  const codeFor = (price: string) => findSuspicion({ ...same, percent: changePercent('10.000', price) }, false)?.code;
  assert.deepEqual(['14.990', '15.000', '5.010', '5.000', '0.000'].map(codeFor), [
    undefined,
    'price_jump',
    undefined,
    'price_jump',
    'price_to_zero',
  ]);
});

test('the change of a price is exact, and unknown if the old price is 0', () => {
  assert.equal(changePercent('0.100', '0.300'), 200);
  assert.equal(changePercent('3.000', '4.000'), 33.3);
  assert.equal(changePercent('3.000', '2.000'), -33.3);
  assert.equal(changePercent('0.000', '1.000'), null);
});

test('stock that becomes 0 is suspicious only if it does in most of the changed rows, and in at least ten', () => {
  assert.equal(hasStockLoss({ stockChanges: 19, emptied: 10 }), true);
  assert.equal(hasStockLoss({ stockChanges: 20, emptied: 10 }), false);
  assert.equal(hasStockLoss({ stockChanges: 9, emptied: 9 }), false);
  assert.equal(findSuspicion({ ...same, becomesEmpty: true }, true)?.code, 'stock_to_zero');
  assert.equal(findSuspicion({ ...same, becomesEmpty: true }, false), undefined);
  assert.equal(findSuspicion(same, true), undefined);
});
