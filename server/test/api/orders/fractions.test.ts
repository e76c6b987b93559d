import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useAisle, type Response } from '../../support/aisle.ts';
import { catalogPath } from '../../support/catalog.ts';
import {
  added,
  changeVendor,
  fulfil,
  makeShop,
  sentItem,
  newOrder,
  placeOrder,
  replaced,
} from '../../support/orders.ts';
import { percent, promotionBody, putPromotion } from '../../support/promotions.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle);
await changeVendor(aisle, chain, { settings: { test: true } });
const quantity = 1.5;

test('a fractional quantity is rejected with the same code in every type of request', async () => {
  const order = await placeOrder(aisle, chain, [
    { sku: 'MILK', quantity: 3 },
    { sku: 'HAM', weight: 1 },
  ]);
  const [milk, ham] = [sentItem(order, 'MILK'), sentItem(order, 'HAM')];
  const { chain_id: _, ...placement } = newOrder(chain, [{ sku: 'MILK', quantity }]);
  const call = (method: string, path: string, body: unknown, token = chain.token) =>
    aisle.call(method, path, { token, body });
  const testOrder = {
    status: 'READY_FOR_PICKUP',
    transport_type: 'LOGISTICS_DELIVERY',
    items: [{ sku: 'MILK', status: 'IN_CART', quantity }],
  };
  const responses: [string, Promise<Response>][] = [
    ['/products/0/quantity', call('PUT', catalogPath(chain), { products: [{ sku: 'MILK', quantity }] })],
    [
      '/items/0/quantity',
      call('POST', '/platform/v1/orders', newOrder(chain, [{ sku: 'MILK', quantity }]), aisle.platformToken),
    ],
    ['/items/0/quantity', call('POST', `${chain.base}/sandbox/orders`, placement)],
    ['/items/0/quantity', call('POST', `${chain.base}/vendors/${chain.vendors[0]}/test-orders`, testOrder)],
    ['/items/0/pricing/quantity', fulfil(aisle, chain, order, [sentItem(order, 'MILK', { quantity }), ham])],
    ['/items/1/pricing/quantity', fulfil(aisle, chain, order, [milk, sentItem(order, 'HAM', { quantity })])],
    ['/items/2/pricing/quantity', fulfil(aisle, chain, order, [milk, ham, added('TEA', { quantity })])],
    ['/items/2/pricing/quantity', fulfil(aisle, chain, order, [milk, ham, added('HAM', { quantity, weight: 1 })])],
    ['/items/1/pricing/quantity', fulfil(aisle, chain, order, [...replaced(order, 'MILK', 'TEA', { quantity }), ham])],
    [
      '/discount/0/max_quantity',
      putPromotion(aisle, chain, promotionBody({ discount: [{ ...percent(10, 'MILK'), max_quantity: quantity }] })),
    ],
    [
      '/limits/max_items_per_order',
      putPromotion(aisle, chain, promotionBody({ limits: { max_items_per_order: quantity } })),
    ],
  ];
  for (const [pointer, sent] of responses) {
    const { status, body, text } = await sent;
    assert.equal(status, 400, text);
    assert.deepEqual(
      body.errors.map((error: Response['body']) => [error.pointer, error.code]),
      [[pointer, 'not_whole']],
    );
  }
});
