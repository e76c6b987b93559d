import assert from 'node:assert/strict';
import test from 'node:test';
import { type Response, makeChain, useAisle } from '../../support/aisle.ts';
import { addProducts, putProducts } from '../../support/catalog.ts';
import { holdLocks, isLockAwaited } from '../../support/lock-waits.ts';
import { allPicked, placeOrder, putOrder, readEvents, report } from '../../support/orders.ts';
import { applyPromotion, final, fromNow, percent, promotionBody, without } from '../../support/promotions.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();

const products = [
  { sku: 'MILK', title: 'Milk', price: 10, quantity: 100 },
  { sku: 'BREAD', title: 'Bread', price: 4, quantity: 100 },
  { sku: 'CHEAP', title: 'Cheap milk', price: 9, quantity: 100 },
  { sku: 'HAM', title: 'Ham', price: 20, is_sold_by_weight: true },
];

/** Creates a chain with a promotion. */
async function shopWith(more: Record<string, unknown>) {
  const chain = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, chain, products);
  const job = await applyPromotion(aisle, chain, promotionBody(more));
  return { chain, promotionId: String(job.promotion_id) };
}

function picked(order: Response['body'], quantity: number) {
  return allPicked(order).map((item) => ({ ...item, pricing: { ...item.pricing, quantity } }));
}

const ready = (items: unknown[]) => ({ status: 'READY_FOR_PICKUP', items });

test('a running promotion discounts a new order, both on each line item and in the payment', async () => {
  const { chain } = await shopWith({ discount: [percent(20, 'MILK')] });
  const order = await placeOrder(aisle, chain, [
    { sku: 'MILK', quantity: 3 },
    { sku: 'BREAD', quantity: 1 },
  ]);
  const [milk, bread] = order.items;
  assert.deepEqual(
    [milk.pricing.unit_price, milk.pricing.total_price, milk.discount, milk.promotion],
    [10, 30, 6, [{ name: 'Week', discount_amount: 6, sponsorships: [{ sponsor: 'VENDOR', amount: 6 }] }]],
  );
  assert.deepEqual([bread.discount, bread.promotion], [0, undefined]);
  const { sub_total, discount, discounts, order_total } = order.payment;
  assert.deepEqual(
    { sub_total, discount, discounts, order_total },
    { sub_total: 34, discount: 6, discounts: [{ name: 'Week', amount: 6 }], order_total: 28 },
  );
  assert.equal(order.promotion_status, 'AVAILABLE');
  const [received] = await readEvents(aisle, order.order_id);
  assert.equal(received?.body.payment.order_total, 28);
});

test('a promotion that is upcoming, ended or cancelled does not discount an order', async () => {
  const upcoming = { conditions: { start_time: fromNow(600), end_time: fromNow(1200) } };
  const { chain } = await shopWith({ discount: [percent(20, 'MILK')], ...upcoming });
  const cancelled = promotionBody({ discount: [percent(30, 'MILK')] });
  await applyPromotion(aisle, chain, cancelled);
  await applyPromotion(aisle, chain, { ...cancelled, active: false });
  const ending = new Date(Date.now() + 1500);
  const conditions = { start_time: fromNow(-60), end_time: ending.toISOString() };
  await applyPromotion(aisle, chain, promotionBody({ conditions, discount: [percent(40, 'MILK')] }));
  await new Promise((resolve) => setTimeout(resolve, ending.getTime() + 1 - Date.now()));
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  assert.deepEqual([order.payment.discount, order.promotion_status], [0, 'UNAVAILABLE']);
});

