import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Response, useAisle } from '../../support/aisle.ts';
import {
  assertUnchanged,
  eventNames,
  fulfil,
  fulfilled,
  makeShop,
  sentItem,
  placeOrder,
  putOrder,
  readEvents,
  readOrder,
  report,
  snapshot,
  validate,
} from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle);

const flows = {
  platform: { transport_type: 'LOGISTICS_DELIVERY' },
  vendor: { transport_type: 'VENDOR_DELIVERY' },
  collected: { transport_type: 'LOGISTICS_DELIVERY', order_type: 'PICKUP' },
} as const;
type Flow = keyof typeof flows;

const customerCancels = { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' };
const place = (flow: Flow = 'platform') => placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 2 }], flows[flow]);
const pickAll = (order: Response['body']) => fulfilled(aisle, chain, order, [sentItem(order, 'MILK')]);
const partnerCancels = (order: Response['body'], reason: unknown = 'TOO_BUSY') =>
  putOrder(aisle, chain, order.order_id, { status: 'CANCELLED', items: [], cancellation: { reason } });

async function reported(order: Response['body'], action: string, body?: unknown): Promise<Response['body']> {
  const response = await report(aisle, order.order_id, action, body);
  assert.equal(response.status, 200, response.text);
  return response.body;
}

/** Places an order and brings it to this status by the shortest path. */
async function reach(flow: Flow, status: string): Promise<Response['body']> {
  const order = await place(flow);
  if (status === 'RECEIVED') return order;
  if (status === 'CANCELLED') return reported(order, 'cancel', customerCancels);
  const picked = await pickAll(order);
  if (picked.status === status) return picked;
  const moved = await reported(order, flow === 'platform' ? 'pickup' : flow === 'vendor' ? 'deliver' : 'collect');
  return moved.status === status ? moved : reported(order, 'deliver');
}

/** The actions that the specification allows in each status, each with the resulting status and event. */
const partnerCancel = { CANCELLED: ['CANCELLED', ''] } as const;
const cancels = { ...partnerCancel, cancel: ['CANCELLED', 'cancelled'] } as const;
const unchanged = { UPDATE_CART: ['RECEIVED', ''] } as const;
const readied = { READY_FOR_PICKUP: ['READY_FOR_PICKUP', 'ready_for_pickup'] } as const;
type Row = Record<string, readonly [to: string, event: string]>;
const table: Record<Flow, Record<string, Row>> = {
  platform: {
    RECEIVED: { ...cancels, ...unchanged, ...readied },
    READY_FOR_PICKUP: { ...cancels, pickup: ['DISPATCHED', 'dispatched'] },
    DISPATCHED: { ...cancels, deliver: ['DELIVERED', 'delivered'] },
    DELIVERED: partnerCancel,
    CANCELLED: partnerCancel,
  },
  vendor: {
    RECEIVED: { ...cancels, ...unchanged, DISPATCHED: ['DISPATCHED', 'dispatched'] },
    DISPATCHED: { ...cancels, deliver: ['DELIVERED', ''] },
    DELIVERED: partnerCancel,
    CANCELLED: partnerCancel,
  },
  collected: {
    RECEIVED: { ...cancels, ...unchanged, ...readied },
    READY_FOR_PICKUP: { ...cancels, collect: ['PICKED_UP', ''] },
    PICKED_UP: partnerCancel,
    CANCELLED: partnerCancel,
  },
};
const partnerActions = ['READY_FOR_PICKUP', 'DISPATCHED', 'UPDATE_CART', 'CANCELLED'];
const actions = [...partnerActions, 'cancel', 'pickup', 'deliver', 'collect'];

/** Performs the action. A fulfilment differs from the one sent by `reach`, so it is not treated as a repeat. */
function act(order: Response['body'], action: string): Promise<Response> {
  if (action === 'CANCELLED') return partnerCancels(order);
  if (!partnerActions.includes(action)) {
    return report(aisle, order.order_id, action, action === 'cancel' ? customerCancels : undefined);
  }
  return putOrder(aisle, chain, order.order_id, { status: action, items: [sentItem(order, 'MILK', { quantity: 1 })] });
}

