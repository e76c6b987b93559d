import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Response, useAisle } from '../../support/aisle.ts';
import {
  ageOrder,
  assertUnchanged,
  fulfilled,
  makeShop,
  sentItem,
  placeOrder,
  putOrder,
  readEvents,
  readOrder,
  report,
} from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle);

const customerCancels = { reason: 'CHANGED_MIND', cancelled_by: 'CUSTOMER' };
const flows = { platform: {}, vendor: { transport_type: 'VENDOR_DELIVERY' }, collected: { order_type: 'PICKUP' } };
const place = (flow: keyof typeof flows = 'platform') =>
  placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 2 }], flows[flow]);
const partnerCancels = (order: Response['body'], reason: unknown = 'TOO_BUSY') =>
  putOrder(aisle, chain, order.order_id, { status: 'CANCELLED', items: [], cancellation: { reason } });

async function reported(order: Response['body'], action: string, body?: unknown): Promise<Response['body']> {
  const response = await report(aisle, order.order_id, action, body);
  assert.equal(response.status, 200, response.text);
  return response.body;
}

/** Places and picks an order, and brings it to this status. */
async function reach(flow: keyof typeof flows, status: string): Promise<Response['body']> {
  const order = await place(flow);
  let now = await fulfilled(aisle, chain, order, [sentItem(order, 'MILK')]);
  const way = { platform: ['pickup', 'deliver'], vendor: ['deliver'], collected: ['collect'] }[flow];
  for (const action of way) if (now.status !== status) now = await reported(order, action);
  assert.equal(now.status, status);
  return now;
}

test('an order cancelled after pickup by the rider has post_picked_up, and its event has post_pickup_flag true', async () => {
  const order = await reach('platform', 'DISPATCHED');
  const now = await reported(order, 'cancel', customerCancels);
  assert.deepEqual(now.cancellation, { ...customerCancels, post_picked_up: true });
  assert.equal((await readEvents(aisle, order.order_id)).at(-1)?.body.post_pickup_flag, true);
  assert.deepEqual((await readOrder(aisle, chain, order.order_id)).cancellation, now.cancellation);
});

test('a Vendor Delivery order cancelled after dispatch has no post_picked_up, and its event has post_pickup_flag false', async () => {
  const order = await reach('vendor', 'DISPATCHED');
  const now = await reported(order, 'cancel', customerCancels);
  assert.equal('post_picked_up' in now.cancellation, false);
  assert.equal((await readEvents(aisle, order.order_id)).at(-1)?.body.post_pickup_flag, false);
});

test('other events and responses do not contain post_pickup_flag', async () => {
  const order = await reach('platform', 'DELIVERED');
  for (const { body } of await readEvents(aisle, order.order_id)) assert.equal('post_pickup_flag' in body, false);
  const cancelled = await reported(await reach('platform', 'DISPATCHED'), 'cancel', customerCancels);
  assert.equal('post_pickup_flag' in cancelled, false);
  assert.equal('post_pickup_flag' in (await readOrder(aisle, chain, cancelled.order_id)), false);
});

for (const status of ['DISPATCHED', 'DELIVERED']) {
  test(`a partner can cancel a ${status} order that was picked up by a rider, and the order then has post_picked_up`, async () => {
    const { body } = await partnerCancels(await reach('platform', status));
    assert.deepEqual(body.cancellation, { reason: 'TOO_BUSY', cancelled_by: 'VENDOR', post_picked_up: true });
  });
}

test('a partner can cancel an order that the customer has collected, and the order has no post_picked_up', async () => {
  const { body } = await partnerCancels(await reach('collected', 'PICKED_UP'));
  assert.deepEqual(body.cancellation, { reason: 'TOO_BUSY', cancelled_by: 'VENDOR' });
});

test('cancelling a cancelled order again returns 200 and changes nothing', async () => {
  const order = await reported(await place(), 'cancel', customerCancels);
  const again = await partnerCancels(order, 'CLOSED');
  assert.equal(again.status, 200);
  assert.deepEqual(again.body, order);
});