test('creating a promotion, removing one of its SKUs or cancelling the promotion affects the next order', async () => {
  const body = promotionBody({ discount: [percent(20, 'MILK', 'BREAD')] });
  const { chain } = await shopWith(body);
  const discounts = async () => {
    const order = await placeOrder(aisle, chain, [
      { sku: 'MILK', quantity: 1 },
      { sku: 'BREAD', quantity: 1 },
    ]);
    return order.items.map((item: Response['body']) => item.discount);
  };
  assert.deepEqual(await discounts(), [2, 0.8]);
  await applyPromotion(aisle, chain, { ...body, discount: [without('MILK')] });
  assert.deepEqual(await discounts(), [0, 0.8]);
  await applyPromotion(aisle, chain, { ...body, active: false });
  assert.deepEqual(await discounts(), [0, 0]);
});

test("a promotion's terms are frozen at placement, so cancelling the promotion does not affect the order", async () => {
  const body = promotionBody({ discount: [percent(20, 'MILK')] });
  const { chain } = await shopWith(body);
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 2 }]);
  await applyPromotion(aisle, chain, { ...body, active: false });
  const { body: done } = await putOrder(aisle, chain, order.order_id, ready(picked(order, 1)));
  assert.deepEqual([done.items[0].discount, done.payment.order_total], [2, 8]);
});

test('a promotion is evaluated again with the picked quantity or weight and with a changed price', async () => {
  const { chain } = await shopWith({ discount: [percent(25, 'MILK', 'HAM')] });
  const order = await placeOrder(aisle, chain, [
    { sku: 'MILK', quantity: 4 },
    { sku: 'HAM', weight: 1 },
  ]);
  assert.deepEqual([order.items[0].discount, order.items[1].discount], [10, 5]);
  const [milk, ham] = allPicked(order);
  const items = [
    { ...milk, pricing: { pricing_type: 'UNIT', quantity: 2, unit_price: 8 } },
    { ...ham, pricing: { pricing_type: 'KG', weight: 1.1 } },
  ];
  const { body } = await putOrder(aisle, chain, order.order_id, ready(items));
  assert.deepEqual([body.items[0].discount, body.items[1].discount], [4, 5.5]);
  assert.equal(body.payment.order_total, 16 - 4 + 22 - 5.5);
});

test('a FINAL_PRICE still applies if the unit price is changed during picking', async () => {
  const { chain } = await shopWith({ discount: [final(7, 'MILK')] });
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 2 }]);
  assert.equal(order.payment.order_total, 14);
  const [milk] = allPicked(order);
  const items = [{ ...milk, pricing: { pricing_type: 'UNIT', quantity: 2, unit_price: 9 } }];
  const { body } = await putOrder(aisle, chain, order.order_id, ready(items));
  assert.deepEqual([body.items[0].discount, body.payment.order_total], [4, 14]);
});

test('a discount is never negative, so a unit price below the final price gets no discount', async () => {
  const { chain } = await shopWith({ discount: [final(7, 'MILK')] });
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const [milk] = allPicked(order);
  const items = [{ ...milk, pricing: { pricing_type: 'UNIT', total_price: 5 } }];
  const { body } = await putOrder(aisle, chain, order.order_id, ready(items));
  assert.deepEqual([body.items[0].discount, body.payment.order_total], [0, 5]);
});

test("a bundle's discount is computed again if fewer units are picked", async () => {
  const { chain } = await shopWith({
    type: 'SAME_ITEM_BUNDLE',
    conditions: { start_time: fromNow(-60), end_time: fromNow(600), purchased_quantity: 2, discounted_quantity: 1 },
    discount: [percent(100, 'MILK')],
  });
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 6 }]);
  assert.deepEqual([order.items[0].discount, order.payment.order_total], [20, 40]);
  const { body } = await putOrder(aisle, chain, order.order_id, ready(picked(order, 5)));
  assert.deepEqual([body.items[0].discount, body.payment.order_total], [10, 40]);
});

