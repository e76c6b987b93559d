import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { anyDiscount, anyPrice } from '../../../test/support/promotion-arbitraries.ts';
import { decimal } from '../../kernel/values/decimal.ts';
import { type Candidate, chooseRunning, promotionState } from './running.ts';
import { applyDiscount } from './terms.ts';

const at = (milliseconds: number) => new Date(milliseconds);
const period = { start_time: at(1000), end_time: at(2000), is_cancelled: false };

test('a promotion runs from its start to the last millisecond before its end', () => {
  const states = [999, 1000, 1999, 2000].map((now) => promotionState(period, at(now)));
  assert.deepEqual(states, ['UPCOMING', 'RUNNING', 'RUNNING', 'ENDED']);
});

test('a cancelled promotion is CANCELLED at any time', () => {
  for (const now of [0, 1500, 3000]) {
    assert.equal(promotionState({ ...period, is_cancelled: true }, at(now)), 'CANCELLED');
  }
});

function candidate(promotion_id: string, start: number, created: number, final: string): Candidate {
  return {
    promotion_id,
    start_time: at(start),
    created_at: at(created),
    discount_subtype: 'FINAL_PRICE',
    discount_value: final,
  };
}
const chosen = (...candidates: Candidate[]) => chooseRunning(candidates, decimal(10), 2)?.winner.promotion_id;

test('the promotion with the latest start wins, and if the starts are equal, the one created last wins', () => {
  assert.equal(chosen(candidate('early', 1000, 5, '1'), candidate('late', 1001, 1, '9')), 'late');
  assert.equal(chosen(candidate('new', 1000, 6, '9'), candidate('old', 1000, 5, '1')), 'new');
  assert.equal(chosen(candidate('a', 1000, 5, '9'), candidate('b', 1000, 5, '1')), 'b');
});

test('a promotion that does not lower the price does not block another one', () => {
  assert.equal(chosen(candidate('early', 1000, 5, '9'), candidate('late', 1001, 1, '10')), 'early');
  assert.equal(chosen(candidate('late', 1001, 1, '11')), undefined);
  assert.equal(chosen(), undefined);
});

const anyCandidate = fc
  .record({
    discount: anyDiscount,
    promotion_id: fc.uuid(),
    start: fc.integer({ min: 0, max: 3 }),
    created: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ discount, promotion_id, start, created }) => ({
    ...discount,
    promotion_id,
    start_time: at(start),
    created_at: at(created),
  }));

test('the winner does not depend on the order of candidates and is the last applicable candidate to start', () => {
  fc.assert(
    fc.property(fc.array(anyCandidate, { maxLength: 6 }), anyPrice, (candidates, price) => {
      const winner = chooseRunning(candidates, price, 2)?.winner;
      assert.equal(chooseRunning(candidates.toReversed(), price, 2)?.winner.promotion_id, winner?.promotion_id);
      const applicable = candidates.filter((one) => applyDiscount(one, price, 2));
      assert.equal(winner === undefined, applicable.length === 0);
      for (const one of applicable) assert.ok(winner && one.start_time <= winner.start_time);
    }),
  );
});
