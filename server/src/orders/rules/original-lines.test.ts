import assert from 'node:assert/strict';
import test from 'node:test';
import { unitLine, weightLine } from '../../../test/support/lines.ts';
import type { Line } from './line.ts';
import { applyToOriginal } from './original-lines.ts';

test('a quantity or weight outside the allowed range is rejected with a message that states the range', () => {
  assert.equal(
    messageFor(unitLine('milk', 4, 1), { pricing_type: 'UNIT', quantity: 5 }),
    'quantity of "milk" (MILK) must be between 1 and 4',
  );
  assert.equal(
    messageFor(unitLine('milk', 4, 1), { pricing_type: 'UNIT', quantity: 0 }),
    'quantity of "milk" (MILK) must be between 1 and 4',
  );
  assert.equal(
    messageFor(weightLine('ham', 2, 1), { pricing_type: 'KG', weight: 4.5 }),
    'weight of "ham" (HAM) must be between 1 and 4 kg',
  );
});

test('a fractional quantity of a UNIT item is rejected with a message that states the allowed range', () => {
  assert.equal(
    messageFor(unitLine('milk', 4, 1), { pricing_type: 'UNIT', quantity: 1.5 }),
    'must be a whole number between 1 and 4 for "milk" (MILK)',
  );
});

function messageFor(line: Line, pricing: { pricing_type: 'UNIT' | 'KG'; quantity?: number; weight?: number }) {
  const decided = applyToOriginal({ at: '/items/0', item: { status: 'IN_CART', pricing }, kind: 'original', line }, 2);
  assert.ok(Array.isArray(decided) && decided.length === 1);
  return decided[0]?.message;
}
