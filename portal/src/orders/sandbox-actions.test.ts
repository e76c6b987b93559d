import assert from 'node:assert/strict';
import test from 'node:test';
import type { Order } from './order.ts';
import { listSandboxActions } from './sandbox-actions.ts';

type Allowed = Order['allowed_actions'];
const cancel: Allowed[number] = { action: 'cancel', by: 'platform' };
const labels = (allowed_actions: Allowed, transport_type: Order['transport_type'] = 'LOGISTICS_DELIVERY') =>
  listSandboxActions({ allowed_actions, transport_type }).map(({ label }) => label);

test('only the platform actions that the order allows are offered', () => {
  assert.deepEqual(labels([{ action: 'READY_FOR_PICKUP', by: 'partner' }, cancel]), ['simulate.cancel']);
  assert.deepEqual(labels([cancel, { action: 'pickup', by: 'platform' }]), ['simulate.pickup', 'simulate.cancel']);
  assert.deepEqual(labels([{ action: 'CANCELLED', by: 'partner' }]), []);
});

test('an order that the store delivers itself needs no rider', () => {
  assert.deepEqual(labels([{ action: 'deliver', by: 'platform' }], 'VENDOR_DELIVERY'), ['simulate.deliverStore']);
  assert.deepEqual(labels([{ action: 'deliver', by: 'platform' }]), ['simulate.deliverRider']);
});
