import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { makeChain, makeToken, startTestAisle, type TestChain } from '../../support/aisle.ts';
import { addProducts, readProduct } from '../../support/catalog.ts';
import { allPicked, putOrder, snapshot } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { startReceiver } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { setWebhook } from '../../support/webhooks.ts';

const aisle = await startTestAisle();
const receiver = await startReceiver();
after(() => aisle.stop().then(receiver.close));

const milk = { sku: 'MILK', title: 'Milk', price: 10, quantity: 5 };
const ham = { sku: 'HAM', title: 'Ham', price: 20, is_sold_by_weight: true };
const gone = { sku: 'GONE', title: 'Sold out', price: 3, quantity: 0, active: false };

async function sandbox(): Promise<TestChain> {
  const chain = await makeChain(aisle, { vendors: 1, isSandbox: true });
  await addProducts(aisle, chain, [milk, ham, gone]);
  await setWebhook(aisle, chain, { production_url: receiver.url });
  return chain;
}

const ready = {
  status: 'READY_FOR_PICKUP',
  transport_type: 'LOGISTICS_DELIVERY',
  items: [
    { sku: 'MILK', status: 'IN_CART', quantity: 2 },
    { sku: 'HAM', status: 'NOT_FOUND' },
  ],
};

function sendTest(chain: TestChain, body: unknown, vendor = chain.vendors[0]) {
  return aisle.call('POST', `${chain.base}/vendors/${vendor}/test-orders`, { token: chain.token, body });
}

/** Waits until the webhook has received `count` messages about the order, and returns them. */
async function received(orderId: string, count: number) {
  const messages = () => receiver.received.map(({ body }) => body).filter((body) => body.order_id === orderId);
  await waitFor(`${count} messages about the order`, () => messages().length >= count, 10);
  return messages();
}

test('a RECEIVED test order reaches the webhook, does not change the stock, and can be fulfilled with PUT', async () => {
  const chain = await sandbox();
  const { status, body: order, text } = await sendTest(chain, ready);
  assert.equal(status, 201, text);
  assert.deepEqual([order.status, order.is_test, order.revision], ['RECEIVED', true, 1]);
  assert.deepEqual(
    order.items.map((item: { pricing: { quantity: number; weight?: number } }) => [
      item.pricing.quantity,
      item.pricing.weight,
    ]),
    [
      [2, undefined],
      [1, 1],
    ],
  );
  const [delivered] = await received(order.order_id, 1);
  assert.deepEqual(delivered, snapshot(order));
  assert.equal((await readProduct(aisle, chain, 'MILK')).quantity, 5);

  const fulfilled = await putOrder(aisle, chain, order.order_id, {
    status: 'READY_FOR_PICKUP',
    items: allPicked(order),
  });
  assert.equal(fulfilled.status, 200, fulfilled.text);
  assert.equal((await readProduct(aisle, chain, 'MILK')).quantity, 5);

  const path = `${chain.base}/test-orders/${order.order_id}`;
  const { body } = await aisle.call('GET', path, { token: chain.token });
  assert.deepEqual(body.expected, ready);
  assert.equal(body.order.status, 'READY_FOR_PICKUP');
});

test('a test order with the status CANCELLED is placed and then cancelled by the selected party', async () => {
  const chain = await sandbox();
  const body = { ...ready, status: 'CANCELLED', cancelled_by: 'LOGISTICS', reason: 'NO_RIDER' };
  const { body: order } = await sendTest(chain, body);
  assert.equal(order.status, 'RECEIVED');
  const events = await received(order.order_id, 2);
  assert.deepEqual(
    events.map((event) => event.status),
    ['RECEIVED', 'CANCELLED'],
  );
  assert.deepEqual(events[1]?.cancellation, { reason: 'NO_RIDER', cancelled_by: 'LOGISTICS' });
  assert.equal(events[1]?.post_pickup_flag, false);
});

test('a test order ignores stock, inactive products and closed stores', async () => {
  const chain = await sandbox();
  await aisle.call('PUT', `${chain.base}/vendors/${chain.vendors[0]}/status`, {
    token: chain.token,
    body: { status: 'CLOSED_TODAY' },
  });
  const { status, text } = await sendTest(chain, {
    ...ready,
    items: [{ sku: 'GONE', status: 'IN_CART', quantity: 50 }],
  });
  assert.equal(status, 201, text);
});

test('a test order is rejected with a list of the required settings that are missing', async () => {
  const chain = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, chain, [milk]);
  const body = { ...ready, items: [{ sku: 'MILK', status: 'IN_CART' }] };
  const response = await sendTest(chain, body);
  assertProblem(response, 'test_order_unavailable');
  assert.deepEqual(response.body.missing, ['integration_type', 'webhook', 'integration_enabled']);
  const settings = { integration_type: 'PICKING', integration_enabled: true };
  const path = `${chain.base}/vendors/${chain.vendors[0]}/settings`;
  await aisle.call('PATCH', path, { token: chain.token, body: settings });
  assert.deepEqual((await sendTest(chain, body)).body.missing, ['webhook']);
  await setWebhook(aisle, chain, { production_url: receiver.url }, chain.vendors[0]);
  assert.equal((await sendTest(chain, body)).status, 201);
});

