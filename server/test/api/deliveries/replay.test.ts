import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { deliveryChores } from '../../../src/deliveries/chores.ts';
import { lockPublishing, watchPublishing } from '../../../src/events/index.ts';
import { runChores } from '../../support/chores.ts';
import { makeChain, makeToken, useAisle, type TestChain } from '../../support/aisle.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { type Receiver, useReceivers } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import {
  changeOrder,
  deliveriesOf,
  getDelivery,
  makeRetriesDue,
  setWebhook,
  waitForDeliveries,
} from '../../support/webhooks.ts';

const aisle = await useAisle();
const newReceiver = useReceivers();
let chain: TestChain;
let receiver: Receiver;
beforeEach(async () => {
  chain = await makeChain(aisle);
  receiver = await newReceiver();
  await setWebhook(aisle, chain, { production_url: receiver.url });
});

test('a ping is sent once, signed like any message, and listed as a delivery', async () => {
  const ping = await post('/webhook/ping');
  assert.equal(ping.status, 202, ping.text);
  const [message] = await receiver.waitFor(1);
  assert.equal(message?.headers['webhook-id'], ping.body.delivery_id);
  assert.deepEqual([message?.body.type, message?.body.delivery_id], ['webhook.ping', ping.body.delivery_id]);
  await waitFor(
    'the ping to be DELIVERED',
    async () => (await getDelivery(aisle, chain, ping.body.delivery_id)).status === 'DELIVERED',
  );
  receiver.respondWith((response) => void response.writeHead(500).end());
  const failed = await post('/webhook/ping');
  await waitFor(
    'the ping to finish',
    async () => (await getDelivery(aisle, chain, failed.body.delivery_id)).status === 'EXHAUSTED',
  );
});

test('a delivery can be resent while the lock for publishing is held', async () => {
  const order = await changeOrder(aisle, chain);
  const [delivery] = await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  const release = await holdPublishing();
  const again = await post(`/deliveries/${delivery.delivery_id}/resend`);
  assert.equal(again.status, 202, again.text);
  await release();
});

test('requests that hold the lock for publishing one after the other do not keep the publisher out', async () => {
  const release = await holdPublishing();
  await changeOrder(aisle, chain);
  await waitFor('the publisher to wait', async () => (await countWaiting()) === 1, 30);
  const second = holdPublishing();
  await waitFor('the second request to wait', async () => (await countWaiting()) === 2, 30);
  await release();
  await receiver.waitFor(1, 30);
  await (await second)();
});

test('publishing is reported as stuck while an event waits, whichever process should publish it', async () => {
  const isStuck = watchPublishing(aisle.db, 100);
  const release = await holdPublishing();
  await changeOrder(aisle, chain);
  await waitFor('publishing to be stuck', isStuck, 30);
  await release();
  await waitFor('publishing to continue', async () => !(await isStuck()), 30);
});