test('an order that is too old to be read can still be cancelled until it is deleted', async () => {
  const order = await place();
  await ageOrder(aisle, order.order_id, new Date(Date.now() - 400 * 86_400_000));
  const read = () => aisle.call('GET', `${chain.base}/orders/${order.order_id}`, { token: chain.token });
  assertProblem(await read(), 'order_not_found');
  const { status, body } = await partnerCancels(order);
  assert.deepEqual([status, body.status, body.revision], [200, 'CANCELLED', 2]);
  assert.equal((await partnerCancels(order)).body.revision, 2);
  assertProblem(await read(), 'order_not_found');
});

test("another store's order that is too old to be read cannot be cancelled", async () => {
  const order = await place();
  await ageOrder(aisle, order.order_id, new Date(Date.now() - 61 * 86_400_000));
  const stranger = await makeShop(aisle);
  const cancel = { status: 'CANCELLED', items: [], cancellation: { reason: 'CLOSED' } };
  assertProblem(await putOrder(aisle, stranger, order.order_id, cancel), 'order_not_found');
});

test('a cancellation with a reason other than the three allowed is rejected and changes nothing', async () => {
  const order = await place();
  for (const reason of ['CHANGED_MIND', 'closed', '', 7, null]) {
    assertInvalid(await partnerCancels(order, reason), '/cancellation/reason');
  }
  const without = await putOrder(aisle, chain, order.order_id, { status: 'CANCELLED', items: [] });
  assertInvalid(without, '/cancellation/reason');
  await assertUnchanged(aisle, chain, order);
});

test('a cancellation must contain items, but they are ignored, and so is cancelled_by', async () => {
  const order = await place();
  const cancellation = { reason: 'CLOSED', cancelled_by: 'CUSTOMER', post_picked_up: true };
  assertInvalid(await putOrder(aisle, chain, order.order_id, { status: 'CANCELLED', cancellation }), '/items');
  const items = [{ sku: 'UNKNOWN', status: 'NO_STATUS' }, 7];
  const response = await putOrder(aisle, chain, order.order_id, { status: 'CANCELLED', items, cancellation });
  assert.equal(response.status, 200, response.text);
  assert.deepEqual(response.body.cancellation, { reason: 'CLOSED', cancelled_by: 'VENDOR' });
});

test('the cancellation object is ignored if the status is not CANCELLED', async () => {
  const order = await place();
  const body = { status: 'READY_FOR_PICKUP', items: [sentItem(order, 'MILK')], cancellation: { reason: 'NONSENSE' } };
  const response = await putOrder(aisle, chain, order.order_id, body);
  assert.equal(response.status, 200, response.text);
  assert.equal('cancellation' in response.body, false);
});

test('the platform can cancel on behalf of the customer or logistics, with a reason of 1 to 64 characters', async () => {
  const order = await place();
  const cancel = (body: unknown) => report(aisle, order.order_id, 'cancel', body);
  assertInvalid(await cancel({ ...customerCancels, cancelled_by: 'VENDOR' }), '/cancelled_by');
  assertInvalid(await cancel({ reason: 'LATE' }), '/cancelled_by');
  assertInvalid(await cancel({ cancelled_by: 'CUSTOMER' }), '/reason');
  assertInvalid(await cancel({ ...customerCancels, reason: 'x'.repeat(65) }), '/reason');
  assertProblem(await cancel(undefined), 'invalid_request');
  await assertUnchanged(aisle, chain, order);
  const reason = 'x'.repeat(64);
  assert.equal((await cancel({ ...customerCancels, reason })).body.cancellation.reason, reason);
});

test('the platform gets a 404 for an unknown order', async () => {
  const unknown = '0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4';
  for (const action of ['pickup', 'deliver', 'collect']) {
    assertProblem(await report(aisle, unknown, action), 'order_not_found');
  }
  assertProblem(await report(aisle, unknown, 'cancel', customerCancels), 'order_not_found');
  assertInvalid(await report(aisle, 'no-uuid', 'pickup'), 'order_id');
});
