import assert from 'node:assert/strict';
import test from 'node:test';
import { makeUser, useAisle } from '../../support/aisle.ts';
import { allPicked, makeShop, placeOrder, putOrder } from '../../support/orders.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle);
const { email } = await makeUser(aisle, chain.chainId);

test('responses with orders, personal data or secrets are not stored by caches', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const own = { token: chain.token };
  const platform = { token: aisle.platformToken };
  const responses = {
    'order PUT': await putOrder(aisle, chain, order.order_id, { status: 'READY_FOR_PICKUP', items: allPicked(order) }),
    'order history': await aisle.call('GET', `${chain.base}/orders/${order.order_id}/history`, own),
    'order list': await aisle.call('GET', `${chain.base}/orders`, own),
    'cancelled order': await aisle.call('POST', `/platform/v1/orders/${order.order_id}/cancel`, {
      ...platform,
      body: { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' },
    }),
    'order that does not exist': await aisle.call('GET', `${chain.base}/orders/${chain.chainId}`, own),
    'event feed': await aisle.call('GET', `${chain.base}/events`, own),
    'new token': await aisle.call('POST', `${chain.base}/tokens`, { ...own, body: { name: 'new' } }),
    'new client': await aisle.call('POST', `${chain.base}/clients`, { ...own, body: { name: 'new' } }),
    'new user': await aisle.call('POST', `/platform/v1/chains/${chain.chainId}/users`, {
      ...platform,
      body: { email: `2${email}`, name: 'New', role: 'VIEWER' },
    }),
    users: await aisle.call('GET', `${chain.base}/users`, own),
  };
  for (const [name, response] of Object.entries(responses)) {
    assert.equal(response.headers['cache-control'], 'no-store', `${name}: ${response.status}`);
  }
});

test('a replayed response is not stored by caches either', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const body = { status: 'READY_FOR_PICKUP', items: allPicked(order) };
  for (const replayed of [undefined, 'true']) {
    const response = await putOrder(aisle, chain, order.order_id, body, { 'idempotency-key': order.order_id });
    assert.deepEqual([response.status, response.headers['idempotent-replayed']], [200, replayed]);
    assert.equal(response.headers['cache-control'], 'no-store');
  }
});

test('a response with an ETag can be kept by the client, which revalidates it', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const response = await aisle.call('GET', `${chain.base}/orders/${order.order_id}`, { token: chain.token });
  assert.ok(response.headers['etag']);
  assert.equal(response.headers['cache-control'], 'private, no-cache');
});
