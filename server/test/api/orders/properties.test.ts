import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { type Response, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts, readProduct } from '../../support/catalog.ts';
import {
  added,
  assertSums,
  eventNames,
  fulfil,
  makeShop,
  sentItem,
  notFound,
  placeOrder,
  putOrder,
  readEvents,
  readOrder,
  replaced,
  report,
  validate,
} from '../../support/orders.ts';

let aisle: TestAisle;
const shops: TestChain[] = [];

before(async () => {
  aisle = await useAisle();
  for (const currency of ['JPY', 'AED', 'KWD']) {
    const settings = { unit_overpick: 2, weighted_replacement: true, weight_tolerance: 0.5 };
    const shop = await makeShop(aisle, { currency, settings });
    await addProducts(aisle, shop, odd);
    shops.push(shop);
  }
});

/** Products whose prices need rounding in every currency. */
const odd = [
  { sku: 'ODD-1', title: 'Odd one', price: 3.335, quantity: 100_000 },
  { sku: 'ODD-2', title: 'Odd two', price: 0.005 },
  { sku: 'ODD-3', title: 'Odd three', price: 129.999 },
  { sku: 'HAM-2', title: 'Odd ham', price: 17.777, is_sold_by_weight: true },
];
const grams = (min: number, max: number) => fc.integer({ min, max }).map((weight) => weight / 1000);
const money = fc.integer({ min: 0, max: 99_999 }).map((value) => value / 1000);
/** Prices that are either exactly 0 or not rounded to 0 in any currency. */
const price = money.filter((value) => value === 0 || value >= 0.5);
const pieces = ['MILK', 'ODD-1', 'ODD-2', 'ODD-3'];
const weighed = ['HAM', 'HAM-2', 'CHEESE'];
const kinds = ['as ordered', 'other amount', 'unit price', 'total price', 'not found', 'replaced'] as const;

const choice = fc.record({
  kind: fc.constantFrom(...kinds),
  share: fc.integer({ min: 0, max: 1000 }),
  price,
  by: fc.constantFrom('TEA', 'ODD-1', 'OLD', 'CHEESE'),
});
const cart = fc.record({
  shop: fc.integer({ min: 0, max: 2 }),
  units: fc
    .subarray(pieces)
    .chain((skus) =>
      fc.tuple(
        ...skus.map((sku) => fc.record({ sku: fc.constant(sku), quantity: fc.integer({ min: 1, max: 50 }), choice })),
      ),
    ),
  weights: fc
    .subarray(weighed, { minLength: 1 })
    .chain((skus) =>
      fc.tuple(...skus.map((sku) => fc.record({ sku: fc.constant(sku), weight: grams(1, 5000), choice }))),
    ),
  additions: fc.array(
    fc.record({ sku: fc.constantFrom('TEA', 'ODD-1', 'CHEESE'), amount: grams(1, 9000), price: fc.option(price) }),
    { maxLength: 3 },
  ),
  fees: fc.record({ delivery_fee: money, service_fee: money }),
});
type Cart = typeof cart extends fc.Arbitrary<infer Value> ? Value : never;

async function place(drawn: Cart): Promise<{ chain: TestChain; order: Response['body'] }> {
  const chain = shops[drawn.shop] as TestChain;
  const items = [
    ...drawn.units.map(({ sku, quantity }) => ({ sku, quantity })),
    ...drawn.weights.map(({ sku, weight }) => ({ sku, weight })),
  ];
  return { chain, order: await placeOrder(aisle, chain, items, { payment: { type: 'CASH', ...drawn.fees } }) };
}

