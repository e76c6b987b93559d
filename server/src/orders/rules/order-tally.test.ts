import assert from 'node:assert/strict';
import test from 'node:test';
import { orderTally } from './order-tally.ts';

const line = (status: 'IN_CART' | 'NOT_FOUND' | 'REPLACED' | 'ADDITION', replacedId: string | null = null) => ({
  status,
  replacedId,
});

test('an order that has not been fulfilled is counted only by its status', () => {
  assert.deepEqual(orderTally({ status: 'RECEIVED', items: [line('IN_CART')] }), { received: 1 });
  assert.deepEqual(orderTally({ status: 'CANCELLED', items: [line('NOT_FOUND')] }), { cancelled: 1 });
});

test("a fulfilled order's lines are counted by outcome, with replacements and additions counted separately", () => {
  const items = [line('IN_CART'), line('REPLACED'), line('IN_CART', 'other'), line('NOT_FOUND'), line('ADDITION')];
  assert.deepEqual(orderTally({ status: 'READY_FOR_PICKUP', items }), {
    ready_for_pickup: 1,
    lines_ordered: 3,
    lines_picked: 1,
    lines_not_found: 1,
    lines_replaced: 1,
    lines_added: 1,
  });
});