test("replacements and additions get no promotion, and a replacement is capped at the original item's discounted price", async () => {
  const { chain } = await shopWith({ discount: [percent(50, 'MILK', 'CHEAP')] });
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const [milk] = allPicked(order);
  const one = { pricing_type: 'UNIT', quantity: 1 };
  const items = [
    { ...milk, status: 'REPLACED' },
    { sku: 'CHEAP', status: 'IN_CART', replaced_id: milk?._id, pricing: one },
    { sku: 'MILK', status: 'ADDITION', pricing: one },
  ];
  const { body } = await putOrder(aisle, chain, order.order_id, ready(items));
  const [old, replacement, addition] = body.items;
  assert.deepEqual([old.discount, replacement.discount, addition.discount], [0, 0, 0]);
  assert.deepEqual([replacement.pricing.total_price, addition.pricing.total_price], [5, 10]);
  assert.equal(body.warnings[0].code, 'replacement_price_capped');
  assert.deepEqual([body.payment.discount, body.payment.order_total], [0, 15]);
});

test("if a product's price drops below the discounted price, new orders get no discount", async () => {
  const { chain } = await shopWith({ discount: [final(7, 'MILK')] });
  await putProducts(aisle, chain, [{ sku: 'MILK', price: 6.5 }]);
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  assert.deepEqual([order.items[0].discount, order.payment.order_total], [0, 6.5]);
});

test("a promotion's limits per order apply to the number of units and to the discount", async () => {
  const { chain } = await shopWith({ limits: { max_items_per_order: 2 }, discount: [percent(10, 'MILK')] });
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 5 }]);
  assert.equal(order.payment.discount, 2);
  const other = await shopWith({ limits: { max_discount_per_order: 3.5 }, discount: [percent(10, 'MILK')] });
  const capped = await placeOrder(aisle, other.chain, [{ sku: 'MILK', quantity: 5 }]);
  assert.equal(capped.payment.discount, 3.5);
});

test('a global limit is never exceeded, even by many concurrent orders', async () => {
  const { chain } = await shopWith({ limits: { global_limit: 5 }, discount: [percent(10, 'MILK')] });
  const orders = await Promise.all(
    Array.from({ length: 8 }, () => placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 2 }])),
  );
  const units = orders.map((order) => order.payment.discount).reduce((sum, discount) => sum + discount, 0);
  assert.equal(units, 5);
});

test('units that are cancelled or not picked no longer count toward a global limit', async () => {
  const { chain } = await shopWith({ limits: { global_limit: 4 }, discount: [percent(10, 'MILK')] });
  const first = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 3 }]);
  const second = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 3 }]);
  assert.deepEqual([first.payment.discount, second.payment.discount], [3, 1]);
  await putOrder(aisle, chain, first.order_id, ready(picked(first, 1)));
  const third = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 5 }]);
  assert.equal(third.payment.discount, 2);
  await report(aisle, third.order_id, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' });
  await putOrder(aisle, chain, second.order_id, { status: 'CANCELLED', items: [], cancellation: { reason: 'CLOSED' } });
  const fourth = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 5 }]);
  assert.equal(fourth.payment.discount, 3);
});

test('if other orders take the last units of a promotion while an order is placed, the next promotion applies', async () => {
  const { chain } = await shopWith({ display_name: { en_AE: 'All' }, discount: [percent(20, 'MILK', 'BREAD')] });
  const limited = promotionBody({ discount: [percent(50, 'MILK')], limits: { global_limit: 5 } });
  const { promotion_id } = await applyPromotion(aisle, chain, limited);
  const takeLast = 'update promotions set global_used = global_limit where chain_id = $1 and promotion_id = $2';
  const release = await holdLocks(aisle.db, takeLast, [chain.chainId, promotion_id]);
  const placing = placeOrder(aisle, chain, [
    { sku: 'MILK', quantity: 3 },
    { sku: 'BREAD', quantity: 1 },
  ]);
  await waitFor('the order to wait', () => isLockAwaited(aisle.db, 'transactionid'));
  await release();
  const { items } = await placing;
  assert.deepEqual(
    items.map((item: Response['body']) => item.discount),
    [6, 0.8],
  );
});
