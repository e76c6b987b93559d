import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OrderAction, orderActions, type OrderStatus, orderStatuses } from '@aisle/contract/order';
import { allowedActions, findTransition, nextReport, offeredActions, transitions } from './states.ts';

const flows = [
  { transport_type: 'LOGISTICS_DELIVERY', order_type: 'DELIVERY' },
  { transport_type: 'LOGISTICS_DELIVERY', order_type: 'PICKUP' },
  { transport_type: 'VENDOR_DELIVERY', order_type: 'DELIVERY' },
] as const;
const actions = orderActions;

/** Every status an order in this flow can reach, starting at RECEIVED. */
function reachable(flow: (typeof flows)[number]): OrderStatus[] {
  const found = new Set<OrderStatus>(['RECEIVED']);
  for (const status of found) {
    for (const action of actions) {
      const to = findTransition({ ...flow, status }, action)?.to;
      if (to) found.add(to);
    }
  }
  return [...found].toSorted();
}

test('orders in each flow can reach the statuses of that flow and no others', () => {
  assert.deepEqual(flows.map(reachable), [
    ['CANCELLED', 'DELIVERED', 'DISPATCHED', 'READY_FOR_PICKUP', 'RECEIVED'],
    ['CANCELLED', 'PICKED_UP', 'READY_FOR_PICKUP', 'RECEIVED'],
    ['CANCELLED', 'DELIVERED', 'DISPATCHED', 'RECEIVED'],
  ]);
});

test('in each flow and status, an action has at most one transition', () => {
  for (const flow of flows) {
    for (const status of orderStatuses) {
      for (const action of actions) {
        const rows = transitions.filter((row) => {
          const own = { ...flow, ...row.for };
          const isOfFlow = own.transport_type === flow.transport_type && own.order_type === flow.order_type;
          return row.action === action && row.from.includes(status) && isOfFlow;
        });
        assert.ok(rows.length <= 1, `${status} ${action}`);
        assert.equal(findTransition({ ...flow, status }, action), rows[0]);
      }
    }
  }
});

test('an event is named after the new status and is an event type that webhooks receive', () => {
  const known = new Set(['ready_for_pickup', 'dispatched', 'cancelled', 'delivered'].map((name) => `order.${name}`));
  for (const { event, to } of transitions) {
    if (event === undefined) continue;
    assert.ok(known.has(event), event);
    assert.equal(event, `order.${String(to).toLowerCase()}`);
  }
});

test('fulfilment is the only partner action that causes an event', () => {
  const silent = transitions.filter(({ by, event }) => by === 'partner' && event === undefined);
  assert.deepEqual(silent.map(({ action }) => action).toSorted(), ['CANCELLED', 'UPDATE_CART']);
});

test('CANCELLED is final, and only the partner can cancel a finished order', () => {
  for (const flow of flows) {
    for (const status of ['DELIVERED', 'PICKED_UP', 'CANCELLED'] as const) {
      const open = actions.filter((action) => findTransition({ ...flow, status }, action));
      assert.deepEqual(open, ['CANCELLED'] satisfies OrderAction[]);
      assert.equal(findTransition({ ...flow, status }, 'CANCELLED')?.to, 'CANCELLED');
    }
  }
});

test('partners and the platform are each offered only their own actions', () => {
  const received = { ...flows[0], status: 'RECEIVED' } as const;
  assert.deepEqual(allowedActions(received, 'partner').toSorted(), ['CANCELLED', 'READY_FOR_PICKUP', 'UPDATE_CART']);
  assert.deepEqual(allowedActions(received, 'platform'), ['cancel']);
  assert.deepEqual(allowedActions({ ...flows[0], status: 'DELIVERED' }, 'platform'), []);
});

test('the actions offered for an order are those that change its status', () => {
  for (const flow of flows) {
    for (const status of orderStatuses) {
      const state = { ...flow, status };
      const offered = offeredActions(state).map(({ action, by }) => `${by} ${action}`);
      const expected = actions.flatMap((action) => {
        const row = findTransition(state, action);
        return row && row.to !== status ? [`${row.by} ${action}`] : [];
      });
      assert.deepEqual(offered.toSorted(), expected.toSorted());
    }
    assert.deepEqual(offeredActions({ ...flow, status: 'CANCELLED' }), []);
    assert.deepEqual(offeredActions({ ...flow, status: 'DELIVERED' }), [{ action: 'CANCELLED', by: 'partner' }]);
  }
});

test('the next report is the one allowed by the transitions, or none if the store acts next or the order is finished', () => {
  const byRider = { transport_type: 'LOGISTICS_DELIVERY', order_type: 'DELIVERY' } as const;
  assert.equal(nextReport({ ...byRider, status: 'RECEIVED' }), undefined);
  assert.equal(nextReport({ ...byRider, status: 'READY_FOR_PICKUP' }), 'pickup');
  assert.equal(nextReport({ ...byRider, status: 'DISPATCHED' }), 'deliver');
  assert.equal(nextReport({ ...byRider, order_type: 'PICKUP', status: 'READY_FOR_PICKUP' }), 'collect');
  assert.equal(nextReport({ ...byRider, transport_type: 'VENDOR_DELIVERY', status: 'DISPATCHED' }), 'deliver');
  for (const status of ['DELIVERED', 'PICKED_UP', 'CANCELLED'] as const) {
    assert.equal(nextReport({ ...byRider, status }), undefined);
  }
});
