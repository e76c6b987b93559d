import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type Response, makeChain, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts, putProducts } from '../../support/catalog.ts';
import { newOrder, placeOrder } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { applyPromotion, final, percent, promotionBody } from '../../support/promotions.ts';
import { newId } from '../../../src/kernel/values/ids.ts';

const aisle = await useAisle();

const products = [
  { sku: 'MILK', title: 'Milk', price: 9.995, quantity: 10_000 },
  { sku: 'BREAD', title: 'Bread', price: 4.005 },
  { sku: 'TEA', title: 'Tea', price: 3.999, maximum_sales_quantity: 5 },
  { sku: 'HAM', title: 'Ham', price: 20.333, is_sold_by_weight: true },
  { sku: 'EMPTY', title: 'Empty', price: 1, quantity: 0 },
  { sku: 'OLD', title: 'Old', price: 1, active: false },
];

async function makeStore(): Promise<TestChain> {
  const chain = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, chain, products);
  return chain;
}

const chain = await makeStore();
const week = { display_name: { en_AE: 'Week' }, discount: [percent(33, 'MILK', 'HAM')] };
await applyPromotion(aisle, chain, promotionBody({ ...week, limits: { max_discount_per_order: 12.35 } }));
await applyPromotion(
  aisle,
  chain,
  promotionBody({
    type: 'SAME_ITEM_BUNDLE',
    display_name: { en_AE: 'Bundle' },
    conditions: { ...promotionBody().conditions, purchased_quantity: 2, discounted_quantity: 1 },
    discount: [percent(100, 'BREAD')],
  }),
);

function quote(of: TestChain, items: unknown[], more: Record<string, unknown> = {}): Promise<Response> {
  const body = { chain_id: of.chainId, vendor_id: of.vendors[0], items, ...more };
  return aisle.call('POST', '/platform/v1/quotes', { token: aisle.platformToken, body });
}

async function quoted(of: TestChain, items: unknown[], more: Record<string, unknown> = {}): Promise<Response['body']> {
  const response = await quote(of, items, more);
  assert.equal(response.status, 200, response.text);
  return response.body;
}

/** Everything that placing an order changes. */
const stored = () =>
  aisle.db.query(
    `select (select count(*) from orders) as orders, (select count(*) from events) as events,
       (select count(*) from offer_changes) + (select count(*) from placed_offer_changes) as changes,
       (select sum(quantity) from offers) as stock, (select sum(global_used) from promotions) as used`,
  );

const amount = (sku: string) =>
  sku === 'HAM'
    ? fc.integer({ min: 1, max: 4000 }).map((grams) => ({ sku, weight: grams / 1000 }))
    : fc.integer({ min: 1, max: 9 }).map((quantity) => ({ sku, quantity }));
const anyBasket = fc
  .subarray(['MILK', 'BREAD', 'TEA', 'HAM', 'EMPTY', 'OLD', 'NOWHERE'], { minLength: 1 })
  .chain((skus) => fc.tuple(...skus.map(amount)));

test('a quote has the prices of the order, or the errors with which the order is rejected', async () => {
  await fc.assert(
    fc.asyncProperty(anyBasket, async (items) => {
      const payment = { delivery_fee: 5.005, service_fee: 0.5 };
      const before = await stored();
      const found = await quoted(chain, items, { payment });
      assert.deepEqual(await stored(), before);
      const order = await aisle.call('POST', '/platform/v1/orders', {
        token: aisle.platformToken,
        body: newOrder(chain, items, { payment: { type: 'PAID', ...payment } }),
      });
      if (!found.is_accepted) {
        assertProblem(order, 'invalid_request');
        assert.deepEqual(found.errors, order.body.errors);
        return;
      }
      assert.equal(order.status, 201, order.text);
      assert.deepEqual({ type: 'PAID', ...found.payment }, order.body.payment);
      const priced = ({ sku, name, pricing, discount, promotion }: Response['body']) => {
        return { sku, name, pricing, discount, promotion };
      };
      assert.deepEqual(found.items.map(priced), order.body.items.map(priced));
    }),
    { numRuns: 60 },
  );
});

