import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Response, useAisle } from '../../support/aisle.ts';
import { addProducts, putProducts, readProduct } from '../../support/catalog.ts';
import {
  added,
  assertUnchanged,
  changeVendor,
  fulfil,
  fulfilled,
  makeShop,
  sentItem,
  newOrder,
  notFound,
  placeOrder,
  putOrder,
  replaced,
  report,
  validate,
} from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle, { vendors: 2 });

let count = 0;
/** Creates a product with this quantity in stock. */
async function stocked(quantity: number | null, more: Record<string, unknown> = {}): Promise<string> {
  const sku = `S-${++count}`;
  await addProducts(aisle, chain, [{ sku, title: `Stocked ${count}`, price: 5, quantity, ...more }]);
  return sku;
}
const stockOf = async (sku: string, vendor?: string) => (await readProduct(aisle, chain, sku, vendor)).quantity;
const place = (sku: string, quantity: number, more: Record<string, unknown> = {}) =>
  placeOrder(aisle, chain, [{ sku, quantity }], more);
const customerCancels = { cancelled_by: 'CUSTOMER', reason: 'LATE' };
const cancel = { status: 'CANCELLED', items: [], cancellation: { reason: 'CLOSED' } };

async function reported(order: Response['body'], action: string, body?: unknown): Promise<void> {
  const response = await report(aisle, order.order_id, action, body);
  assert.equal(response.status, 200, response.text);
}

describe('stock when an order is placed', () => {
  test('placing an order takes the ordered quantity from the stock of one store only', async () => {
    const sku = await stocked(10);
    await place(sku, 3);
    assert.equal(await stockOf(sku), 7);
    assert.equal(await stockOf(sku, chain.vendors[1]), 10);
  });

  test('placing an order leaves an unknown stock quantity unknown', async () => {
    const sku = await stocked(null);
    const order = await place(sku, 3);
    assert.equal(await stockOf(sku), null);
    await fulfilled(aisle, chain, order, [sentItem(order, sku, { quantity: 1 })]);
    assert.equal(await stockOf(sku), null);
  });

  test('placing an order does not change the stock of products sold by weight', async () => {
    const sku = await stocked(10, { is_sold_by_weight: true });
    const order = await placeOrder(aisle, chain, [{ sku, weight: 2 }]);
    assert.equal(await stockOf(sku), 10);
    await fulfilled(aisle, chain, order, [sentItem(order, sku, { weight: 1.7 })]);
    await reported(order, 'cancel', customerCancels);
    assert.equal(await stockOf(sku), 10);
  });

  test('ordering the last unit makes the product unavailable for the next order', async () => {
    const sku = await stocked(2);
    await place(sku, 2);
    const { quantity, available } = await readProduct(aisle, chain, sku);
    assert.deepEqual([quantity, available], [0, false]);
    const body = newOrder(chain, [{ sku, quantity: 1 }]);
    const response = await aisle.call('POST', '/platform/v1/orders', { token: aisle.platformToken, body });
    assertInvalid(response, '/items/0/sku');
    assert.equal(await stockOf(sku), 0);
  });

  test('placing an order never reduces the stock below 0', async () => {
    const sku = await stocked(2);
    await place(sku, 5);
    assert.equal(await stockOf(sku), 0);
  });

  test('a rejected order takes no stock, not even for its valid items', async () => {
    const sku = await stocked(10);
    const body = newOrder(chain, [
      { sku, quantity: 1 },
      { sku: 'NOWHERE', quantity: 1 },
    ]);
    const response = await aisle.call('POST', '/platform/v1/orders', { token: aisle.platformToken, body });
    assertInvalid(response, '/items/1/sku');
    assert.equal(await stockOf(sku), 10);
  });
});

