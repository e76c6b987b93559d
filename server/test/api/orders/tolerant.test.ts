import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Response, useAisle, type TestChain } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import {
  added,
  assertCartRejected,
  assertSums,
  assertUnchanged,
  eventNames,
  fulfil,
  fulfilled,
  itemOf,
  makeShop,
  sentItem,
  placeOrder,
  putOrder,
  replaced,
  report,
} from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const strict = await makeShop(aisle, { profile: 'strict' });
const tolerant = await makeShop(aisle, { profile: 'tolerant' });

/** Places an order for three cartons of milk at 2.50 each and one kilogram of ham at 10. */
const place = (chain: TestChain) =>
  placeOrder(aisle, chain, [
    { sku: 'MILK', quantity: 3 },
    { sku: 'HAM', weight: 1 },
  ]);
type Make = (order: Response['body']) => unknown[];

/** Checks that the strict chain rejects the items for these reasons. Returns the order accepted by the tolerant one. */
async function onlyTolerated(items: Make, ...reasons: string[]): Promise<Response['body']> {
  const rejected = await place(strict);
  await assertCartRejected(aisle, strict, rejected, await fulfil(aisle, strict, rejected, items(rejected)), ...reasons);
  const order = await place(tolerant);
  const now = await fulfilled(aisle, tolerant, order, items(order));
  assert.equal(now.status, 'READY_FOR_PICKUP');
  assert.deepEqual(await eventNames(aisle, order.order_id), ['received', 'ready_for_pickup']);
  assertSums(now);
  return now;
}

/** Checks that both chains reject the items. */
async function neverTolerated(items: Make, ...reasons: string[]): Promise<void> {
  for (const chain of [strict, tolerant]) {
    const order = await place(chain);
    await assertCartRejected(aisle, chain, order, await fulfil(aisle, chain, order, items(order)), ...reasons);
  }
}
const without = (item: Response['body'], ...fields: string[]) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !fields.includes(name)));

describe('the tolerant profile accepts missing items', () => {
  for (const items of [undefined, null]) {
    test(`if items is ${items}, all items are IN_CART as ordered, but only in the tolerant profile`, async () => {
      const rejected = await place(strict);
      assertInvalid(await fulfil(aisle, strict, rejected, items), '/items');
      await assertUnchanged(aisle, strict, rejected);
      const order = await place(tolerant);
      const now = await fulfilled(aisle, tolerant, order, items);
      for (const sku of ['MILK', 'HAM']) {
        assert.deepEqual(itemOf(now, sku), { ...itemOf(order, sku), status: 'IN_CART' });
      }
      assert.deepEqual(now.payment, order.payment);
    });
  }

  test('a cancellation needs no items, but only in the tolerant profile', async () => {
    const cancel = { status: 'CANCELLED', cancellation: { reason: 'CLOSED' } };
    const rejected = await place(strict);
    assertInvalid(await putOrder(aisle, strict, rejected.order_id, cancel), '/items');
    await assertUnchanged(aisle, strict, rejected);
    const order = await place(tolerant);
    assert.equal((await putOrder(aisle, tolerant, order.order_id, cancel)).body.status, 'CANCELLED');
  });

  test('a validation needs no items in the tolerant profile', async () => {
    const order = await place(tolerant);
    const { body } = await putOrder(aisle, tolerant, order.order_id, { status: 'UPDATE_CART' });
    assert.deepEqual(
      body.items.map((item: Response['body']) => item.status),
      ['IN_CART', 'IN_CART'],
    );
    await assertUnchanged(aisle, tolerant, order);
  });

  test('an empty list of items is rejected in both profiles, unlike a missing one', async () => {
    await neverTolerated(() => [], '/items missing_items');
  });

  test('a fulfilment sent without items and then repeated with all items changes nothing the second time', async () => {
    const order = await place(tolerant);
    const now = await fulfilled(aisle, tolerant, order, undefined);
    assert.deepEqual(await fulfilled(aisle, tolerant, order, [sentItem(order, 'HAM'), sentItem(order, 'MILK')]), now);
    assert.deepEqual(await eventNames(aisle, order.order_id), ['received', 'ready_for_pickup']);
  });
});

