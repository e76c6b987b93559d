import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Response } from '../../support/aisle.ts';
import {
  assertCartRejected,
  assertSums,
  assertUnchanged,
  changeVendor,
  fulfilled,
  itemOf,
  sentItem,
  notFound,
  readEvents,
  snapshot,
  validate,
} from '../../support/orders.ts';
import { basketExcept, startShop } from '../../support/shop.ts';

const { aisle, chain, placeBasket: place, send, assertRejected } = await startShop();
const pricingOf = (order: Response['body'], sku: string) => itemOf(order, sku).pricing;

describe('specification 4.9: examples', () => {
  for (const transport_type of ['LOGISTICS_DELIVERY', 'VENDOR_DELIVERY']) {
    test(`after a full fulfilment (${transport_type}), every item is IN_CART as ordered, and the confirmation is sent`, async () => {
      const order = await place({ transport_type });
      const now = await fulfilled(aisle, chain, order, basketExcept(order, '', {}));
      for (const [index, item] of now.items.entries()) {
        assert.deepEqual(item, { ...order.items[index], status: 'IN_CART' });
      }
      assert.deepEqual(now.payment, order.payment);
      assert.deepEqual((await readEvents(aisle, order.order_id)).at(-1)?.body, snapshot(now));
    });
  }

  test('after a partial fulfilment, NOT_FOUND items keep their pricing as ordered and are not billed', async () => {
    const order = await place();
    const items = [sentItem(order, 'MILK'), notFound(order, 'BREAD'), notFound(order, 'HAM')];
    const now = await fulfilled(aisle, chain, order, items);
    assert.deepEqual(
      now.items.map((item: Response['body']) => item.status),
      ['IN_CART', 'NOT_FOUND', 'NOT_FOUND'],
    );
    for (const sku of ['BREAD', 'HAM']) assert.deepEqual(pricingOf(now, sku), pricingOf(order, sku));
    assert.equal(now.payment.sub_total, 7.5);
    assertSums(now);
  });

  test('a UNIT quantity can be changed within its bounds, and the price is adjusted', async () => {
    await changeVendor(aisle, chain, { settings: { unit_overpick: 2 } });
    for (const quantity of [1, 2, 4, 5]) {
      const order = await place();
      const { min_quantity, max_quantity } = pricingOf(order, 'MILK');
      assert.deepEqual([min_quantity, max_quantity], [1, 5]);
      const now = await fulfilled(aisle, chain, order, basketExcept(order, 'MILK', { quantity }));
      const { quantity: picked, unit_price, total_price } = pricingOf(now, 'MILK');
      assert.deepEqual([picked, unit_price, total_price], [quantity, 2.5, 2.5 * quantity]);
      assert.deepEqual(itemOf(now, 'MILK').original_pricing, pricingOf(order, 'MILK'));
      assertSums(now);
    }
    await changeVendor(aisle, chain, { settings: { unit_overpick: 0 } });
  });

  test('a UNIT price can be changed with unit_price', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, basketExcept(order, 'MILK', { quantity: 2, unit_price: 3.1 }));
    const { quantity, unit_price, total_price } = pricingOf(now, 'MILK');
    assert.deepEqual([quantity, unit_price, total_price], [2, 3.1, 6.2]);
    assertSums(now);
  });

  test('a UNIT price can be changed with total_price, which is authoritative', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, basketExcept(order, 'MILK', { total_price: 10 }));
    const { quantity, unit_price, total_price } = pricingOf(now, 'MILK');
    assert.deepEqual([quantity, unit_price, total_price], [3, 3.33, 10]);
    assert.equal(now.payment.sub_total, 10 + 8 + 10);
    assertSums(now);
  });

  test('a KG weight can be changed within its bounds, and the price is adjusted', async () => {
    for (const [weight, total] of [
      [0.8, 8],
      [1.2, 12],
      [1.013, 10.13],
    ]) {
      const order = await place();
      const { min_quantity, max_quantity } = pricingOf(order, 'HAM');
      assert.deepEqual([min_quantity, max_quantity], [0.8, 1.2]);
      const now = await fulfilled(aisle, chain, order, basketExcept(order, 'HAM', { weight }));
      const ham = pricingOf(now, 'HAM');
      assert.deepEqual([ham.quantity, ham.weight, ham.unit_price, ham.total_price], [1, weight, 10, total]);
      assertSums(now);
    }
  });

  test('in a validation, items can have any status, and any or all of them can be omitted', async () => {
    const order = await place();
    const items = [sentItem(order, 'MILK', { quantity: 999 }, 'NOT_PROCESSED'), notFound(order, 'HAM')];
    const { status, body } = await validate(aisle, chain, order, items);
    assert.equal(status, 200);
    assert.deepEqual(
      body.items.map((item: Response['body']) => item.status),
      ['NOT_PROCESSED', 'NOT_PROCESSED', 'NOT_FOUND'],
    );
    assert.equal(body.payment.sub_total, 7.5 + 8);
    assertSums(body);
    assert.deepEqual((await validate(aisle, chain, order, [])).body, order);
    const nothing = ['MILK', 'BREAD', 'HAM'].map((sku) => notFound(order, sku));
    assert.equal((await validate(aisle, chain, order, nothing)).body.payment.order_total, 0);
    await assertUnchanged(aisle, chain, order);
  });

  test('a validation reports errors in the items', async () => {
    const order = await place();
    const response = await validate(aisle, chain, order, [
      sentItem(order, 'MILK', { quantity: 4 }),
      sentItem(order, 'HAM', { weight: 2 }),
    ]);
    const reasons = ['/items/0/pricing/quantity out_of_bounds', '/items/1/pricing/weight out_of_bounds'];
    await assertCartRejected(aisle, chain, order, response, ...reasons);
  });
});