describe('stock when an order is fulfilled', () => {
  test('fulfilling an order exactly as ordered does not change the stock', async () => {
    const sku = await stocked(10);
    const order = await place(sku, 3);
    await fulfilled(aisle, chain, order, [sentItem(order, sku)]);
    assert.equal(await stockOf(sku), 7);
  });

  test('when an order is fulfilled, units that were ordered but not picked are returned to stock', async () => {
    const sku = await stocked(10);
    const order = await place(sku, 3);
    await fulfilled(aisle, chain, order, [sentItem(order, sku, { quantity: 1 })]);
    assert.equal(await stockOf(sku), 9);
  });

  test('if an order took fewer units than ordered, units that were picked are not returned to stock', async () => {
    for (const [picked, left] of [
      [1, 1],
      [2, 0],
      [4, 0],
    ] as const) {
      const sku = await stocked(2);
      const order = await place(sku, 5);
      await fulfilled(aisle, chain, order, [sentItem(order, sku, { quantity: picked })]);
      assert.equal(await stockOf(sku), left, `${picked} of 5 picked`);
      await reported(order, 'cancel', customerCancels);
      assert.equal(await stockOf(sku), 2);
    }
  });

  test('fulfilling an order deducts overpicked units from stock, but never below 0', async () => {
    await changeVendor(aisle, chain, { settings: { unit_overpick: 4 } });
    for (const [quantity, left] of [
      [5, 2],
      [7, 0],
    ] as const) {
      const sku = await stocked(quantity === 5 ? 7 : 4);
      const order = await place(sku, 3);
      await fulfilled(aisle, chain, order, [sentItem(order, sku, { quantity })]);
      assert.equal(await stockOf(sku), left);
    }
    await changeVendor(aisle, chain, { settings: { unit_overpick: 0 } });
  });

  test('when an order is fulfilled, all units of an item that was not found are returned to stock', async () => {
    const sku = await stocked(10);
    const order = await placeOrder(aisle, chain, [
      { sku, quantity: 3 },
      { sku: 'MILK', quantity: 1 },
    ]);
    await fulfilled(aisle, chain, order, [sentItem(order, sku, { quantity: 1 }, 'NOT_FOUND'), sentItem(order, 'MILK')]);
    assert.equal(await stockOf(sku), 10);
  });

  test("fulfilling an order returns a replaced item's units to stock and takes those of the replacement", async () => {
    const [sku, other] = [await stocked(10), await stocked(10)];
    const order = await place(sku, 3);
    await fulfilled(aisle, chain, order, replaced(order, sku, other, { quantity: 2 }));
    assert.deepEqual([await stockOf(sku), await stockOf(other)], [10, 8]);
  });

  test('fulfilling an order takes the units of each addition from stock, but never below 0', async () => {
    const [sku, few] = [await stocked(10), await stocked(1)];
    const order = await place(sku, 3);
    const items = [
      sentItem(order, sku),
      added(sku, { quantity: 2 }),
      added(few, { quantity: 4 }),
      added(sku, { quantity: 1 }),
    ];
    await fulfilled(aisle, chain, order, items);
    assert.deepEqual([await stockOf(sku), await stockOf(few)], [4, 0]);
  });

  test('if an item is not found but the same SKU is added, the added units are taken from stock', async () => {
    const sku = await stocked(3);
    const order = await place(sku, 3);
    await fulfilled(aisle, chain, order, [notFound(order, sku), added(sku, { quantity: 2 })]);
    assert.equal(await stockOf(sku), 1);
  });

  test("fulfilling an order adjusts the store's current stock, not the stock at placement", async () => {
    const sku = await stocked(10);
    const order = await place(sku, 3);
    assert.equal((await putProducts(aisle, chain, [{ sku, quantity: 50 }])).status, 200);
    await fulfilled(aisle, chain, order, [sentItem(order, sku, { quantity: 1 })]);
    assert.equal(await stockOf(sku), 52);
  });

  test('fulfilling an order leaves an unknown stock quantity unknown', async () => {
    const sku = await stocked(10);
    const order = await place(sku, 3);
    assert.equal((await putProducts(aisle, chain, [{ sku, quantity: null }])).status, 200);
    await fulfilled(aisle, chain, order, [sentItem(order, sku, { quantity: 1 })]);
    assert.equal(await stockOf(sku), null);
  });

  test('repeating a fulfilment, or sending a different one, does not change the stock any further', async () => {
    const [sku, other] = [await stocked(10), await stocked(10)];
    const order = await place(sku, 3);
    const items = [sentItem(order, sku, { quantity: 1 }), added(other, { quantity: 2 })];
    for (let times = 0; times < 3; times++) await fulfilled(aisle, chain, order, items);
    const different = await fulfil(aisle, chain, order, [sentItem(order, sku, { quantity: 2 })]);
    assertProblem(different, 'order_state_conflict');
    assert.deepEqual([await stockOf(sku), await stockOf(other)], [9, 8]);
  });

  test('neither a validation nor a rejected cart changes the stock', async () => {
    const [sku, other] = [await stocked(10), await stocked(10)];
    const order = await place(sku, 3);
    const items = [sentItem(order, sku, { quantity: 1 }), added(other, { quantity: 2 })];
    assert.equal((await validate(aisle, chain, order, items)).status, 200);
    const rejected = await fulfil(aisle, chain, order, [...items, added('NOWHERE', { quantity: 1 })]);
    assertProblem(rejected, 'item_not_found');
    assert.deepEqual([await stockOf(sku), await stockOf(other)], [7, 10]);
    await assertUnchanged(aisle, chain, order);
  });
});