test('a test order with an unknown SKU is rejected with a pointer, and nothing is stored', async () => {
  const chain = await sandbox();
  assertInvalid(await sendTest(chain, { ...ready, items: [{ sku: 'NOPE', status: 'IN_CART' }] }), '/items/0/sku');
  const { body } = await aisle.call('GET', `${chain.base}/vendors/${chain.vendors[0]}/orders`, { token: chain.token });
  assert.equal(body.total_items, 0);
});

test("an integrator can act as a test store's customer and rider, from placement to delivery", async () => {
  const chain = await sandbox();
  const act = (path: string, body?: unknown) =>
    aisle.call('POST', `${chain.base}/sandbox/orders${path}`, {
      token: chain.token,
      ...(body !== undefined && { body }),
    });
  const placed = await act('', {
    vendor_id: 'ext-1',
    customer: { first_name: 'Sam', phone_number: '+971500000000' },
    items: [{ sku: 'MILK', quantity: 2 }],
    payment: { type: 'PAID' },
  });
  assert.equal(placed.status, 201, placed.text);
  assert.equal((await readProduct(aisle, chain, 'MILK')).quantity, 3);
  const id = placed.body.order_id;
  assertProblem(await act(`/${id}/pickup`), 'order_state_conflict');
  await putOrder(aisle, chain, id, { status: 'READY_FOR_PICKUP', items: allPicked(placed.body) });
  assert.equal((await act(`/${id}/pickup`)).body.status, 'DISPATCHED');
  assert.equal((await act(`/${id}/deliver`)).body.status, 'DELIVERED');
  assertProblem(await act(`/${id}/cancel`, { cancelled_by: 'CUSTOMER', reason: 'LATE' }), 'order_state_conflict');
});

test('a partner cannot act as the platform at a real store or at another chain’s store', async () => {
  const chain = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, chain, [milk]);
  const body = {
    vendor_id: chain.vendors[0],
    customer: { first_name: 'Sam', phone_number: '+971500000000' },
    items: [{ sku: 'MILK', quantity: 1 }],
    payment: { type: 'PAID' },
  };
  const path = `${chain.base}/sandbox/orders`;
  assertProblem(await aisle.call('POST', path, { token: chain.token, body }), 'sandbox_unavailable');

  const other = await sandbox();
  const foreign = { ...body, vendor_id: other.vendors[0] };
  assertProblem(await aisle.call('POST', path, { token: chain.token, body: foreign }), 'vendor_not_found');
  const { body: order } = await sendTest(other, ready);
  assertProblem(
    await aisle.call('POST', `${path}/${order.order_id}/pickup`, { token: chain.token }),
    'order_not_found',
  );
});

test('a token restricted to other stores can neither control nor read test orders', async () => {
  const chain = await makeChain(aisle, { vendors: 2, isSandbox: true });
  await addProducts(aisle, chain, [milk, ham]);
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const { body: order } = await sendTest(chain, ready);
  const token = await makeToken(aisle, chain.chainId, { scopes: ['manage'], vendor_ids: [String(chain.vendors[1])] });
  assertProblem(await aisle.call('GET', `${chain.base}/test-orders/${order.order_id}`, { token }), 'order_not_found');
  const path = `${chain.base}/sandbox/orders/${order.order_id}/pickup`;
  assertProblem(await aisle.call('POST', path, { token }), 'order_not_found');
});

function placeByCustomer(chain: TestChain, more: Record<string, unknown> = {}) {
  return aisle.call('POST', `${chain.base}/sandbox/orders`, {
    token: chain.token,
    body: {
      vendor_id: chain.vendors[0],
      customer: { first_name: 'Sam', phone_number: '+971500000000' },
      items: [{ sku: 'MILK', quantity: 1 }],
      payment: { type: 'PAID' },
      ...more,
    },
  });
}

async function makeReady(chain: TestChain, more: Record<string, unknown> = {}): Promise<string> {
  const { body: order, text } = await placeByCustomer(chain, more);
  const status = more['transport_type'] === 'VENDOR_DELIVERY' ? 'DISPATCHED' : 'READY_FOR_PICKUP';
  const put = await putOrder(aisle, chain, order.order_id, { status, items: allPicked(order) });
  assert.equal(put.status, 200, text + put.text);
  return order.order_id;
}

function rider(chain: TestChain, method: 'GET' | 'PUT', body?: unknown) {
  const path = `${chain.base}/vendors/${chain.vendors[0]}/sandbox/rider`;
  return aisle.call(method, path, { token: chain.token, ...(body !== undefined && { body }) });
}

async function statusOf(chain: TestChain, orderId: string): Promise<string> {
  return (await aisle.call('GET', `${chain.base}/orders/${orderId}`, { token: chain.token })).body.status;
}

