import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { createSeenIds, type FeedEvent, isApiError, type SeenIds } from '@aisle/sdk';
import { makeChain, type TestChain, useAisle } from '../../support/aisle.ts';
import { clientOf, errorOf, faultyNetwork } from '../../support/sdk.ts';
import { changeOrder, orderStatuses } from '../../support/webhooks.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
let chain: TestChain;
beforeEach(async () => {
  chain = await makeChain(aisle);
});

test('a concurrency that would handle no events is rejected', async () => {
  const client = await clientOf(aisle, chain.token);
  for (const concurrency of [0, -1, 0.5, Number.NaN]) {
    const saved: string[] = [];
    const consuming = client.consumeEvents({
      concurrency,
      handle() {},
      saveCursor: (cursor) => void saved.push(cursor),
      signal: AbortSignal.timeout(2000),
    });
    await assert.rejects(consuming, /concurrency must be a whole number of at least 1/);
    assert.deepEqual(saved, []);
  }
});

test('events are handled in order, and the cursor is saved after they were handled', async () => {
  const orders = await makeOrders(3);
  const log: string[] = [];
  const controller = new AbortController();
  const client = await clientOf(aisle, chain.token);
  await client.consumeEvents({
    limit: 5,
    waitSeconds: 1,
    signal: controller.signal,
    handle: ({ body }) => void log.push(keyOf(body)),
    saveCursor(cursor) {
      log.push(`saved ${cursor}`);
      if (log.filter((one) => !one.startsWith('saved')).length === 12) controller.abort();
    },
  });
  const handled = log.filter((one) => !one.startsWith('saved'));
  assert.deepEqual(
    handled,
    orders.flatMap((order) => orderStatuses.map((status) => `${order} ${status}`)),
  );
  assert.deepEqual(
    log.flatMap((one, index) => (one.startsWith('saved') ? [index] : [])),
    [5, 11, 14],
  );
});

test('a consumer that is killed loses no event, and handles none twice if it remembers the ids', async () => {
  await makeOrders(5);
  const stored: { cursor?: string; ids: SeenIds; handled: string[] } = { ids: createSeenIds(), handled: [] };
  const run = async (crashAfter: number) => {
    let count = 0;
    const client = await clientOf(aisle, chain.token);
    const controller = new AbortController();
    await client.consumeEvents({
      from: stored.cursor,
      limit: 8,
      waitSeconds: 0,
      seen: stored.ids,
      signal: controller.signal,
      handle({ event_id }) {
        if (count++ === crashAfter) throw new Error('killed');
        stored.handled.push(event_id);
      },
      saveCursor(cursor) {
        stored.cursor = cursor;
        if (stored.handled.length === 20) controller.abort();
      },
    });
  };
  for (const crashAfter of [3, 6, 0]) assert.match(String(await errorOf(run(crashAfter))), /killed/);
  await run(Infinity);
  assert.equal(stored.handled.length, 20);
  assert.equal(new Set(stored.handled).size, 20);
});

test('orders are handled at the same time, but the events of an order one after the other', async () => {
  const orders = await makeOrders(4);
  const running = new Set<string>();
  const seen: string[] = [];
  let most = 0;
  const controller = new AbortController();
  const client = await clientOf(aisle, chain.token);
  await client.consumeEvents({
    concurrency: 3,
    waitSeconds: 0,
    signal: controller.signal,
    async handle({ body }) {
      const id = String('order_id' in body && body.order_id);
      assert.ok(!running.has(id), 'another event of the order is being handled');
      running.add(id);
      most = Math.max(most, running.size);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running.delete(id);
      seen.push(keyOf(body));
    },
    saveCursor: () => controller.abort(),
  });
  assert.equal(most, 3);
  for (const order of orders) {
    const own = seen.filter((one) => one.startsWith(order));
    assert.deepEqual(
      own,
      orderStatuses.map((status) => `${order} ${status}`),
    );
  }
});