/** Returns the items that a device sends for the order. They are valid unless nothing is picked. */
function pick(order: Response['body'], drawn: Cart): unknown[] {
  const lines = [...drawn.units, ...drawn.weights].flatMap(({ sku, choice: { kind, share, price, by } }) => {
    const { pricing_type, min_quantity, max_quantity } = order.items.find(
      (item: Response['body']) => item.sku === sku,
    ).pricing;
    const between = min_quantity + ((max_quantity - min_quantity) * share) / 1000;
    const isUnit = pricing_type === 'UNIT';
    const amount = isUnit ? { quantity: Math.round(between) } : { weight: Math.round(between * 1000) / 1000 };
    if (kind === 'not found') return [notFound(order, sku)];
    if (kind === 'replaced' && by !== sku) {
      return replaced(order, sku, by, by === 'CHEESE' ? { weight: 0.001 + share / 500 } : { quantity: 1 + share });
    }
    if (kind === 'as ordered') return [sentItem(order, sku)];
    if (kind === 'other amount' || kind === 'replaced' || !isUnit) return [sentItem(order, sku, amount)];
    return [sentItem(order, sku, { ...amount, [kind === 'unit price' ? 'unit_price' : 'total_price']: price })];
  });
  const more = drawn.additions.map(({ sku, amount, price }) =>
    added(sku, {
      ...(sku === 'CHEESE' ? { weight: amount } : { quantity: Math.ceil(amount) }),
      ...(price !== null && { unit_price: price }),
    }),
  );
  return [...lines, ...more];
}

test('totals always equal the sum of the line items when an order is placed, validated, fulfilled and read', async () => {
  await fc.assert(
    fc.asyncProperty(cart, async (drawn) => {
      const { chain, order } = await place(drawn);
      assertSums(order);
      const items = pick(order, drawn);
      const tried = await validate(aisle, chain, order, items);
      assert.equal(tried.status, 200, tried.text);
      assertSums(tried.body);
      const { status, body } = await fulfil(aisle, chain, order, items);
      if (status === 400) return assert.equal(body.errors[0].code, 'nothing_picked');
      assertSums(body);
      assert.deepEqual(body.payment, tried.body.payment);
      const { warnings: _, ...stored } = body;
      assert.deepEqual(await readOrder(aisle, chain, order.order_id), stored);
    }),
    { numRuns: 60 },
  );
});

test('replaying a PUT changes nothing, whatever the order of its items', async () => {
  await fc.assert(
    fc.asyncProperty(cart, fc.infiniteStream(fc.nat()), async (drawn, keys) => {
      const { chain, order } = await place(drawn);
      const items = pick(order, drawn);
      const first = await fulfil(aisle, chain, order, items);
      if (first.status === 400) return;
      const stock = await readProduct(aisle, chain, 'ODD-1');
      const shuffled = items.map((item) => ({ item, key: keys.next().value })).toSorted((a, b) => a.key - b.key);
      const again = await fulfil(
        aisle,
        chain,
        order,
        shuffled.map(({ item }) => item),
      );
      assert.equal(again.status, 200, again.text);
      const { warnings: repeated = [], ...unchanged } = again.body;
      const { warnings = [], ...expected } = first.body;
      assert.deepEqual(unchanged, expected);
      assert.deepEqual(repeated.map(textOf).toSorted(), warnings.map(textOf).toSorted());
      assert.deepEqual(await readProduct(aisle, chain, 'ODD-1'), stock);
      assert.deepEqual(await eventNames(aisle, order.order_id), ['received', 'ready_for_pickup']);
    }),
    { numRuns: 30 },
  );
});

const textOf = ({ code, message }: Response['body']) => `${code} ${message}`;

test("a KG item's total matches its weight to within half a minor unit, and a higher weight never costs less", async () => {
  const orders = await Promise.all(
    shops.map(async (chain) => ({ chain, order: await placeOrder(aisle, chain, [{ sku: 'HAM-2', weight: 2 }]) })),
  );
  const minor = [1000, 10, 1];
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 2 }),
      grams(1000, 3000),
      grams(1000, 3000),
      async (index, one, other) => {
        const { chain, order } = orders[index] as (typeof orders)[number];
        const cost = async (weight: number): Promise<number> => {
          const { body } = await validate(aisle, chain, order, [sentItem(order, 'HAM-2', { weight })]);
          const { unit_price, total_price } = body.items[0].pricing;
          const exact = Math.round(unit_price * 1000) * Math.round(weight * 1000);
          const error = Math.abs(Math.round(total_price * 1000) * 1000 - exact);
          assert.ok(error * 2 <= (minor[index] ?? 0) * 1000, `${weight} kg at ${unit_price} cost ${total_price}`);
          return total_price;
        };
        const [light, heavy] = [await cost(Math.min(one, other)), await cost(Math.max(one, other))];
        assert.ok(light <= heavy);
      },
    ),
    { numRuns: 100 },
  );
});

