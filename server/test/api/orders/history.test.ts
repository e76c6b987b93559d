import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Response, makeToken, useAisle } from '../../support/aisle.ts';
import {
  added,
  fulfilled,
  itemOf,
  makeShop,
  sentItem,
  notFound,
  placeOrder,
  putOrder,
  readEvents,
  replaced,
  report,
} from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle);

describe("an order's history", () => {
  const history = (orderId: string, token = chain.token) =>
    aisle.call('GET', `${chain.base}/orders/${orderId}/history`, { token });

  test("an order's history lists who changed what and when, oldest first, and the order's events", async () => {
    const items = [
      { sku: 'MILK', quantity: 2 },
      { sku: 'BREAD', quantity: 1 },
    ];
    const order = await placeOrder(aisle, chain, items);
    const now = await fulfilled(aisle, chain, order, [
      sentItem(order, 'MILK', { quantity: 1 }),
      notFound(order, 'BREAD'),
    ]);
    await report(aisle, order.order_id, 'pickup');
    const { body } = await report(aisle, order.order_id, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'LATE' });
    const response = await history(order.order_id);
    assert.equal(response.status, 200, response.text);
    const { order_id, changes, events } = response.body;
    assert.equal(order_id, order.order_id);
    assert.deepEqual(
      changes.map((change: Response['body']) => [change.revision, change.action, change.from_status, change.to_status]),
      [
        [1, 'placed', null, 'RECEIVED'],
        [2, 'fulfilled', 'RECEIVED', 'READY_FOR_PICKUP'],
        [3, 'picked_up', 'READY_FOR_PICKUP', 'DISPATCHED'],
        [4, 'cancelled', 'DISPATCHED', 'CANCELLED'],
      ],
    );
    const actors = changes.map((change: Response['body']) => change.actor);
    assert.match(actors[1], /^token:/);
    assert.deepEqual([actors[0], actors[2], actors[3]], ['platform', 'rider', 'customer']);
    assert.deepEqual(
      [changes[0].at, changes[1].at, changes[3].at],
      [order.sys.created_at, now.sys.updated_at, body.sys.updated_at],
    );
    assert.deepEqual(
      changes[1].items.map((item: Response['body']) => [item._id, item.sku]),
      [
        [itemOf(order, 'MILK')._id, 'MILK'],
        [itemOf(order, 'BREAD')._id, 'BREAD'],
      ],
    );
    assert.match(changes[1].items[0].change, /1 instead of 2/);
    assert.match(changes[1].items[1].change, /not found/);
    const recorded = (await readEvents(aisle, order.order_id)).map(({ type }) => type);
    assert.deepEqual(
      events.map((event: Response['body']) => event.type),
      recorded,
    );
    assert.equal(recorded.length, 4);
  });

  test("reading an order's history requires the manage scope", async () => {
    const token = await makeToken(aisle, chain.chainId, { scopes: ['orders:read', 'orders:write'] });
    const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
    assertProblem(await history(order.order_id, token), 'forbidden');
  });

  test("an order's history describes replacements, additions and changed prices", async () => {
    const items = [
      { sku: 'MILK', quantity: 2 },
      { sku: 'BREAD', quantity: 1 },
      { sku: 'HAM', weight: 1 },
    ];
    const order = await placeOrder(aisle, chain, items);
    await fulfilled(aisle, chain, order, [
      sentItem(order, 'MILK', { unit_price: 2.25 }),
      ...replaced(order, 'BREAD', 'TEA', { quantity: 1 }),
      sentItem(order, 'HAM', { weight: 1.1 }),
      added('OLD', { quantity: 3 }),
    ]);
    const { changes } = (await history(order.order_id)).body;
    const changeOf = Object.fromEntries(changes[1].items.map((item: Response['body']) => [item.sku, item.change]));
    assert.match(changeOf['MILK'], /at 2\.25 AED instead of 2\.5 AED/);
    assert.match(changeOf['BREAD'], /replaced/);
    assert.match(changeOf['TEA'], /replaces "Bread"/);
    assert.match(changeOf['HAM'], /1\.1 kg instead of 1 kg/);
    assert.match(changeOf['OLD'], /added: 3/);
  });

  test("an order's history includes a cancellation that sent no event, but omits requests that changed nothing", async () => {
    const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
    const cancel = { status: 'CANCELLED', items: [], cancellation: { reason: 'CLOSED' } };
    for (let times = 0; times < 2; times++) await putOrder(aisle, chain, order.order_id, cancel);
    const { changes, events } = (await history(order.order_id)).body;
    assert.deepEqual(
      changes.map((change: Response['body']) => change.action),
      ['placed', 'cancelled'],
    );
    assert.equal(events.length, 1);
  });
});
