import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { makeToken, useAisle } from '../../support/aisle.ts';
import { makeShop, placeOrder } from '../../support/orders.ts';
import { startReceiver } from '../../support/receiver.ts';
import { deliveriesOf, getDelivery, setWebhook } from '../../support/webhooks.ts';

/** Tests for query parameters and fields that the portal needs. */
const aisle = await useAisle();
const receiver = await startReceiver();
after(receiver.close);

test("an order can be found by its code, its ids or the customer's phone number", async () => {
  const shop = await makeShop(aisle);
  const more = { external_order_id: 'ours-7', customer: { first_name: 'Kim', phone_number: '+97150111' } };
  const order = await placeOrder(aisle, shop, [{ sku: 'MILK', quantity: 1 }], more);
  await placeOrder(aisle, shop, [{ sku: 'MILK', quantity: 1 }]);
  const find = async (term: string) => {
    const path = `${shop.base}/vendors/${shop.vendors[0]}/orders?query_term=${encodeURIComponent(term)}`;
    const { body } = await aisle.call('GET', path, { token: shop.token });
    return body.orders.map(({ order_id }: { order_id: string }) => order_id);
  };
  const { order_code, order_id } = order;
  for (const term of [order_code, order_code.toLowerCase(), order_id.toUpperCase(), 'ours-7', '+97150111']) {
    assert.deepEqual(await find(term), [order_id], term);
  }
  assert.equal((await find('')).length, 2);
  for (const term of ['%', '_', 'ours-', '+97']) assert.deepEqual(await find(term), [], term);
});

test('a delivery includes the body that was sent', async () => {
  const shop = await makeShop(aisle);
  await setWebhook(aisle, shop, { production_url: receiver.url });
  const order = await placeOrder(aisle, shop, [{ sku: 'MILK', quantity: 1 }]);
  await receiver.waitFor(1);
  const [delivery] = await deliveriesOf(aisle, shop, order.order_id);
  const { body } = await getDelivery(aisle, shop, delivery.delivery_id);
  assert.equal(body.order_id, order.order_id);
  assert.equal(body.status, 'RECEIVED');
});

test("webhooks are listed with the chain's default first, and a restricted token sees only those of its stores", async () => {
  const shop = await makeShop(aisle, { vendors: 2 });
  const [near, far] = shop.vendors;
  const list = async (token = shop.token) => {
    const { body } = await aisle.call('GET', `${shop.base}/webhooks`, { token });
    return body.webhooks.map(({ vendor_id }: { vendor_id: string | null }) => vendor_id);
  };
  assert.deepEqual(await list(), []);
  await setWebhook(aisle, shop, { production_url: receiver.url }, far);
  await setWebhook(aisle, shop, { production_url: receiver.url });
  assert.deepEqual(await list(), [null, far]);
  const limited = (vendor: unknown) =>
    makeToken(aisle, shop.chainId, { scopes: ['manage'], vendor_ids: [String(vendor)] });
  assert.deepEqual(await list(await limited(far)), [far]);
  assert.deepEqual(await list(await limited(near)), []);
});