describe('every order response lists the allowed actions', () => {
  for (const [flow, rows] of Object.entries(table) as [Flow, Record<string, Row>][]) {
    for (const [status, row] of Object.entries(rows)) {
      test(`a ${status} order (${flow}) lists its allowed actions`, async () => {
        const order = await reach(flow, status);
        const expected = Object.entries(row).filter(([, [to]]) => to !== status || status === 'RECEIVED');
        const found = order.allowed_actions.map(({ action, by }: Response['body']) => `${by} ${action}`);
        const byOf = (action: string) => (partnerActions.includes(action) ? 'partner' : 'platform');
        assert.deepEqual(found.toSorted(), expected.map(([action]) => `${byOf(action)} ${action}`).toSorted());
        const read = await readOrder(aisle, chain, order.order_id);
        assert.deepEqual(read.allowed_actions, order.allowed_actions);
        const events = await readEvents(aisle, order.order_id);
        assert.ok(events.every(({ body }) => !('allowed_actions' in body)));
      });
    }
  }
});

describe('every action in every status', () => {
  for (const [flow, rows] of Object.entries(table) as [Flow, Record<string, Row>][]) {
    for (const [status, row] of Object.entries(rows)) {
      for (const action of actions) {
        const expected = row[action];
        const outcome = expected
          ? `leads to ${expected[0]} and sends ${expected[1] || 'no event'}`
          : 'is rejected as a conflict';
        test(`for a ${status} order (${flow}), ${action} ${outcome}`, async () => {
          const order = await reach(flow, status);
          const events = await eventNames(aisle, order.order_id);
          const response = await act(order, action);
          if (expected) {
            assert.equal(response.status, 200, response.text);
            assert.equal(response.body.status, expected[0]);
            const isChange = action !== 'UPDATE_CART' && status !== 'CANCELLED';
            assert.equal(response.body.revision, order.revision + (isChange ? 1 : 0));
            assert.deepEqual(await eventNames(aisle, order.order_id), [...events, expected[1]].filter(Boolean));
            return;
          }
          assertProblem(response, 'order_state_conflict');
          assert.equal(response.body.order_status, status);
          const isPartners = partnerActions.includes(action);
          const allowed = Object.keys(row).filter((other) => partnerActions.includes(other) === isPartners);
          assert.deepEqual(response.body.allowed.toSorted(), allowed.toSorted());
          assert.deepEqual(await readOrder(aisle, chain, order.order_id), order);
          assert.deepEqual(await eventNames(aisle, order.order_id), events);
        });
      }
    }
  }
});