/** The allowed transitions. Every other action must leave the order unchanged. */
const allowed: Record<string, Record<string, [from: string[], to: string]>> = {
  LOGISTICS_DELIVERY: {
    READY_FOR_PICKUP: [['RECEIVED'], 'READY_FOR_PICKUP'],
    pickup: [['READY_FOR_PICKUP'], 'DISPATCHED'],
    deliver: [['DISPATCHED'], 'DELIVERED'],
    cancel: [['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED'], 'CANCELLED'],
    CANCELLED: [['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED'], 'CANCELLED'],
  },
  VENDOR_DELIVERY: {
    DISPATCHED: [['RECEIVED'], 'DISPATCHED'],
    deliver: [['DISPATCHED'], 'DELIVERED'],
    cancel: [['RECEIVED', 'DISPATCHED'], 'CANCELLED'],
    CANCELLED: [['RECEIVED', 'DISPATCHED', 'DELIVERED'], 'CANCELLED'],
  },
};
const actions = [
  'READY_FOR_PICKUP',
  'DISPATCHED',
  'UPDATE_CART',
  'CANCELLED',
  'cancel',
  'pickup',
  'deliver',
  'collect',
];
const step = fc.record({
  action: fc.constantFrom(...actions),
  quantity: fc.integer({ min: 0, max: 4 }),
});

test('no sequence of requests reaches a status or sends an event that the transition table does not allow', async () => {
  const chain = shops[1] as TestChain;
  const flow = fc.constantFrom('LOGISTICS_DELIVERY', 'VENDOR_DELIVERY');
  await fc.assert(
    fc.asyncProperty(flow, fc.array(step, { minLength: 3, maxLength: 12 }), async (transport_type, steps) => {
      const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }], { transport_type });
      let current = order;
      for (const { action, quantity } of steps) {
        const response = await act(chain, order, action, quantity);
        assert.ok([200, 400, 409].includes(response.status), response.text);
        const next = await readOrder(aisle, chain, order.order_id);
        const [from, to] = allowed[transport_type]?.[action] ?? [[], ''];
        if (next.revision === current.revision) assert.deepEqual(next, current);
        else
          assert.ok(from.includes(current.status) && next.status === to, `${current.status} ${action} ${next.status}`);
        if (next.revision !== current.revision) assert.equal(response.status, 200);
        current = next;
      }
      const events = await readEvents(aisle, order.order_id);
      const revisions = events.map(({ body }) => body.revision);
      assert.deepEqual(
        revisions,
        [...new Set(revisions)].toSorted((a, b) => a - b),
      );
      for (const { type, body } of events) assert.equal(type, `order.${body.status.toLowerCase()}`);
    }),
    { numRuns: 40 },
  );
});

function act(chain: TestChain, order: Response['body'], action: string, quantity: number): Promise<Response> {
  if (action === 'cancel') return report(aisle, order.order_id, action, { cancelled_by: 'LOGISTICS', reason: 'LATE' });
  if (action === action.toLowerCase()) return report(aisle, order.order_id, action);
  if (action === 'CANCELLED') {
    const body = { status: action, items: [], cancellation: { reason: 'CLOSED' } };
    return putOrder(aisle, chain, order.order_id, body);
  }
  return putOrder(aisle, chain, order.order_id, { status: action, items: [sentItem(order, 'MILK', { quantity })] });
}
