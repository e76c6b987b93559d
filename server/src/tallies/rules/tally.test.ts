import assert from 'node:assert/strict';
import test from 'node:test';
import { tallyChange } from './tally.ts';

test('a change contains the differences between two tallies and omits counters that did not change', () => {
  assert.deepEqual(tallyChange({}, { received: 1 }), { received: 1 });
  assert.deepEqual(tallyChange({ received: 1 }, { cancelled: 1 }), { received: -1, cancelled: 1 });
  assert.deepEqual(tallyChange({ received: 1, lines_ordered: 3 }, { received: 1, lines_ordered: 3 }), {});
});
