import assert from 'node:assert/strict';
import test from 'node:test';
import { mayBeCancelled, nextMoves } from './moves.ts';

const rider = { order_type: 'DELIVERY', transport_type: 'LOGISTICS_DELIVERY' } as const;

test('a rider picks up what is ready and delivers what is dispatched', () => {
  const labels = (status: 'RECEIVED' | 'READY_FOR_PICKUP' | 'DISPATCHED' | 'DELIVERED') =>
    nextMoves({ ...rider, status }).map(({ label }) => label);
  assert.deepEqual(labels('RECEIVED'), []);
  assert.deepEqual(labels('READY_FOR_PICKUP'), ['Rider picks up']);
  assert.deepEqual(labels('DISPATCHED'), ['Rider delivers']);
  assert.deepEqual(labels('DELIVERED'), []);
});

test('a customer collects, and a store that delivers needs no rider', () => {
  assert.equal(nextMoves({ ...rider, order_type: 'PICKUP', status: 'READY_FOR_PICKUP' })[0]?.id, 'sandboxCollectOrder');
  const own = { order_type: 'DELIVERY', transport_type: 'VENDOR_DELIVERY', status: 'DISPATCHED' } as const;
  assert.equal(nextMoves(own)[0]?.label, 'Store delivers');
});

test('what has ended cannot be cancelled', () => {
  assert.ok(mayBeCancelled({ status: 'DISPATCHED' }));
  for (const status of ['DELIVERED', 'PICKED_UP', 'CANCELLED'] as const) assert.ok(!mayBeCancelled({ status }));
});