test('a basket with items that cannot be sold is priced without them', async () => {
  const found = await quoted(chain, [
    { sku: 'EMPTY', quantity: 1 },
    { sku: 'TEA', quantity: 6 },
    { sku: 'BREAD', quantity: 3 },
    { sku: 'NOWHERE', quantity: 1 },
    { sku: 'HAM', quantity: 2 },
    { sku: 'OLD', quantity: 1 },
    { sku: 'BREAD', quantity: 1 },
  ]);
  assert.equal(found.is_accepted, false);
  assert.deepEqual(
    found.errors.map((error: Response['body']) => `${error.pointer} ${error.code}`),
    [
      '/items/0/sku unavailable',
      '/items/1/quantity above_maximum',
      '/items/3/sku unknown_sku',
      '/items/4/weight missing',
      '/items/4/quantity not_allowed',
      '/items/5/sku inactive',
      '/items/6/sku named_twice',
    ],
  );
  assert.deepEqual(
    found.items.map((item: Response['body']) => item.sku),
    ['BREAD'],
  );
  // Two loaves at 4.01; the third is free.
  assert.deepEqual([found.payment.sub_total, found.payment.discount, found.payment.order_total], [12.03, 4.01, 8.02]);
});

test('the limit per order is in the quote', async () => {
  const [tea] = (await quoted(chain, [{ sku: 'TEA', quantity: 5 }])).items;
  assert.equal(tea.maximum_sales_quantity, 5);
});

test('a quote shows the units that are left of a promotion, but does not reserve them', async () => {
  const own = await makeStore();
  await applyPromotion(aisle, own, promotionBody({ discount: [final(1, 'MILK')], limits: { global_limit: 3 } }));
  const items = [{ sku: 'MILK', quantity: 5 }];
  const discounts = async () => (await quoted(own, items)).payment.discount;
  assert.deepEqual([await discounts(), await discounts()], [27, 27]);
  assert.equal((await placeOrder(aisle, own, [{ sku: 'MILK', quantity: 2 }])).payment.discount, 18);
  assert.equal(await discounts(), 9);
  assert.equal((await placeOrder(aisle, own, items)).payment.discount, 9);
  assert.equal(await discounts(), 0);
});

test('a price change affects the next quote', async () => {
  const own = await makeStore();
  const total = async () => (await quoted(own, [{ sku: 'BREAD', quantity: 2 }])).payment.order_total;
  assert.equal(await total(), 8.02);
  await putProducts(aisle, own, [{ sku: 'BREAD', price: 3 }]);
  assert.equal(await total(), 6);
});

test('a closed store quotes prices but accepts no order', async () => {
  const own = await makeStore();
  const path = `/platform/v1/chains/${own.chainId}/vendors/${own.vendors[0]}/status`;
  const close = (body: unknown) => aisle.call('PUT', path, { token: aisle.platformToken, body });
  assert.equal((await close({ status: 'CLOSED' })).status, 200);
  const items = [{ sku: 'BREAD', quantity: 1 }];
  const closed = await quoted(own, items);
  assert.deepEqual([closed.is_accepted, closed.outlet_status, closed.errors], [false, 'CLOSED', []]);
  assert.equal(closed.payment.order_total, 4.01);
  assert.equal((await close({ status: 'OPEN' })).status, 200);
  assert.equal((await quoted(own, items)).is_accepted, true);
});

test('invalid requests are rejected like those for a new order', async () => {
  const items = [{ sku: 'BREAD', quantity: 1 }];
  assertInvalid(await quote(chain, []), '/items');
  assertInvalid(await quote(chain, [{ sku: 'BREAD', quantity: 0 }]), '/items/0/quantity');
  assertInvalid(await quote(chain, items, { coupon: 'X' }), '/coupon');
  assertInvalid(await quote(chain, items, { payment: { delivery_fee: 10_000_000 } }), '/payment/delivery_fee');
  const pickup = { order_type: 'PICKUP', transport_type: 'VENDOR_DELIVERY' };
  assertInvalid(await quote(chain, items, pickup), '/transport_type');
  assertProblem(await quote(chain, items, { chain_id: newId() }), 'chain_not_found');
  assertProblem(await quote(chain, items, { vendor_id: (await makeStore()).vendors[0] }), 'vendor_not_found');
  const body = { chain_id: chain.chainId, vendor_id: chain.vendors[0], items };
  assertProblem(await aisle.call('POST', '/platform/v1/quotes', { token: chain.token, body }), 'forbidden');
});