/** Holds the lock until the returned function is called. */
async function holdPublishing(): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = aisle.db.transaction(async (tx) => {
    await lockPublishing(tx, chain.chainId);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return () => (released.resolve(), holding);
}

async function countWaiting(): Promise<number> {
  const rows = await aisle.db.query<{ count: number }>(
    `select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
  );
  return rows[0]?.count ?? 0;
}

test('a resent delivery has the same id and the same body, and is signed with the current secret', async () => {
  const order = await changeOrder(aisle, chain);
  const [delivery] = await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  const { body: rotated } = await post('/webhook/rotate-secret');
  const again = await post(`/deliveries/${delivery.delivery_id}/resend`);
  assert.deepEqual([again.status, again.body.status], [202, 'PENDING']);
  const [first, second] = await receiver.waitFor(2);
  assert.equal(second?.text, first?.text);
  assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id']);
  const { Webhook } = await import('standardwebhooks');
  new Webhook(rotated.signing_secret).verify(String(second?.text), second?.headers as Record<string, string>);
  await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  const { attempts, attempt_count } = await getDelivery(aisle, chain, delivery.delivery_id);
  assert.deepEqual([attempts.length, attempt_count], [2, 2]);
});

test("a resend does not wait for the order's pending deliveries", async () => {
  const order = await changeOrder(aisle, chain);
  const [delivery] = await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  receiver.respondWith((response, { body }) => void response.writeHead(body.revision === 2 ? 500 : 200).end());
  await changeOrder(aisle, chain, { orderId: order, status: 'CANCELLED', revision: 2 });
  await waitForDeliveries(aisle, chain, order, 'DELIVERED', 'FAILED');
  await post(`/deliveries/${delivery.delivery_id}/resend`);
  await receiver.waitFor(3);
  await waitForDeliveries(aisle, chain, order, 'DELIVERED', 'FAILED');
});

test("resending a pending delivery does not move it ahead of the order's earlier deliveries", async () => {
  receiver.respondWith((response, { body }) => void response.writeHead(body.revision === 1 ? 500 : 200).end());
  const order = await changeOrder(aisle, chain);
  await changeOrder(aisle, chain, { orderId: order, status: 'CANCELLED', revision: 2 });
  const [first, second] = await waitForDeliveries(aisle, chain, order, 'FAILED', 'PENDING');
  await post(`/deliveries/${second.delivery_id}/resend`);
  await waitFor(
    'the second attempt at the first delivery',
    async () => (await getDelivery(aisle, chain, first.delivery_id)).attempt_count === 2,
  );
  assert.ok(receiver.received.every(({ body }) => body.revision === 1));
  receiver.respondWith((response) => response.end());
  await waitForDeliveries(aisle, chain, order, 'FAILED', 'PENDING');
  await post(`/deliveries/${first.delivery_id}/resend`);
  await waitForDeliveries(aisle, chain, order, 'DELIVERED', 'DELIVERED');
});

test('resend-failed resends more deliveries than fit into one step, and none of them twice', async () => {
  const { chainId } = chain;
  const count = 1010;
  const order = await changeOrder(aisle, chain);
  await aisle.db.query(
    `insert into events (chain_id, event_id, type, vendor_id, order_id, body)
     select e.chain_id, gen_random_uuid(), e.type, e.vendor_id, gen_random_uuid(), e.body
     from (select * from events where chain_id = $1 and order_id = $2 limit 1) e, generate_series(2, $3::int)`,
    [chainId, order, count],
  );
  await receiver.waitFor(count, 60);
  const countDelivered = async () => {
    const rows = await aisle.db.query<{ count: number }>(
      `select count(*)::int as count from deliveries where chain_id = $1 and status = 'DELIVERED'`,
      [chainId],
    );
    return rows[0]?.count;
  };
  await waitFor('the results to be recorded', async () => (await countDelivered()) === count, 60);
  await aisle.db.query(`update deliveries set status = 'EXHAUSTED' where chain_id = $1`, [chainId]);
  assert.deepEqual((await post('/deliveries/resend-failed', { since: '2020-01-01' })).body, { resent: count });
  await receiver.waitFor(2 * count, 60);
  await waitFor('all deliveries to be DELIVERED', async () => (await countDelivered()) === count, 60);
  assert.equal(receiver.received.length, 2 * count);
});

test('resend-failed resends all deliveries that failed after a given time, in sequence for each order', async () => {
  receiver.respondWith((response) => void response.writeHead(500).end());
  const order = await changeOrder(aisle, chain);
  await changeOrder(aisle, chain, { orderId: order, status: 'READY_FOR_PICKUP', revision: 2 });
  await changeOrder(aisle, chain, { orderId: order, status: 'DISPATCHED', revision: 3 });
  const other = await changeOrder(aisle, chain);
  await waitForDeliveries(aisle, chain, order, 'FAILED', 'PENDING', 'PENDING');
  for (let exhausted = 1; exhausted <= 3; exhausted++) {
    await aisle.db.query('update deliveries set tries = 12 where chain_id = $1', [chain.chainId]);
    await makeRetriesDue(aisle);
    await waitFor(`${exhausted} EXHAUSTED`, async () => {
      await aisle.db.query('update deliveries set tries = 12 where chain_id = $1', [chain.chainId]);
      await makeRetriesDue(aisle);
      return (
        (await deliveriesOf(aisle, chain, order)).filter(({ status }) => status === 'EXHAUSTED').length >= exhausted
      );
    });
  }
  await waitForDeliveries(aisle, chain, other, 'EXHAUSTED');
  receiver.received.length = 0;
  receiver.respondWith((response) => response.end());
  const none = await post('/deliveries/resend-failed', { since: new Date(Date.now() + 60_000).toISOString() });
  assert.deepEqual([none.status, none.body], [202, { resent: 0 }]);
  const response = await post('/deliveries/resend-failed', { since: '2020-01-01' });
  assert.deepEqual(response.body, { resent: 4 });
  await waitForDeliveries(aisle, chain, order, 'DELIVERED', 'DELIVERED', 'DELIVERED');
  await waitForDeliveries(aisle, chain, other, 'DELIVERED');
  const revisions = receiver.received.filter(({ body }) => body.order_id === order).map(({ body }) => body.revision);
  assert.deepEqual(revisions, [1, 2, 3]);
});

test('deliveries are listed newest first and can be filtered by status, order and time', async () => {
  const orders: string[] = [];
  for (let count = 0; count < 3; count++) orders.push(await changeOrder(aisle, chain));
  for (const order of orders) await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  const list = async (query: string) => {
    const { body, status, text } = await aisle.call('GET', `${chain.base}/deliveries${query}`, { token: chain.token });
    assert.equal(status, 200, text);
    return [body.total_items, body.deliveries.map((one: { order_id: string }) => one.order_id)];
  };
  assert.deepEqual(await list(''), [3, orders.toReversed()]);
  assert.deepEqual(await list('?page_size=2&page=2'), [3, [orders[0]]]);
  assert.deepEqual(await list(`?order_id=${orders[1]}`), [1, [orders[1]]]);
  assert.deepEqual(await list('?status=FAILED'), [0, []]);
  assert.deepEqual(await list(`?job_id=${orders[1]}`), [0, []]);
  assert.deepEqual(await list(`?since=${new Date(Date.now() + 1000).toISOString()}`), [0, []]);
  assertInvalid(
    await aisle.call('GET', `${chain.base}/deliveries?status=LOST&since=x`, { token: chain.token }),
    'status',
    'since',
  );
});

test('a token restricted to certain vendors sees and resends only their deliveries', async () => {
  const [mine, others] = chain.vendors;
  const token = await makeToken(aisle, chain.chainId, {
    scopes: ['manage', 'orders:read'],
    vendor_ids: [String(mine)],
  });
  const own = await changeOrder(aisle, chain, { vendor: mine });
  const foreign = await changeOrder(aisle, chain, { vendor: others });
  await waitForDeliveries(aisle, chain, own, 'DELIVERED');
  const [hidden] = await waitForDeliveries(aisle, chain, foreign, 'DELIVERED');
  const listed = await aisle.call('GET', `${chain.base}/deliveries`, { token });
  assert.deepEqual(
    listed.body.deliveries.map((one: { order_id: string }) => one.order_id),
    [own],
  );
  assertProblem(
    await aisle.call('GET', `${chain.base}/deliveries/${hidden.delivery_id}`, { token }),
    'delivery_not_found',
  );
  assertProblem(
    await aisle.call('POST', `${chain.base}/deliveries/${hidden.delivery_id}/resend`, { token }),
    'delivery_not_found',
  );
});

test('a delivery cannot be resent after its webhook was deleted', async () => {
  const order = await changeOrder(aisle, chain);
  const [delivery] = await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  await aisle.call('DELETE', `${chain.base}/webhook`, { token: chain.token });
  assertProblem(await post(`/deliveries/${delivery.delivery_id}/resend`), 'webhook_not_found');
  assertProblem(await post(`/deliveries/${chain.chainId}/resend`), 'delivery_not_found');
});

test('deliveries and attempts are kept for 30 days after their last change', async () => {
  const old = await changeOrder(aisle, chain);
  const kept = await changeOrder(aisle, chain);
  for (const order of [old, kept]) await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  const age = (column: string, order: string) =>
    aisle.db.query(`update deliveries set ${column} = now() - interval '30 days 1 minute' where order_id = $1`, [
      order,
    ]);
  for (const [column, order] of [
    ['created_at', old],
    ['updated_at', old],
    ['created_at', kept],
  ] as const)
    await age(column, order);
  await runChores(aisle, deliveryChores(readConfig({})));
  assert.deepEqual(await deliveriesOf(aisle, chain, old), []);
  assert.equal((await deliveriesOf(aisle, chain, kept)).length, 1);
  const attempts = await aisle.db.query('select 1 from delivery_attempts where chain_id = $1', [chain.chainId]);
  assert.equal(attempts.length, 1);
});

test('a delivery still pending after 30 days becomes EXHAUSTED, and cannot be resent once its event is deleted', async () => {
  receiver.respondWith((response) => void response.writeHead(500).end());
  const order = await changeOrder(aisle, chain);
  const [delivery] = await waitForDeliveries(aisle, chain, order, 'FAILED');
  await aisle.db.query("update deliveries set created_at = now() - interval '30 days' where order_id = $1", [order]);
  await runChores(aisle, deliveryChores(readConfig({})));
  await waitForDeliveries(aisle, chain, order, 'EXHAUSTED');
  assert.deepEqual(await aisle.db.query('select 1 from delivery_lanes where chain_id = $1', [chain.chainId]), []);
  await aisle.db.query('delete from events where order_id = $1', [order]);
  assertProblem(await post(`/deliveries/${delivery.delivery_id}/resend`), 'delivery_not_found');
  assert.deepEqual((await post('/deliveries/resend-failed', { since: '2020-01-01' })).body, { resent: 0 });
});

function post(path: string, body?: unknown) {
  return aisle.call('POST', `${chain.base}${path}`, { token: chain.token, ...(body !== undefined && { body }) });
}