describe('the tolerant profile accepts the status ACCEPTED', () => {
  const accept = (chain: TestChain, orderId: string) => putOrder(aisle, chain, orderId, { status: 'ACCEPTED' });

  test('ACCEPTED returns 200 and changes nothing, but only in the tolerant profile', async () => {
    const rejected = await place(strict);
    assertInvalid(await accept(strict, rejected.order_id), '/items', '/status');
    const body = { status: 'ACCEPTED', items: [sentItem(rejected, 'MILK'), sentItem(rejected, 'HAM')] };
    assertInvalid(await putOrder(aisle, strict, rejected.order_id, body), '/status');
    await assertUnchanged(aisle, strict, rejected);
    const order = await place(tolerant);
    const response = await accept(tolerant, order.order_id);
    assert.equal(response.status, 200, response.text);
    assert.deepEqual(response.body, order);
    await assertUnchanged(aisle, tolerant, order);
  });

  test('ACCEPTED changes nothing for an order in a later status either', async () => {
    const order = await place(tolerant);
    const cancelled = (await report(aisle, order.order_id, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'LATE' }))
      .body;
    assert.deepEqual((await accept(tolerant, order.order_id)).body, cancelled);
  });

  test('ACCEPTED returns 404 for an order that does not exist', async () => {
    assertProblem(await accept(tolerant, '0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4'), 'order_not_found');
  });
});

describe("the tolerant profile fills in an item's status", () => {
  for (const status of [undefined, null, 'NOT_PROCESSED']) {
    test(`an item status of ${status} is treated as IN_CART, but only in the tolerant profile`, async () => {
      const reason = status === 'NOT_PROCESSED' ? 'not_processed' : 'missing';
      const now = await onlyTolerated(
        (order) => [{ ...sentItem(order, 'MILK', { quantity: 2 }), status }, sentItem(order, 'HAM')],
        `/items/0/status ${reason}`,
      );
      assert.deepEqual([itemOf(now, 'MILK').status, itemOf(now, 'MILK').pricing.quantity], ['IN_CART', 2]);
    });
  }

  test('an unknown item status is rejected in both profiles', async () => {
    for (const chain of [strict, tolerant]) {
      const order = await place(chain);
      const response = await fulfil(aisle, chain, order, [{ ...sentItem(order, 'MILK'), status: 'PICKED' }]);
      assertProblem(response, 'invalid_cart_update');
      assert.equal(response.body.errors[0].pointer, '/items/0/status');
    }
  });
});

describe("the tolerant profile fills in an item's pricing", () => {
  test('missing pricing is taken from the order, but only in the tolerant profile', async () => {
    const now = await onlyTolerated(
      (order) => [without(sentItem(order, 'MILK'), 'pricing'), { ...sentItem(order, 'HAM'), pricing: null }],
      '/items/0/pricing missing',
      '/items/1/pricing missing',
    );
    assert.equal(now.payment.sub_total, 17.5);
  });

  test("pricing without a type gets the order's type and is otherwise kept, but only in the tolerant profile", async () => {
    const now = await onlyTolerated(
      (order) => [
        { ...sentItem(order, 'MILK'), pricing: { quantity: 2 } },
        { ...sentItem(order, 'HAM'), pricing: { weight: 1.1 } },
      ],
      '/items/0/pricing/pricing_type missing',
      '/items/1/pricing/pricing_type missing',
    );
    assert.deepEqual([itemOf(now, 'MILK').pricing.quantity, itemOf(now, 'HAM').pricing.weight], [2, 1.1]);
  });

  test('an item that was not found can be sent without pricing, but only in the tolerant profile', async () => {
    const now = await onlyTolerated(
      (order) => [without({ ...sentItem(order, 'MILK'), status: 'NOT_FOUND' }, 'pricing'), sentItem(order, 'HAM')],
      '/items/0/pricing missing',
    );
    assert.equal(now.payment.sub_total, 10);
  });

  test('an item with only an _id or a SKU is accepted, but only in the tolerant profile', async () => {
    const now = await onlyTolerated(
      (order) => [{ sku: 'MILK' }, { _id: itemOf(order, 'HAM')._id }],
      '/items/0/pricing missing',
      '/items/0/status missing',
      '/items/1/pricing missing',
      '/items/1/status missing',
    );
    assert.equal(now.payment.sub_total, 17.5);
  });
});