describe('specification 3.3', () => {
  test('a placed order is RECEIVED, and its event has the same body as the response to the platform', async () => {
    const order = await place();
    assert.equal(order.status, 'RECEIVED');
    assert.equal(order.revision, 1);
    assert.equal(order.items[0].status, 'NOT_PROCESSED');
    const events = await readEvents(aisle, order.order_id);
    assert.deepEqual(events, [{ type: 'order.received', body: snapshot(order) }]);
  });

  test('PUT READY_FOR_PICKUP in Platform Delivery returns 200 and sends a confirmation with the same body', async () => {
    const order = await place('platform');
    const now = await pickAll(order);
    assert.equal(now.status, 'READY_FOR_PICKUP');
    const [, event] = await readEvents(aisle, order.order_id);
    assert.deepEqual(event, { type: 'order.ready_for_pickup', body: snapshot(now) });
    assert.deepEqual(await readOrder(aisle, chain, order.order_id), now);
  });

  test('PUT DISPATCHED in Vendor Delivery returns 200 and sends a confirmation with the same body', async () => {
    const order = await place('vendor');
    const now = await pickAll(order);
    assert.equal(now.status, 'DISPATCHED');
    const [, event] = await readEvents(aisle, order.order_id);
    assert.deepEqual(event, { type: 'order.dispatched', body: snapshot(now) });
  });

  test("a rider's pickup makes the order DISPATCHED and sends an event, without a partner request", async () => {
    const order = await reach('platform', 'READY_FOR_PICKUP');
    const now = await reported(order, 'pickup');
    assert.deepEqual((await readEvents(aisle, order.order_id)).at(-1), {
      type: 'order.dispatched',
      body: snapshot(now),
    });
  });

  for (const party of ['CUSTOMER', 'LOGISTICS']) {
    test(`an order cancelled by ${party} is CANCELLED with that reason, and its event has post_pickup_flag false`, async () => {
      const order = await place();
      const now = await reported(order, 'cancel', { cancelled_by: party, reason: 'NO_RIDER' });
      assert.deepEqual(now.cancellation, { reason: 'NO_RIDER', cancelled_by: party });
      const event = (await readEvents(aisle, order.order_id)).at(-1);
      assert.deepEqual(event, { type: 'order.cancelled', body: { ...snapshot(now), post_pickup_flag: false } });
    });
  }

  for (const reason of ['CLOSED', 'ITEM_UNAVAILABLE', 'TOO_BUSY']) {
    test(`a partner's cancellation with ${reason} returns 200, is recorded as made by VENDOR, and sends no event`, async () => {
      const order = await place();
      const response = await partnerCancels(order, reason);
      assert.equal(response.status, 200, response.text);
      assert.equal(response.body.status, 'CANCELLED');
      assert.deepEqual(response.body.cancellation, { reason, cancelled_by: 'VENDOR' });
      assert.deepEqual(await eventNames(aisle, order.order_id), ['received']);
      assert.deepEqual(await readOrder(aisle, chain, order.order_id), response.body);
    });
  }

  test('UPDATE_CART can be sent any number of times and returns the changed order, but stores nothing and sends no event', async () => {
    const order = await place();
    for (const quantity of [1, 2, 1]) {
      const response = await validate(aisle, chain, order, [sentItem(order, 'MILK', { quantity })]);
      assert.equal(response.status, 200, response.text);
      assert.equal(response.body.status, 'RECEIVED');
      assert.equal(response.body.items[0].status, 'IN_CART');
      assert.equal(response.body.payment.sub_total, 2.5 * quantity);
      assert.equal(response.body.warnings, undefined);
      assert.equal(response.headers['etag'], '"1"');
      await assertUnchanged(aisle, chain, order);
    }
    const history = await aisle.call('GET', `${chain.base}/orders/${order.order_id}/history`, { token: chain.token });
    assert.equal(history.body.changes.length, 1);
    assert.equal((await pickAll(order)).revision, 2);
  });

  test('the events of a Platform Delivery order are RECEIVED, READY_FOR_PICKUP, DISPATCHED and DELIVERED', async () => {
    const order = await reach('platform', 'DELIVERED');
    const events = await readEvents(aisle, order.order_id);
    const expected = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED'];
    assert.deepEqual(
      events.map(({ body }) => body.status),
      expected,
    );
    assert.deepEqual(
      events.map(({ body }) => body.revision),
      [1, 2, 3, 4],
    );
  });

  test('a Platform Delivery order cancelled after dispatch has a CANCELLED event instead of DELIVERED', async () => {
    const order = await reach('platform', 'DISPATCHED');
    await reported(order, 'cancel', customerCancels);
    const expected = ['received', 'ready_for_pickup', 'dispatched', 'cancelled'];
    assert.deepEqual(await eventNames(aisle, order.order_id), expected);
  });

  test('the events of a Vendor Delivery order are RECEIVED, DISPATCHED and, if cancelled, CANCELLED', async () => {
    const delivered = await reach('vendor', 'DELIVERED');
    assert.deepEqual(await eventNames(aisle, delivered.order_id), ['received', 'dispatched']);
    const cancelled = await reach('vendor', 'DISPATCHED');
    await reported(cancelled, 'cancel', customerCancels);
    assert.deepEqual(await eventNames(aisle, cancelled.order_id), ['received', 'dispatched', 'cancelled']);
  });
});

test('each change updates revision, ETag and sys.updated_at, but not created_at', async () => {
  const order = await place();
  let { revision, sys } = order;
  for (const action of ['READY_FOR_PICKUP', 'pickup', 'deliver', 'CANCELLED']) {
    const { body, headers } = await act(order, action);
    assert.equal(body.revision, revision + 1);
    assert.equal(headers['etag'], `"${revision + 1}"`);
    assert.ok(body.sys.updated_at > sys.updated_at);
    assert.equal(body.sys.created_at, order.sys.created_at);
    ({ revision, sys } = body);
  }
});

test("fulfilling an order with the other flow's status is rejected as a conflict", async () => {
  const order = await place('vendor');
  const body = { status: 'READY_FOR_PICKUP', items: [sentItem(order, 'MILK')] };
  assertProblem(await putOrder(aisle, chain, order.order_id, body), 'order_state_conflict');
  await assertUnchanged(aisle, chain, order);
  assert.equal((await fulfil(aisle, chain, order, [sentItem(order, 'MILK')])).status, 200);
});
