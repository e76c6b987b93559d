import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OwnAisle, type Response, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts, readProduct } from '../../support/catalog.ts';
import {
  added,
  eventNames,
  fulfil,
  makeShop,
  sentItem,
  newOrder,
  placeOrder,
  putOrder,
  readEvents,
  readOrder,
  report,
  snapshot,
  validate,
} from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';

/** Several servers share one database, each with its own connections. A device's request can reach any of them. */
let servers: TestAisle[];
let others: OwnAisle[];
let aisle: TestAisle;
let chain: TestChain;

before(async () => {
  aisle = await useAisle();
  others = await Promise.all([1, 2, 3, 4].map(() => aisle.another()));
  servers = [aisle, ...others];
  chain = await makeShop(aisle, { vendors: 1 });
});
after(() => Promise.all(others.map((other) => other.stop())));

const server = (index: number) => servers[index % servers.length] as TestAisle;
const atOnce = <Result>(count: number, act: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));
const cancelBody = { status: 'CANCELLED', items: [], cancellation: { reason: 'CLOSED' } };
const customerCancels = { cancelled_by: 'CUSTOMER', reason: 'LATE' };
let count = 0;

async function stocked(quantity: number): Promise<string> {
  const sku = `RACE-${++count}`;
  await addProducts(aisle, chain, [{ sku, title: `Raced ${count}`, price: 2, quantity }]);
  return sku;
}
const stockOf = async (sku: string) => (await readProduct(aisle, chain, sku)).quantity;

/** Sends a fulfilment for one order from each of 50 devices concurrently, with `bodies` different bodies in total. */
async function raceDevices(bodies: number) {
  const sku = await stocked(1000);
  const order = await placeOrder(aisle, chain, [{ sku, quantity: 20 }]);
  const items = (index: number) => [
    sentItem(order, sku, { quantity: 1 + (index % bodies) }),
    added(sku, { quantity: 1 + (index % bodies) }),
  ];
  const responses = await atOnce(50, (index) => fulfil(server(index), chain, order, items(index)));
  return { sku, order, responses };
}

describe('50 devices working on one order', () => {
  for (const bodies of [1, 2, 10]) {
    test(`if 50 devices send ${bodies} different fulfilments, one is accepted, and the others are treated as repeats or rejected as conflicts`, async () => {
      const { sku, order, responses } = await raceDevices(bodies);
      const stored = await readOrder(aisle, chain, order.order_id);
      const done = responses.filter(({ status }) => status === 200);
      assert.equal(done.length, 50 / bodies);
      for (const { body } of done) assert.deepEqual(body, stored);
      for (const response of responses) if (response.status !== 200) assertProblem(response, 'order_state_conflict');
      assert.deepEqual([stored.revision, stored.status], [2, 'READY_FOR_PICKUP']);
      const events = await readEvents(aisle, order.order_id);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['order.received', 'order.ready_for_pickup'],
      );
      assert.deepEqual(events[1]?.body, snapshot(stored));
      const [picked, extra] = stored.items;
      assert.equal(stored.items.length, 2);
      assert.equal(await stockOf(sku), 1000 - picked.pricing.quantity - extra.pricing.quantity);
    });
  }

  test('if some devices validate, some fulfil and some cancel, the order ends up cancelled, and every response is consistent with that', async () => {
    const sku = await stocked(100);
    const order = await placeOrder(aisle, chain, [{ sku, quantity: 3 }]);
    const responses = await atOnce(50, (index) => {
      if (index % 3 === 0) return validate(server(index), chain, order, [sentItem(order, sku, { quantity: 1 })]);
      if (index % 3 === 1) return fulfil(server(index), chain, order, [sentItem(order, sku)]);
      return putOrder(server(index), chain, order.order_id, cancelBody);
    });
    for (const response of responses) if (response.status !== 200) assertProblem(response, 'order_state_conflict');
    for (const [index, { status }] of responses.entries()) if (index % 3 === 2) assert.equal(status, 200);
    const stored = await readOrder(aisle, chain, order.order_id);
    assert.equal(stored.status, 'CANCELLED');
    const wasPicked = responses.some(({ status }, index) => index % 3 === 1 && status === 200);
    assert.equal(stored.revision, wasPicked ? 3 : 2);
    assert.deepEqual(
      await eventNames(aisle, order.order_id),
      wasPicked ? ['received', 'ready_for_pickup'] : ['received'],
    );
    assert.equal(await stockOf(sku), 100);
  });
});