describe('the tolerant profile accepts both prices of a UNIT item', () => {
  const milk =
    (pricing: Record<string, unknown>): Make =>
    (order) => [sentItem(order, 'MILK', pricing), sentItem(order, 'HAM')];
  const strictReason = '/items/0/pricing both_prices';

  test('two prices that match the order are accepted for any quantity, but only in the tolerant profile', async () => {
    const same = await onlyTolerated(milk({ unit_price: 2.5, total_price: 7.5 }), strictReason);
    assert.equal(itemOf(same, 'MILK').pricing.total_price, 7.5);
    const fewer = await onlyTolerated(milk({ quantity: 2, unit_price: 2.5, total_price: 7.5 }), strictReason);
    assert.equal(itemOf(fewer, 'MILK').pricing.total_price, 5);
  });

  test('two prices are accepted if the total is unit price × quantity, but only in the tolerant profile', async () => {
    const now = await onlyTolerated(milk({ quantity: 2, unit_price: 3.3, total_price: 6.6 }), strictReason);
    const { unit_price, total_price } = itemOf(now, 'MILK').pricing;
    assert.deepEqual([unit_price, total_price], [3.3, 6.6]);
    const asOrdered = await onlyTolerated(milk({ unit_price: 3, total_price: 9 }), strictReason);
    assert.equal(itemOf(asOrdered, 'MILK').pricing.total_price, 9);
  });

  test('a total that is off by one minor unit due to rounding is accepted, but only in the tolerant profile', async () => {
    const now = await onlyTolerated(milk({ quantity: 2, unit_price: 3.3, total_price: 6.61 }), strictReason);
    assert.equal(itemOf(now, 'MILK').pricing.total_price, 6.6);
    const echo = await onlyTolerated(milk({ quantity: 2, unit_price: 2.5, total_price: 7.49 }), strictReason);
    assert.equal(itemOf(echo, 'MILK').pricing.total_price, 5);
  });

  test('a total is kept if it matches the rounded unit price, but only in the tolerant profile', async () => {
    const now = await onlyTolerated(milk({ quantity: 3, unit_price: 3.33, total_price: 10 }), strictReason);
    const { unit_price, total_price } = itemOf(now, 'MILK').pricing;
    assert.deepEqual([unit_price, total_price], [3.33, 10]);
  });

  test('two prices that contradict each other are rejected in both profiles', async () => {
    await neverTolerated(milk({ quantity: 2, unit_price: 3, total_price: 5 }), strictReason);
    await neverTolerated(milk({ quantity: 2, unit_price: 3, total_price: 6.02 }), strictReason);
    await neverTolerated(milk({ unit_price: 2.5, total_price: 7 }), strictReason);
  });
});

describe('the tolerant profile accepts both prices of a KG item', () => {
  const ham =
    (pricing: Record<string, unknown>): Make =>
    (order) => [sentItem(order, 'MILK'), sentItem(order, 'HAM', pricing)];
  const strictTotal = '/items/1/pricing/total_price price_not_allowed';

  test('both prices of a KG item are accepted if they match the order, but only in the tolerant profile', async () => {
    const now = await onlyTolerated(
      ham({ unit_price: 10, total_price: 10, weight: 1.1 }),
      '/items/1/pricing both_prices',
    );
    assert.equal(itemOf(now, 'HAM').pricing.total_price, 11);
  });

  test('a total for the picked weight is accepted, but only in the tolerant profile', async () => {
    const now = await onlyTolerated(ham({ quantity: 1, weight: 1.1, unit_price: 10, total_price: 11 }), strictTotal);
    assert.equal(itemOf(now, 'HAM').pricing.total_price, 11);
    const alone = await onlyTolerated(ham({ weight: 0.9, total_price: 9 }), strictTotal);
    assert.equal(itemOf(alone, 'HAM').pricing.total_price, 9);
  });

  test('a device can pick 1.1 kg for 1 kg ordered at 2.99, however it rounds the total', async () => {
    await addProducts(aisle, tolerant, [{ sku: 'GRAPES', title: 'Grapes', price: 2.99, is_sold_by_weight: true }]);
    for (const total_price of [3.29, 3.289, 3.28, 3.3, 2.99]) {
      const order = await placeOrder(aisle, tolerant, [{ sku: 'GRAPES', weight: 1 }]);
      const { _id } = order.items[0];
      const pricing = { pricing_type: 'KG', quantity: 1, weight: 1.1, unit_price: 2.99, total_price };
      const now = await fulfilled(aisle, tolerant, order, [{ _id, pricing }]);
      assert.equal(now.items[0].pricing.total_price, 3.29);
      assert.deepEqual(await fulfilled(aisle, tolerant, order, [{ _id, pricing }]), now);
    }
  });

  test('a different price for a KG item is rejected in both profiles, with one error', async () => {
    await neverTolerated(ham({ weight: 1.1, unit_price: 10, total_price: 11.02 }), strictTotal);
    await neverTolerated(ham({ weight: 1.1, total_price: 12 }), strictTotal);
    const unitPrice = '/items/1/pricing/unit_price price_not_allowed';
    await neverTolerated(ham({ weight: 1.1, unit_price: 9, total_price: 9.9 }), unitPrice);
  });
});

