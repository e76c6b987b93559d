import assert from 'node:assert/strict';
import test from 'node:test';
import { addProduct, changePick, countOpen, emptyCart, hasPickedItems, putBody, removeAddition } from './cart.ts';
import type { Order } from './order.ts';

const unit = { pricing_type: 'UNIT', quantity: 3, unit_price: 1, total_price: 3, min_quantity: 1, max_quantity: 3 };
const kilo = {
  pricing_type: 'KG',
  quantity: 1,
  weight: 0.5,
  unit_price: 8,
  total_price: 4,
  min_quantity: 0.4,
  max_quantity: 0.6,
};
const order = {
  order_id: 'o1',
  items: [
    { _id: 'a', sku: 'MILK', pricing: unit },
    { _id: 'b', sku: 'CHEESE', pricing: kilo },
  ],
} as unknown as Order;
const tea = { sku: 'TEA', name: 'Tea', isSoldByWeight: false };

test('found items are sent with the picked quantity or weight', () => {
  let cart = changePick(emptyCart(order), 'a', { state: 'found', amount: { quantity: 2, weight: 1 } });
  cart = changePick(cart, 'b', { state: 'found', amount: { quantity: 1, weight: 0.55 } });
  assert.deepEqual(putBody(order, cart, 'READY_FOR_PICKUP').items, [
    { _id: 'a', sku: 'MILK', status: 'IN_CART', pricing: { pricing_type: 'UNIT', quantity: 2 } },
    { _id: 'b', sku: 'CHEESE', status: 'IN_CART', pricing: { pricing_type: 'KG', weight: 0.55 } },
  ]);
  assert.equal(countOpen(cart), 0);
});

test('items that have not been picked yet are omitted', () => {
  const cart = changePick(emptyCart(order), 'a', { state: 'missing' });
  assert.deepEqual(putBody(order, cart, 'UPDATE_CART'), {
    order_id: 'o1',
    status: 'UPDATE_CART',
    items: [{ _id: 'a', sku: 'MILK', status: 'NOT_FOUND', pricing: { pricing_type: 'UNIT' } }],
  });
  assert.equal(countOpen(cart), 1);
  assert.equal(hasPickedItems(cart), false);
});

test('a replacement is sent as two items, and the new item refers to the replaced one', () => {
  const by = { key: 'k', product: tea, amount: { quantity: 4, weight: 1 } };
  const cart = changePick(emptyCart(order), 'a', { state: 'replaced', by });
  assert.deepEqual(putBody(order, cart, 'DISPATCHED').items, [
    { _id: 'a', sku: 'MILK', status: 'REPLACED', pricing: { pricing_type: 'UNIT' } },
    { sku: 'TEA', status: 'IN_CART', replaced_id: 'a', pricing: { pricing_type: 'UNIT', quantity: 4 } },
  ]);
});

test('additions come last and can be removed', () => {
  const weighed = { key: 'k', product: { ...tea, isSoldByWeight: true }, amount: { quantity: 1, weight: 0.25 } };
  const cart = addProduct(emptyCart(order), weighed);
  assert.deepEqual(putBody(order, cart, 'UPDATE_CART').items, [
    { sku: 'TEA', status: 'ADDITION', pricing: { pricing_type: 'KG', quantity: 1, weight: 0.25 } },
  ]);
  assert.deepEqual(removeAddition(cart, 'k').additions, []);
});