describe('a cancellation by the customer', () => {
  const rounds = 30;

  test("if a customer's cancellation races a fulfilment, the order, its events and the stock are consistent", async () => {
    const [sku, extra] = [await stocked(100), await stocked(100)];
    await atOnce(rounds, async (round) => {
      const order = await placeOrder(server(round), chain, [{ sku, quantity: 3 }]);
      const items = [sentItem(order, sku, { quantity: 1 }), added(extra, { quantity: 2 })];
      const [picking, cancelling] = await Promise.all([
        fulfil(server(round), chain, order, items),
        report(server(round + 1), order.order_id, 'cancel', customerCancels),
      ]);
      assert.equal(cancelling.status, 200, cancelling.text);
      if (picking.status !== 200) assertProblem(picking, 'order_state_conflict');
      const expected =
        picking.status === 200 ? ['received', 'ready_for_pickup', 'cancelled'] : ['received', 'cancelled'];
      assert.deepEqual(await eventNames(aisle, order.order_id), expected);
      const events = await readEvents(aisle, order.order_id);
      assert.deepEqual(
        events.map(({ body }) => body.revision),
        expected.map((_, index) => index + 1),
      );
      const stored = await readOrder(aisle, chain, order.order_id);
      assert.equal(stored.status, 'CANCELLED');
      assert.deepEqual(events.at(-1)?.body, { ...snapshot(stored), post_pickup_flag: false });
    });
    assert.deepEqual([await stockOf(sku), await stockOf(extra)], [100, 100]);
  });

  test("if a customer's cancellation races the rider's pickup, post_pickup_flag shows which came first", async () => {
    await atOnce(rounds, async (round) => {
      const order = await placeOrder(server(round), chain, [{ sku: 'MILK', quantity: 1 }]);
      assert.equal((await fulfil(server(round), chain, order, [sentItem(order, 'MILK')])).status, 200);
      const [pickup, cancelling] = await Promise.all([
        report(server(round), order.order_id, 'pickup'),
        report(server(round + 1), order.order_id, 'cancel', customerCancels),
      ]);
      assert.equal(cancelling.status, 200, cancelling.text);
      if (pickup.status !== 200) assertProblem(pickup, 'order_state_conflict');
      const wasPickedUp = pickup.status === 200;
      const last = (await readEvents(aisle, order.order_id)).at(-1);
      assert.deepEqual([last?.type, last?.body.post_pickup_flag], ['order.cancelled', wasPickedUp]);
      const expected = ['received', 'ready_for_pickup', ...(wasPickedUp ? ['dispatched'] : []), 'cancelled'];
      assert.deepEqual(await eventNames(aisle, order.order_id), expected);
    });
  });

  test('of two concurrent cancellations, the first is recorded, with an event only if a customer made it', async () => {
    const sku = await stocked(100);
    await atOnce(rounds, async (round) => {
      const order = await placeOrder(server(round), chain, [{ sku, quantity: 1 }]);
      const [partner, customer] = await Promise.all([
        putOrder(server(round), chain, order.order_id, cancelBody),
        report(server(round + 1), order.order_id, 'cancel', customerCancels),
      ]);
      assert.equal(partner.status, 200, partner.text);
      if (customer.status !== 200) assertProblem(customer, 'order_state_conflict');
      const isCustomers = customer.status === 200;
      const stored = await readOrder(aisle, chain, order.order_id);
      assert.equal(stored.cancellation.cancelled_by, isCustomers ? 'CUSTOMER' : 'VENDOR');
      assert.equal(stored.revision, 2);
      assert.deepEqual(await eventNames(aisle, order.order_id), isCustomers ? ['received', 'cancelled'] : ['received']);
    });
    assert.equal(await stockOf(sku), 100);
  });
});

describe('concurrent placements', () => {
  const post = (index: number, items: unknown[], headers: Record<string, string> = {}): Promise<Response> => {
    const { call, platformToken: token } = server(index);
    return call('POST', '/platform/v1/orders', { token, body: newOrder(chain, items), headers });
  };
  const ordersOf = async (sku: string) =>
    (await aisle.db.query(`select 1 from orders where items @> $1::jsonb`, [JSON.stringify([{ sku }])])).length;

  for (const stock of [1, 5]) {
    test(`of many concurrent orders for the last ${stock} units, only as many succeed as there are units`, async () => {
      const sku = await stocked(stock);
      const responses = await atOnce(25, (index) => post(index, [{ sku, quantity: 1 }]));
      const rejected = responses.filter(({ status }) => status !== 201);
      assert.equal(rejected.length, 25 - stock);
      for (const response of rejected) assertProblem(response, 'invalid_request');
      assert.deepEqual([await stockOf(sku), await ordersOf(sku)], [0, stock]);
    });
  }

  test('concurrent orders for the same SKUs in different sequences, with fulfilments in between, neither deadlock nor lose a unit', async () => {
    const skus = [await stocked(1000), await stocked(1000), await stocked(1000)];
    const responses = await atOnce(30, async (index) => {
      const rotated = skus.map((_, position) => skus[(position + index) % 3] ?? '');
      const placed = await post(
        index,
        (index % 2 ? rotated : rotated.toReversed()).map((sku) => ({ sku, quantity: 2 })),
      );
      assert.equal(placed.status, 201, placed.text);
      const items = skus.flatMap((sku) => [sentItem(placed.body, sku, { quantity: 1 }), added(sku, { quantity: 3 })]);
      return fulfil(server(index + 1), chain, placed.body, index % 2 ? items : items.toReversed());
    });
    for (const { status, text } of responses) assert.equal(status, 200, text);
    for (const sku of skus) assert.equal(await stockOf(sku), 1000 - 30 * 4);
  });

  test('concurrent requests with one idempotency key place one order', async () => {
    const sku = await stocked(10);
    const responses = await atOnce(20, (index) => post(index, [{ sku, quantity: 1 }], { 'idempotency-key': 'race-1' }));
    const placed = responses.filter(({ status }) => status === 201);
    assert.ok(placed.length >= 1);
    assert.equal(new Set(placed.map(({ body }) => body.order_id)).size, 1);
    for (const response of responses) if (response.status !== 201) assertProblem(response, 'idempotency_in_progress');
    assert.deepEqual([await stockOf(sku), await ordersOf(sku)], [9, 1]);
  });
});