test('an item sent back unchanged is treated as IN_CART, but only in the tolerant profile', async () => {
  const now = await onlyTolerated(
    (order) => order.items,
    '/items/0/status not_processed',
    '/items/1/status not_processed',
  );
  assert.equal(now.payment.sub_total, 17.5);
});

describe('the tolerant profile accepts a replacement sent as an addition', () => {
  test('a replacement can have the status ADDITION, but only in the tolerant profile', async () => {
    const now = await onlyTolerated((order) => {
      const [old, tea] = replaced(order, 'MILK', 'TEA', { quantity: 1 });
      return [old, { ...tea, status: 'ADDITION' }, sentItem(order, 'HAM')];
    }, '/items/1/status not_allowed');
    assert.equal(itemOf(now, 'TEA').status, 'IN_CART');
    assert.equal(itemOf(now, 'TEA').replaced_id, itemOf(now, 'MILK')._id);
  });

  test('a price sent for a replacement with the status ADDITION is ignored with a warning', async () => {
    const order = await place(tolerant);
    const [old, tea] = replaced(order, 'MILK', 'TEA', { quantity: 1, unit_price: 1 });
    const now = await fulfilled(aisle, tolerant, order, [old, { ...tea, status: 'ADDITION' }, sentItem(order, 'HAM')]);
    assert.equal(itemOf(now, 'TEA').pricing.unit_price, 3.99);
    assert.equal(now.warnings[0].code, 'replacement_price_ignored');
  });
});

describe('the tolerant profile relaxes nothing else', () => {
  const rest: Record<string, [Make, ...string[]]> = {
    'an omitted item': [(order) => [sentItem(order, 'HAM')], '/items missing_items'],
    'a quantity out of bounds': [
      (order) => [sentItem(order, 'MILK', { quantity: 4 }), sentItem(order, 'HAM')],
      '/items/0/pricing/quantity out_of_bounds',
    ],
    'a weight out of bounds': [
      (order) => [sentItem(order, 'MILK'), sentItem(order, 'HAM', { weight: 3 })],
      '/items/1/pricing/weight out_of_bounds',
    ],
    'a KG price': [
      (order) => [sentItem(order, 'MILK'), sentItem(order, 'HAM', { unit_price: 9 })],
      '/items/1/pricing/unit_price price_not_allowed',
    ],
    'a different pricing_type': [
      (order) => [sentItem(order, 'MILK', { pricing_type: 'KG' }), sentItem(order, 'HAM')],
      '/items/0/pricing/pricing_type wrong_pricing_type',
    ],
    'an addition without a quantity': [
      (order) => [sentItem(order, 'MILK'), sentItem(order, 'HAM'), added('TEA', {})],
      '/items/2/pricing/quantity missing',
    ],
    'an unknown addition': [
      (order) => [sentItem(order, 'MILK'), sentItem(order, 'HAM'), added('NOWHERE', { quantity: 1 })],
      '/items/2/sku unknown_sku',
    ],
    'an item sent twice': [
      (order) => [sentItem(order, 'MILK'), sentItem(order, 'HAM'), sentItem(order, 'HAM')],
      '/items/2 named_twice',
    ],
  };
  for (const [name, [items, ...reasons]] of Object.entries(rest)) {
    test(`${name} is rejected in both profiles`, () => neverTolerated(items, ...reasons));
  }
});