describe('stock when an order is cancelled', () => {
  const byPartner = (order: Response['body']) => putOrder(aisle, chain, order.order_id, cancel);
  const byCustomer = (order: Response['body']) => report(aisle, order.order_id, 'cancel', customerCancels);
  const parties = { 'the partner': byPartner, 'the customer': byCustomer };

  for (const [who, cancelBy] of Object.entries(parties)) {
    test(`when ${who} cancels a RECEIVED order, the ordered units are returned to stock once`, async () => {
      const sku = await stocked(10);
      const order = await place(sku, 3);
      assert.equal((await cancelBy(order)).body.status, 'CANCELLED');
      assert.equal(await stockOf(sku), 10);
      await byPartner(order);
      assert.equal(await stockOf(sku), 10);
    });

    test(`when ${who} cancels a READY_FOR_PICKUP order, the units in the order are returned to stock`, async () => {
      const [sku, gone, instead, extra] = [await stocked(10), await stocked(10), await stocked(10), await stocked(1)];
      const order = await placeOrder(aisle, chain, [
        { sku, quantity: 3 },
        { sku: gone, quantity: 2 },
      ]);
      await fulfilled(aisle, chain, order, [
        sentItem(order, sku, { quantity: 1 }),
        ...replaced(order, gone, instead, { quantity: 1 }),
        added(extra, { quantity: 4 }),
      ]);
      const levels = async () => Promise.all([sku, gone, instead, extra].map((one) => stockOf(one)));
      assert.deepEqual(await levels(), [9, 10, 9, 0]);
      assert.equal((await cancelBy(order)).status, 200);
      assert.deepEqual(await levels(), [10, 10, 10, 1]);
    });

    test(`when ${who} cancels a DISPATCHED order in either flow, no units are returned to stock`, async () => {
      for (const transport_type of ['LOGISTICS_DELIVERY', 'VENDOR_DELIVERY']) {
        const sku = await stocked(10);
        const order = await place(sku, 3, { transport_type });
        await fulfilled(aisle, chain, order, [sentItem(order, sku)]);
        if (transport_type === 'LOGISTICS_DELIVERY') await reported(order, 'pickup');
        assert.equal((await cancelBy(order)).body.status, 'CANCELLED');
        assert.equal(await stockOf(sku), 7);
      }
    });
  }

  test('cancelling a delivered or collected order does not return its units to stock', async () => {
    const sku = await stocked(10);
    const delivered = await place(sku, 1);
    await fulfilled(aisle, chain, delivered, [sentItem(delivered, sku)]);
    await reported(delivered, 'pickup');
    await reported(delivered, 'deliver');
    const collected = await place(sku, 1, { order_type: 'PICKUP' });
    await fulfilled(aisle, chain, collected, [sentItem(collected, sku)]);
    await reported(collected, 'collect');
    for (const order of [delivered, collected]) assert.equal((await byPartner(order)).body.status, 'CANCELLED');
    assert.equal(await stockOf(sku), 8);
  });
});

test('cancelling an order placed while the stock was unknown returns no units to stock', async () => {
  const sku = await stocked(null);
  const [cancelled, picked] = [await place(sku, 3), await place(sku, 3)];
  assert.equal((await putProducts(aisle, chain, [{ sku, quantity: 10 }])).status, 200);
  await reported(cancelled, 'cancel', customerCancels);
  await fulfilled(aisle, chain, picked, [sentItem(picked, sku, { quantity: 1 })]);
  assert.equal(await stockOf(sku), 10);
});

test('cancelling an order that took fewer units from stock than ordered returns only the units it took', async () => {
  const [sku, other] = [await stocked(2), await stocked(2)];
  const cancelled = await place(sku, 5);
  await reported(cancelled, 'cancel', customerCancels);
  const order = await place(other, 5);
  await fulfilled(aisle, chain, order, [notFound(order, other), added('MILK', { quantity: 1 })]);
  assert.deepEqual([await stockOf(sku), await stockOf(other)], [2, 2]);
});

test('additions and replacements sold by weight do not change the stock', async () => {
  const sku = await stocked(10, { is_sold_by_weight: true });
  const kilogram = { pricing_type: 'KG', weight: 1 };
  const order = await place('MILK', 3);
  await fulfilled(aisle, chain, order, [...replaced(order, 'MILK', sku, kilogram), added(sku, kilogram)]);
  assert.equal(await stockOf(sku), 10);
});

test("a test store's orders change its stock like those of any other store", async () => {
  await changeVendor(aisle, chain, { settings: { test: true } });
  const sku = await stocked(10);
  const [cancelled, picked] = [await place(sku, 3), await place(sku, 2)];
  assert.equal(await stockOf(sku), 5);
  await reported(cancelled, 'cancel', customerCancels);
  assert.equal(await stockOf(sku), 8);
  await fulfilled(aisle, chain, picked, [sentItem(picked, sku, { quantity: 1 })]);
  assert.equal(await stockOf(sku), 9);
  await changeVendor(aisle, chain, { settings: { test: false } });
});

test("an order can be cancelled even if its product's stock is at the maximum", async () => {
  const sku = await stocked(10);
  const order = await place(sku, 2);
  await putProducts(aisle, chain, [{ sku, quantity: 2_147_483_647 }]);
  await reported(order, 'cancel', customerCancels);
  assert.equal(await stockOf(sku), 2_147_483_647);
});
