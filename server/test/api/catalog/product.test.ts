import assert from 'node:assert/strict';
import test from 'node:test';
import { makeToken, type Response, useAisle } from '../../support/aisle.ts';
import { makeShop, placeOrder } from '../../support/orders.ts';
import { assertInvalid } from '../../support/problem.ts';
import { applyPromotion } from '../../support/promotions.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle, { vendors: 2 });
const [first = '', second = ''] = chain.vendors;
const limited = await makeToken(aisle, chain.chainId, {
  scopes: ['catalog:read', 'orders:read', 'promotions:read'],
  vendor_ids: [second],
});

async function read(path: string, token = chain.token): Promise<Response['body']> {
  const response = await aisle.call('GET', `${chain.base}${path}`, { token });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

const storesOf = (items: Response['body'][]) => items.map((item) => item.vendor_id);

test('a product is listed with its price and stock in every store that the token can access', async () => {
  const path = `${chain.base}/vendors/${second}/catalog`;
  await aisle.call('PUT', path, { token: chain.token, body: { products: [{ sku: 'MILK', price: 7.25 }] } });
  const { products } = await read('/catalog/offers?sku=MILK');
  assert.deepEqual(storesOf(products), [first, second].toSorted());
  assert.equal(products.find((product: Response['body']) => product.vendor_id === second).price, 7.25);
  assert.deepEqual(storesOf((await read('/catalog/offers?sku=MILK', limited)).products), [second]);
  assert.deepEqual((await read('/catalog/offers?sku=NOTHING')).products, []);
  assertInvalid(await aisle.call('GET', `${chain.base}/catalog/offers`, { token: chain.token }), 'sku');
});

test('recent orders with a product are listed, newest first, in the stores that the token can access', async () => {
  const older = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const newer = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }], { vendor_id: second });
  const { orders } = await read('/catalog/orders?sku=MILK');
  assert.deepEqual(
    orders.map((order: Response['body']) => [order.order_id, order.order_code, order.vendor_id, order.status]),
    [newer, older].map((order) => [order.order_id, order.order_code, order === newer ? second : first, 'RECEIVED']),
  );
  assert.deepEqual(storesOf((await read('/catalog/orders?sku=MILK', limited)).orders), [second]);
  assert.deepEqual((await read('/catalog/orders?sku=NOTHING')).orders, []);
});

test('promotions can be filtered by SKU, and their entries have the titles of the products', async () => {
  const { promotion_id } = await applyPromotion(aisle, chain, {
    vendors: ['*'],
    type: 'STRIKETHROUGH',
    display_name: { en_AE: 'Milk week' },
    conditions: { start_time: '2026-01-01T00:00:00Z', end_time: '2035-01-01T00:00:00Z' },
    discount: [{ discount_subtype: 'PERCENTAGE', discount_value: 10, sku: ['MILK'] }],
  });
  const listed = await read('/promotions?sku=MILK');
  assert.deepEqual([listed.total_items, listed.promotions[0].promotion_id], [1, promotion_id]);
  assert.equal((await read('/promotions?sku=NOTHING')).total_items, 0);
  const [entry] = (await read(`/promotions/${promotion_id}`)).discount;
  assert.equal(Object.values(entry.title)[0], (await read('/catalog/offers?sku=MILK')).products[0].title);
});