test('a consumer that starts at the latest event handles only new ones, of the types it wants', async () => {
  await makeOrders(1);
  const cancelled: string[] = [];
  const controller = new AbortController();
  const network = faultyNetwork();
  const client = await clientOf(aisle, chain.token, { fetch: network.fetch });
  const consuming = client.consumeEvents({
    from: 'latest',
    types: ['order.cancelled'],
    signal: controller.signal,
    handle({ body }) {
      assert.equal(body.post_pickup_flag, false);
      cancelled.push(body.order_id);
      controller.abort();
    },
  });
  await waitFor('the first read', () => network.sent.some(({ path }) => path.includes('after=latest')), 30);
  // The reader may not have arrived yet, so there is a new order until it has seen one.
  await waitFor('an event', async () => {
    await changeOrder(aisle, chain);
    await changeOrder(aisle, chain, { status: 'CANCELLED' });
    return cancelled.length > 0;
  });
  await consuming;
  assert.equal(cancelled.length, 1);
});

test('the feed is read again after a temporary failure, and a permanent one is thrown', async () => {
  await makeOrders(1);
  const failures: string[] = [];
  const network = faultyNetwork(undefined, 'not sent', new Response('', { status: 502 }));
  const client = await clientOf(aisle, chain.token, { fetch: network.fetch, retries: 0 });
  const controller = new AbortController();
  await client.consumeEvents({
    waitSeconds: 0,
    signal: controller.signal,
    onRetry: (error) => failures.push(error.name),
    handle: () => controller.abort(),
  });
  assert.deepEqual(failures, ['ConnectionError', 'UnexpectedResponseError']);
  const stranger = await clientOf(aisle, 'aisle_live_wrong', { chainId: chain.chainId });
  assert.ok(isApiError(await errorOf(stranger.consumeEvents({ handle() {} })), 'invalid_token'));
});

test('an event that cannot be handled is tried again or skipped, as the caller decides', async () => {
  await makeOrders(1);
  const attempts: string[] = [];
  const controller = new AbortController();
  const client = await clientOf(aisle, chain.token);
  await client.consumeEvents({
    waitSeconds: 0,
    signal: controller.signal,
    handle({ type }: FeedEvent) {
      attempts.push(type);
      if (type === 'order.dispatched') throw new Error('the till is offline');
    },
    onError: (_error, _event, attempt) => (attempt === 1 ? 'retry' : 'skip'),
    saveCursor: () => controller.abort(),
  });
  assert.deepEqual(attempts, [
    'order.received',
    'order.ready_for_pickup',
    'order.dispatched',
    'order.dispatched',
    'order.delivered',
  ]);
});

test('a consumer that waits to try an event again ends when its signal is aborted', async () => {
  await makeOrders(1);
  const controller = new AbortController();
  const client = await clientOf(aisle, chain.token);
  const cursors: string[] = [];
  await client.consumeEvents({
    waitSeconds: 0,
    signal: controller.signal,
    handle() {
      throw new Error('the till is offline');
    },
    onError() {
      controller.abort();
      return 'retry';
    },
    saveCursor: (cursor) => void cursors.push(cursor),
  });
  assert.deepEqual(cursors, []);
});

/** Records all events of some orders, and waits until they are in the feed. */
async function makeOrders(count: number): Promise<string[]> {
  const orders: string[] = [];
  for (let index = 0; index < count; index++) {
    const orderId = await changeOrder(aisle, chain);
    for (const status of orderStatuses.slice(1)) await changeOrder(aisle, chain, { orderId, status });
    orders.push(orderId);
  }
  const total = count * orderStatuses.length;
  const client = await clientOf(aisle, chain.token);
  await waitFor('the events', async () => (await client.listEvents({ query: { limit: 500 } })).events.length === total);
  return orders;
}

function keyOf(body: FeedEvent['body']): string {
  return 'order_id' in body ? `${body.order_id} ${body.status}` : body.status;
}