describe('quantity and weight bounds', () => {
  for (const quantity of [0, 4, 1000, 1.5]) {
    test(`a quantity of ${quantity} is rejected as out of bounds for three ordered units`, async () => {
      const order = await place();
      const code = Number.isInteger(quantity) ? 'out_of_bounds' : 'not_whole';
      await assertRejected(order, basketExcept(order, 'MILK', { quantity }), `/items/0/pricing/quantity ${code}`);
    });
  }

  for (const weight of [0, 0.799, 1.201, 50]) {
    test(`a weight of ${weight} kg is rejected as out of bounds for one ordered kg`, async () => {
      const order = await place();
      await assertRejected(order, basketExcept(order, 'HAM', { weight }), '/items/2/pricing/weight out_of_bounds');
    });
  }

  test("a weight of 0 is rejected, however wide the store's tolerance is", async () => {
    await changeVendor(aisle, chain, { settings: { weight_tolerance: 1 } });
    const order = await place();
    await changeVendor(aisle, chain, { settings: { weight_tolerance: 0.2 } });
    for (const weight of [0, 0.0009, -1]) {
      await assertRejected(order, basketExcept(order, 'HAM', { weight }), '/items/2/pricing/weight out_of_bounds');
    }
    assert.equal((await send(order, ...basketExcept(order, 'HAM', { weight: 0.001 }))).status, 200);
  });

  test('extra decimal places in a weight are truncated before it is checked', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, basketExcept(order, 'HAM', { weight: 1.2009 }));
    assert.equal(pricingOf(now, 'HAM').weight, 1.2);
  });

  test('bounds sent by a device are ignored, and so are unknown fields', async () => {
    const order = await place();
    const wide = { quantity: 9, min_quantity: 0, max_quantity: 10, color: 'red' };
    await assertRejected(order, basketExcept(order, 'MILK', wide), '/items/0/pricing/quantity out_of_bounds');
    const echo = order.items.map((item: Response['body']) => ({
      ...item,
      status: 'IN_CART',
      pricing: { ...item.pricing, total_price: undefined },
    }));
    assert.equal((await send(order, ...echo)).status, 200);
  });

  test('negative and out-of-range numbers are rejected as an invalid cart update and cause no server error', async () => {
    for (const pricing of [{ quantity: -1 }, { quantity: 1e300 }, { unit_price: -1 }, { unit_price: 10_000_000 }]) {
      const order = await place();
      const response = await send(order, ...basketExcept(order, 'MILK', pricing));
      assert.equal(response.body.code, 'invalid_cart_update', response.text);
      assert.equal(response.body.errors[0].pointer, `/items/0/pricing/${Object.keys(pricing)[0]}`);
    }
  });
});

describe('changed prices', () => {
  test('unit_price and total_price together are rejected, even if they agree', async () => {
    const order = await place();
    const both = { unit_price: 2.5, total_price: 7.5 };
    await assertRejected(order, basketExcept(order, 'MILK', both), '/items/0/pricing both_prices');
  });

  for (const pricing of [{ unit_price: 9.99 }, { total_price: 9.99 }, { weight: 1.1, total_price: 11 }]) {
    test(`changing a KG price with ${JSON.stringify(pricing)} is rejected`, async () => {
      const order = await place();
      const field = 'unit_price' in pricing ? 'unit_price' : 'total_price';
      await assertRejected(order, basketExcept(order, 'HAM', pricing), `/items/2/pricing/${field} price_not_allowed`);
    });
  }

  test('a KG price equal to the ordered one is not a change, and the total still depends on the weight', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, basketExcept(order, 'HAM', { unit_price: 10, weight: 1.1 }));
    assert.equal(pricingOf(now, 'HAM').total_price, 11);
  });

  test('a KG quantity other than 1 is rejected', async () => {
    const order = await place();
    await assertRejected(order, basketExcept(order, 'HAM', { quantity: 2 }), '/items/2/pricing/quantity not_allowed');
    assert.equal((await send(order, ...basketExcept(order, 'HAM', { quantity: 1 }))).status, 200);
  });

  test('a weight sent for a UNIT item is ignored', async () => {
    const order = await place();
    const now = await fulfilled(aisle, chain, order, basketExcept(order, 'MILK', { weight: 7 }));
    assert.deepEqual(pricingOf(now, 'MILK'), pricingOf(order, 'MILK'));
  });

  test("a NOT_FOUND item's pricing is not checked, except for its pricing_type", async () => {
    const order = await place();
    const odd = { quantity: 77.5, unit_price: 1, total_price: 2, weight: 0 };
    await assertRejected(
      order,
      basketExcept(order, 'MILK', { ...odd, pricing_type: 'KG' }, 'NOT_FOUND'),
      '/items/0/pricing/pricing_type wrong_pricing_type',
    );
    for (const pricing of [odd, { quantity: -1, unit_price: -1 }, { quantity: 1e9, total_price: 1e9 }]) {
      const other = await place();
      const now = await fulfilled(aisle, chain, other, basketExcept(other, 'MILK', pricing, 'NOT_FOUND'));
      assert.deepEqual(pricingOf(now, 'MILK'), pricingOf(other, 'MILK'));
    }
  });
});
