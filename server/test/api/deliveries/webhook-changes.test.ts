import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import test, { beforeEach } from 'node:test';
import { endDeliveries, endTask } from '../../../src/deliveries/pending-deliveries.ts';
import { resendDelivery, resendFailed } from '../../../src/deliveries/resend-deliveries.ts';
import { enqueue } from '../../../src/kernel/background/queue.ts';
import type { Tx } from '../../../src/kernel/database/db.ts';
import { namedLock } from '../../../src/kernel/database/locks.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import { makeChain, useAisle, type TestChain } from '../../support/aisle.ts';
import { holdLocks, isLockAwaited } from '../../support/lock-waits.ts';
import { type Receiver, useReceivers } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { changeOrder, deliveriesOf, makeRetriesDue, setWebhook, untilRecorded } from '../../support/webhooks.ts';

const aisle = await useAisle();
const newReceiver = useReceivers();
let chain: TestChain;
let vendor: string;
let receiver: Receiver;
beforeEach(async () => {
  chain = await makeChain(aisle);
  vendor = String(chain.vendors[0]);
  receiver = await newReceiver();
});

test('deleting a webhook does not wait for its pending deliveries and does not stop publishing', async () => {
  const order = await failFirst();
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = aisle.db.transaction(async (tx) => {
    await tx.query('select 1 from delivery_lanes where chain_id = $1 for update', [chain.chainId]);
    await tx.query('select 1 from deliveries where chain_id = $1 for update', [chain.chainId]);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  await remove('/webhook');
  const other = await makeChain(aisle);
  const elsewhere = await newReceiver();
  await setWebhook(aisle, other, { production_url: elsewhere.url });
  await changeOrder(aisle, other);
  await elsewhere.waitFor(1, 60);
  release.resolve();
  await holding;
  await waitForStatuses(order, 'EXHAUSTED');
});

test('deliveries of a deleted webhook are not sent, even before they are EXHAUSTED', async () => {
  const order = await failFirst();
  const resume = await holdTasks();
  await remove('/webhook');
  await makeRetriesDue(aisle);
  const next = await newReceiver();
  await setWebhook(aisle, chain, { production_url: next.url });
  await changeOrder(aisle, chain, { orderId: order, status: 'CANCELLED', revision: 2 });
  const later = await changeOrder(aisle, chain);
  await next.waitFor(1, 60);
  await waitForStatuses(later, 'DELIVERED');
  await waitForStatuses(order, 'FAILED', 'PENDING');
  await resume();
  await waitForStatuses(order, 'EXHAUSTED', 'DELIVERED');
  assert.equal(receiver.received.length, 1);
  assert.deepEqual(revisionsOf(next, order), [2]);
  await waitForLanes(0);
});

test("the chain's webhook gets an order's new events, and not those of the deleted store webhook", async () => {
  const fallback = await newReceiver();
  await setWebhook(aisle, chain, { production_url: fallback.url });
  const order = await failFirst(vendor);
  const resume = await holdTasks();
  await remove(`/vendors/${vendor}/webhook`);
  await changeOrder(aisle, chain, { orderId: order, status: 'CANCELLED', revision: 2 });
  await waitForStatuses(order, 'FAILED', 'PENDING');
  await resume();
  await waitForStatuses(order, 'EXHAUSTED', 'DELIVERED');
  assert.deepEqual(revisionsOf(fallback, order), [2]);
});

test("a store's new webhook gets its pending deliveries before the order's newer ones, and the chain's gets none", async () => {
  const order = await failFirst();
  const resume = await holdTasks();
  const own = await newReceiver();
  await setWebhook(aisle, chain, { production_url: own.url }, vendor);
  receiver.respondWith((response) => response.end());
  await changeOrder(aisle, chain, { orderId: order, status: 'CANCELLED', revision: 2 });
  await waitForStatuses(order, 'FAILED', 'PENDING');
  const claims = await countClaims(order);
  await makeRetriesDue(aisle);
  await waitFor('senders to try the lane twice', async () => (await countClaims(order)) >= claims + 2, 60);
  await waitForStatuses(order, 'FAILED', 'PENDING');
  await resume();
  await waitForStatuses(order, 'DELIVERED', 'DELIVERED');
  assert.deepEqual(revisionsOf(own, order), [1, 2]);
  assert.equal(receiver.received.length, 1);
});

test("a store's new webhook keeps the pending deliveries if the chain's webhook is deleted right after", async () => {
  const order = await failFirst();
  const resume = await holdTasks();
  const own = await newReceiver();
  await setWebhook(aisle, chain, { production_url: own.url }, vendor);
  await remove('/webhook');
  await changeOrder(aisle, chain, { orderId: order, status: 'CANCELLED', revision: 2 });
  await waitForStatuses(order, 'FAILED', 'PENDING');
  await resume();
  await waitFor('the lane to be moved', async () => (await countTasks()) === 0, 60);
  await makeRetriesDue(aisle);
  await waitForStatuses(order, 'DELIVERED', 'DELIVERED');
  assert.deepEqual(revisionsOf(own, order), [1, 2]);
});

test("pending deliveries stay with the chain's webhook if the store's new webhook is deleted right after", async () => {
  const order = await failFirst();
  const resume = await holdTasks();
  const own = await newReceiver();
  await setWebhook(aisle, chain, { production_url: own.url }, vendor);
  await changeOrder(aisle, chain, { orderId: order, status: 'READY_FOR_PICKUP', revision: 2 });
  await waitForStatuses(order, 'FAILED', 'PENDING');
  await remove(`/vendors/${vendor}/webhook`);
  await changeOrder(aisle, chain, { orderId: order, status: 'CANCELLED', revision: 3 });
  receiver.respondWith((response) => response.end());
  await resume();
  await waitFor('the tasks to finish', async () => (await countTasks()) === 0, 60);
  await makeRetriesDue(aisle);
  await waitForStatuses(order, 'DELIVERED', 'EXHAUSTED', 'DELIVERED');
  assert.deepEqual(revisionsOf(receiver, order), [1, 1, 3]);
  assert.equal(own.received.length, 0);
});

test('a delivery of a deleted webhook that is resent before it is EXHAUSTED goes to the remaining webhook', async () => {
  const fallback = await newReceiver();
  await setWebhook(aisle, chain, { production_url: fallback.url });
  const order = await failFirst(vendor);
  const resume = await holdTasks();
  await remove(`/vendors/${vendor}/webhook`);
  const [delivery] = await deliveriesOf(aisle, chain, order);
  const path = `${chain.base}/deliveries/${delivery.delivery_id}/resend`;
  assert.equal((await aisle.call('POST', path, { token: chain.token })).status, 202);
  await waitForStatuses(order, 'DELIVERED');
  assert.deepEqual(revisionsOf(fallback, order), [1]);
  await resume();
});

test('a delivery that is being resent when its store gets a webhook is sent', async () => {
  const { order, id } = await deliverFirst();
  const own = await newReceiver();
  const { saving } = await aisle.db.transaction(async (tx) => {
    await resendDelivery(tx, chain.chainId, { vendorIds: null, types: null }, id);
    const saving = setWebhook(aisle, chain, { production_url: own.url }, vendor);
    const moved = saving.then(() => waitFor('the tasks to finish', async () => (await countTasks()) === 0));
    await Promise.race([moved, waitFor('the webhook to wait', isRowAwaited).catch(() => moved)]);
    return { saving };
  });
  await saving;
  // To the chain's webhook, if a sender was quicker than the one who saves the other.
  await waitFor('the message', () => receiver.received.length + own.received.length === 2);
  await waitForStatuses(order, 'DELIVERED');
});

test('one that is resent while the webhook of its store is being saved is sent to that webhook', async () => {
  const { order, id } = await deliverFirst();
  const own = await newReceiver();
  const release = await holdLocks(aisle.db, `select pg_advisory_xact_lock(${namedLock('lane')})`, [queueLane()]);
  const saving = setWebhook(aisle, chain, { production_url: own.url }, vendor);
  await waitFor('the webhook to wait', () => isLockAwaited(aisle.db, 'advisory'));
  const resending = aisle.call('POST', `${chain.base}/deliveries/${id}/resend`, { token: chain.token });
  await waitFor('the resend to wait', isRowAwaited);
  await release();
  await saving;
  assert.equal((await resending).status, 202);
  await own.waitFor(1, 10);
  await waitForStatuses(order, 'DELIVERED');
});

test('the result of an attempt that outlasts its webhook does not count for the next messages about the order', async () => {
  const first = holdFirst(receiver, 500);
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const order = await changeOrder(aisle, chain);
  await receiver.waitFor(1);
  await remove('/webhook');
  await waitForLanes(0);
  const next = await newReceiver();
  const second = holdFirst(next, 200);
  await setWebhook(aisle, chain, { production_url: next.url });
  await changeOrder(aisle, chain, { orderId: order, status: 'READY_FOR_PICKUP', revision: 2 });
  await next.waitFor(1);
  await first.release();
  await untilRecorded(aisle, (await newReceiver()).url);
  await second.release();
  await changeOrder(aisle, chain, { orderId: order, status: 'DISPATCHED', revision: 3 });
  await waitForStatuses(order, 'EXHAUSTED', 'DELIVERED', 'DELIVERED');
  assert.deepEqual(revisionsOf(next, order), [2, 3]);
});

test('ending deliveries continues where it was interrupted, and a slice reads only its own deliveries', async () => {
  const order = await failFirst();
  const endpoint = await seed(order, 3000, 'FAILED');
  const resume = await holdTasks();
  await remove('/webhook');
  const payload = { endpoint_id: endpoint, position: '0' };
  let next = await aisle.db.transaction((tx) => endDeliveries(tx, chain.chainId, payload));
  assert.ok(next !== 'done');
  assert.equal(await countDeliveries('EXHAUSTED'), 500);
  const again = next.again;
  const interrupted = aisle.db.transaction(async (tx) => {
    await preferIndexes(tx);
    const read = await countRowsRead(tx);
    await endDeliveries(tx, chain.chainId, again);
    assertAtMost((await countRowsRead(tx)) - read, 2500);
    throw new Error('killed');
  });
  await assert.rejects(interrupted, /killed/);
  assert.equal(await countDeliveries('EXHAUSTED'), 500);
  await resume();
  await waitFor('all deliveries to end', async () => (await countDeliveries('EXHAUSTED')) === 3001, 60);
  await waitForLanes(0);
});

test('a slice of resend-failed reads only the deliveries that it resends', async () => {
  const order = await failFirst();
  await aisle.call('POST', `${chain.base}/webhook/disable`, { token: chain.token });
  await seed(order, 3000, 'EXHAUSTED');
  const before = new Date(Date.now() + 60_000).toISOString();
  const payload = { vendor_ids: null, types: null, since: '2020-01-01T00:00:00Z', before };
  const next = await aisle.db.transaction((tx) => resendFailed(tx, chain.chainId, payload));
  assert.ok(next !== 'done');
  await aisle.db.transaction(async (tx) => {
    await preferIndexes(tx);
    const read = await countRowsRead(tx);
    await resendFailed(tx, chain.chainId, next.again);
    assertAtMost((await countRowsRead(tx)) - read, 2500);
  });
  assert.equal(await countDeliveries('PENDING'), 1000);
});

/** Holds the response to the first message until it is released. All others get 200. */
function holdFirst({ respondWith }: Receiver, status: number): { release(): Promise<void> } {
  let first: ServerResponse | undefined;
  respondWith((response) => {
    if (first) response.end();
    else first = response;
  });
  return {
    async release() {
      const ended = once(first ?? assert.fail('no message has arrived'), 'close');
      first?.writeHead(status).end();
      await ended;
    },
  };
}

/** Sets a webhook, sends an order's first event to it and lets the attempt fail. The next one is hours away. */
async function failFirst(ofVendor?: string): Promise<string> {
  receiver.respondWith((response) => void response.writeHead(500).end());
  await setWebhook(aisle, chain, { production_url: receiver.url }, ofVendor);
  const order = await changeOrder(aisle, chain);
  await waitForStatuses(order, 'FAILED');
  await aisle.db.query(
    "update delivery_lanes set due_at = now() + interval '3 hours' where chain_id = $1 and not is_leased",
    [chain.chainId],
  );
  return order;
}

/** Sets the chain's webhook, and sends an order's first event to it. */
async function deliverFirst(): Promise<{ order: string; id: string }> {
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const order = await changeOrder(aisle, chain);
  await waitForStatuses(order, 'DELIVERED');
  const [{ delivery_id: id }] = await deliveriesOf(aisle, chain, order);
  return { order, id };
}

function isRowAwaited(): Promise<boolean> {
  return isLockAwaited(aisle.db, 'transactionid');
}

/** Adds deliveries like those of this order, each for an order of its own. Returns their endpoint. */
async function seed(order: string, count: number, status: 'FAILED' | 'EXHAUSTED'): Promise<string> {
  const { chainId } = chain;
  await aisle.db.transaction(async (tx) => {
    await tx.query(
      `insert into events (chain_id, event_id, type, vendor_id, order_id, body, position)
       select chain_id, gen_random_uuid(), type, vendor_id, gen_random_uuid(), body, nextval('event_positions')
       from events, generate_series(1, $3::int) where chain_id = $1 and order_id = $2`,
      [chainId, order, count],
    );
    await tx.query(
      `insert into deliveries (chain_id, delivery_id, endpoint_id, type, vendor_id, order_id, lane_id, position, status, created_at)
       select e.chain_id, e.event_id, d.endpoint_id, e.type, e.vendor_id, e.order_id, e.order_id, e.position, $3, e.created_at
       from events e join deliveries d on d.chain_id = e.chain_id and d.order_id = $2
       where e.chain_id = $1 and e.order_id <> $2`,
      [chainId, order, status],
    );
    if (status !== 'FAILED') return;
    await tx.query(
      `insert into delivery_lanes (chain_id, lane_id, endpoint_id, due_at)
       select chain_id, lane_id, endpoint_id, now() + interval '3 hours' from deliveries
       where chain_id = $1 and order_id <> $2`,
      [chainId, order],
    );
  });
  for (const table of ['events', 'deliveries', 'delivery_lanes']) await aisle.db.query(`analyze ${table}`);
  const rows = await aisle.db.query<{ endpoint_id: string }>('select endpoint_id from deliveries where order_id = $1', [
    order,
  ]);
  return String(rows[0]?.endpoint_id);
}

/** Makes the chain's tasks for pending deliveries wait until the returned function is called. */
async function holdTasks(): Promise<() => Promise<void>> {
  const payload = { endpoint_id: newId(), position: '0' };
  const task = { chainId: chain.chainId, lane: queueLane(), batch: newId(), payload, afterSeconds: 3600 };
  await aisle.db.transaction((tx) => enqueue(tx, endTask, [task]));
  return async () => {
    await aisle.db.query("update queue_tasks set run_at = now() where lane = $1 and run_at < 'infinity'", [
      queueLane(),
    ]);
  };
}

async function countTasks(): Promise<number> {
  return (await aisle.db.query('select 1 from queue_tasks where lane = $1', [queueLane()])).length;
}

function queueLane(): string {
  return `pending deliveries ${chain.chainId}`;
}

/** Tests have so few rows that PostgreSQL would rather read the whole table. */
async function preferIndexes(tx: Tx): Promise<void> {
  await tx.query('set local enable_seqscan = off');
  await tx.query('set local enable_hashjoin = off');
  await tx.query('set local enable_mergejoin = off');
}

function assertAtMost(count: number, max: number): void {
  assert.ok(count <= max, `${count} is more than ${max}`);
}

/** How many rows of `deliveries` this connection has read, including earlier transactions of the last second. */
async function countRowsRead(tx: Tx): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as count from pg_stat_xact_user_tables
     where relname = 'deliveries'`,
  );
  assert.ok(rows[0]);
  return rows[0].count;
}

async function countDeliveries(status: string): Promise<number> {
  const rows = await aisle.db.query('select 1 from deliveries where chain_id = $1 and status = $2', [
    chain.chainId,
    status,
  ]);
  return rows.length;
}

async function countClaims(order: string): Promise<number> {
  const rows = await aisle.db.query<{ claim: string }>('select claim from delivery_lanes where lane_id = $1', [order]);
  return Number(rows[0]?.claim);
}

async function waitForLanes(count: number): Promise<void> {
  const read = () => aisle.db.query('select 1 from delivery_lanes where chain_id = $1', [chain.chainId]);
  await waitFor(`${count} lanes`, async () => (await read()).length === count, 60);
}

async function waitForStatuses(order: string, ...statuses: string[]): Promise<void> {
  const read = async () => (await deliveriesOf(aisle, chain, order)).map(({ status }) => status).join();
  await waitFor(`the statuses ${statuses.join()}`, async () => (await read()) === statuses.join(), 60);
}

function revisionsOf({ received }: Receiver, order: string): number[] {
  return received.filter(({ body }) => body.order_id === order).map(({ body }) => body.revision);
}

async function remove(path: string): Promise<void> {
  const response = await aisle.call('DELETE', `${chain.base}${path}`, { token: chain.token });
  assert.equal(response.status, 200, response.text);
}