test('the automatic rider completes ready orders in every delivery flow, and the webhook receives the events', async () => {
  const chain = await sandbox();
  assert.deepEqual((await rider(chain, 'GET')).body, { after_seconds: null });
  assert.deepEqual((await rider(chain, 'PUT', { after_seconds: 1 })).body, { after_seconds: 1 });
  assert.deepEqual((await rider(chain, 'GET')).body, { after_seconds: 1 });
  const [ridden, collected, own] = await Promise.all([
    makeReady(chain),
    makeReady(chain, { order_type: 'PICKUP' }),
    makeReady(chain, { transport_type: 'VENDOR_DELIVERY' }),
  ]);
  assert.equal(await statusOf(chain, ridden), 'READY_FOR_PICKUP');
  await waitFor('the delivery', async () => (await statusOf(chain, ridden)) === 'DELIVERED');
  await waitFor('the collection', async () => (await statusOf(chain, collected)) === 'PICKED_UP');
  await waitFor("the store's delivery", async () => (await statusOf(chain, own)) === 'DELIVERED');
  const bodies = await received(ridden, 4);
  assert.deepEqual(
    bodies.map(({ status }) => status),
    ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED'],
  );
});

test('a rider picks up orders that were ready before it was turned on, and none after it is turned off', async () => {
  const chain = await sandbox();
  const waiting = await makeReady(chain);
  await rider(chain, 'PUT', { after_seconds: 1 });
  await waitFor('the pickup', async () => (await statusOf(chain, waiting)) !== 'READY_FOR_PICKUP');
  await waitFor('the delivery', async () => (await statusOf(chain, waiting)) === 'DELIVERED');
  const late = await makeReady(chain);
  assert.deepEqual((await rider(chain, 'PUT', { after_seconds: null })).body, { after_seconds: null });
  await waitFor('the planned ride to finish', async () => (await tasksOf(chain)) === 0);
  assert.equal(await statusOf(chain, late), 'READY_FOR_PICKUP');
});

test('a rider arrives sooner if after_seconds is lowered, and does not arrive if removed', async () => {
  const chain = await sandbox();
  await rider(chain, 'PUT', { after_seconds: 600 });
  const first = await makeReady(chain);
  const byHand = await makeReady(chain);
  await waitFor('the rides to be planned', async () => (await ridesOf(chain)) >= 2);
  const picked = await aisle.call('POST', `${chain.base}/sandbox/orders/${byHand}/pickup`, { token: chain.token });
  assert.equal(picked.status, 200, picked.text);
  await rider(chain, 'PUT', { after_seconds: 1 });
  for (const order of [first, byHand]) {
    await waitFor('the delivery', async () => (await statusOf(chain, order)) === 'DELIVERED');
  }
  const changes = await aisle.db.query<{ action: string }>(
    'select action from order_changes where chain_id = $1 and order_id = $2 order by revision',
    [chain.chainId, byHand],
  );
  assert.deepEqual(
    changes.map(({ action }) => action),
    ['placed', 'fulfilled', 'picked_up', 'delivered'],
  );
});

test('no rider arrives at a store that is not, or is no longer, a test store', async () => {
  const real = await makeChain(aisle, { vendors: 1 });
  assertProblem(await rider(real, 'PUT', { after_seconds: 1 }), 'sandbox_unavailable');
  const chain = await sandbox();
  assertInvalid(await rider(chain, 'PUT', { after_seconds: 0 }), '/after_seconds');
  assertInvalid(await rider(chain, 'PUT', {}), '/after_seconds');
  const order = await makeReady(chain);
  await rider(chain, 'PUT', { after_seconds: 600 });
  await waitFor('the ride to be planned', async () => (await ridesOf(chain)) > 0);
  await aisle.db.query(`update vendors set test = false where chain_id = $1`, [chain.chainId]);
  await waitFor('the ride to be dropped', async () => {
    await aisle.db.query(`update queue_tasks set run_at = least(run_at, now()) where chain_id = $1`, [chain.chainId]);
    return (await tasksOf(chain)) === 0;
  });
  assert.equal(await statusOf(chain, order), 'READY_FOR_PICKUP');
});

test('a rider is scheduled only once for each order and delay, even if the delay is changed back', async () => {
  const chain = await sandbox();
  await makeReady(chain);
  for (const after_seconds of [600, 600, 500, 600, 500]) {
    await rider(chain, 'PUT', { after_seconds });
    await waitFor('the waiting order to be found', async () => (await tasksOf(chain)) === (await ridesOf(chain)));
  }
  const rides = await aisle.db.query<{ after: string }>(
    "select payload ->> 'after_seconds' as after from queue_tasks where chain_id = $1 order by 1",
    [chain.chainId],
  );
  assert.deepEqual(
    rides.map(({ after }) => after),
    ['500', '600'],
  );
});

async function ridesOf({ chainId }: TestChain): Promise<number> {
  const kind = 'sandbox.ride';
  return (await aisle.db.query('select 1 from queue_tasks where chain_id = $1 and kind = $2', [chainId, kind])).length;
}

async function tasksOf({ chainId }: TestChain): Promise<number> {
  return (await aisle.db.query('select 1 from queue_tasks where chain_id = $1', [chainId])).length;
}
