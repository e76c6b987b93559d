import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Response } from '../../support/aisle.ts';
import {
  added,
  assertCartRejected,
  assertUnchanged,
  eventNames,
  fulfil,
  fulfilled,
  itemOf,
  sentItem,
  notFound,
  putOrder,
} from '../../support/orders.ts';
import { assertInvalid } from '../../support/problem.ts';
import { basketExcept, startShop } from '../../support/shop.ts';

const { aisle, chain, placeBasket: place, send, assertRejected } = await startShop();
const pricingOf = (order: Response['body'], sku: string) => itemOf(order, sku).pricing;

describe('items in a fulfilment', () => {
  test('a fulfilment that omits items is rejected, and the error lists the omitted items', async () => {
    const order = await place();
    const response = await send(order, sentItem(order, 'BREAD'));
    await assertCartRejected(aisle, chain, order, response, '/items missing_items');
    const [{ message }] = response.body.errors;
    for (const sku of ['MILK', 'HAM']) assert.ok(message.includes(itemOf(order, sku)._id), message);
    assert.ok(!message.includes(itemOf(order, 'BREAD')._id), message);
    await assertRejected(order, [], '/items missing_items');
  });

  test('an addition does not make up for an omitted item', async () => {
    const order = await place();
    const items = [sentItem(order, 'MILK'), sentItem(order, 'BREAD'), added('HAM', { weight: 1 })];
    await assertRejected(order, items, '/items missing_items');
  });

  test('an order in which nothing was picked cannot be fulfilled', async () => {
    const order = await place();
    const nothing = ['MILK', 'BREAD', 'HAM'].map((sku) => notFound(order, sku));
    await assertRejected(order, nothing, '/items nothing_picked');
  });

  test('an item can be identified by its _id, its SKU or both', async () => {
    const order = await place();
    const bySku = { sku: 'MILK', status: 'IN_CART', pricing: { pricing_type: 'UNIT', quantity: 1 } };
    const byBoth = { ...sentItem(order, 'BREAD'), sku: 'BREAD' };
    const now = await fulfilled(aisle, chain, order, [bySku, byBoth, sentItem(order, 'HAM')]);
    assert.equal(pricingOf(now, 'MILK').quantity, 1);
    assert.equal(itemOf(now, 'BREAD').status, 'IN_CART');
  });

  test('an item whose _id and SKU belong to different products is rejected', async () => {
    const order = await place();
    const rest = [sentItem(order, 'MILK'), sentItem(order, 'HAM')];
    for (const sku of ['MILK', 'TEA', 'bread']) {
      await assertRejected(order, [{ ...sentItem(order, 'BREAD'), sku }, ...rest], '/items/0/sku sku_mismatch');
    }
  });

  test('an unknown _id is rejected even if the SKU is known, and so is an unknown SKU', async () => {
    const order = await place();
    const rest = [sentItem(order, 'BREAD'), sentItem(order, 'HAM')];
    const strange = { ...sentItem(order, 'MILK'), _id: 'strange', sku: 'MILK' };
    await assertRejected(order, [strange, ...rest], '/items missing_items', '/items/0/_id unknown_item');
    const { _id: _, ...tea } = { ...sentItem(order, 'MILK'), sku: 'TEA' };
    await assertRejected(order, [...basketExcept(order, '', {}), tea], '/items/3/sku unknown_item');
    const { sku: _sku, ...nameless } = tea;
    await assertRejected(order, [...basketExcept(order, '', {}), nameless], '/items/3 missing');
  });

  test('at most 50 errors are reported', async () => {
    const order = await place();
    const strange = Array.from({ length: 500 }, (_, index) => ({
      ...sentItem(order, 'MILK'),
      _id: `strange ${index}`,
    }));
    const response = await send(order, ...strange);
    assert.equal(response.body.code, 'invalid_cart_update');
    assert.equal(response.body.errors.length, 50);
  });

  test('an item sent twice, by _id or by SKU, is rejected', async () => {
    const order = await place();
    const bySku = { sku: 'MILK', status: 'NOT_FOUND', pricing: { pricing_type: 'UNIT' } };
    await assertRejected(order, [...basketExcept(order, '', {}), bySku], '/items/3 named_twice');
    await assertRejected(order, [...basketExcept(order, '', {}), sentItem(order, 'HAM')], '/items/3 named_twice');
  });

  test("an item's status, pricing and pricing_type are required", async () => {
    const order = await place();
    const [milk, ...rest] = basketExcept(order, '', {});
    await assertRejected(order, [{ ...milk, status: undefined }, ...rest], '/items/0/status missing');
    await assertRejected(order, [{ ...milk, pricing: undefined }, ...rest], '/items/0/pricing missing');
    await assertRejected(order, [{ ...milk, pricing: {} }, ...rest], '/items/0/pricing/pricing_type missing');
    await assertRejected(order, [{ ...milk, status: 'NOT_PROCESSED' }, ...rest], '/items/0/status not_processed');
  });

  test("an item's pricing_type must match the order", async () => {
    const order = await place();
    const wrong = '/items/0/pricing/pricing_type wrong_pricing_type';
    await assertRejected(order, basketExcept(order, 'MILK', { pricing_type: 'KG', weight: 1 }), wrong);
    await assertRejected(order, basketExcept(order, 'HAM', { pricing_type: 'UNIT' }), wrong.replace('0', '2'));
  });

  test('several errors in the items are reported together', async () => {
    const order = await place();
    const items = [sentItem(order, 'MILK', { quantity: 9 }), { ...sentItem(order, 'BREAD'), status: undefined }];
    const reasons = ['/items missing_items', '/items/0/pricing/quantity out_of_bounds', '/items/1/status missing'];
    await assertRejected(order, items, ...reasons);
  });

  test('items must be a list of objects', async () => {
    const order = await place();
    for (const items of ['MILK', 7, { 0: sentItem(order, 'MILK') }]) {
      assertInvalid(await fulfil(aisle, chain, order, items), '/items');
    }
    for (const items of [null, undefined]) assertInvalid(await fulfil(aisle, chain, order, items), '/items');
    assert.equal((await fulfil(aisle, chain, order, ['MILK'])).body.code, 'invalid_cart_update');
    assert.deepEqual(await eventNames(aisle, order.order_id), ['received']);
  });

  test('a status other than the four allowed is rejected', async () => {
    const order = await place();
    for (const status of ['RECEIVED', 'DELIVERED', 'PICKED_UP', 'ACCEPTED', 'ready_for_pickup', '']) {
      const body = { status, items: basketExcept(order, '', {}) };
      assertInvalid(await putOrder(aisle, chain, order.order_id, body), '/status');
    }
    assertInvalid(await putOrder(aisle, chain, order.order_id, { items: basketExcept(order, '', {}) }), '/status');
    await assertUnchanged(aisle, chain, order);
  });
});
