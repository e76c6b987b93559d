import assert from 'node:assert/strict';
import test, { after, beforeEach } from 'node:test';
import { Registry } from 'prom-client';
import { createDeliveryMetrics } from '../../../src/deliveries/metrics.ts';
import { renewLeasesOf } from '../../../src/deliveries/chain-queries.ts';
import { claimHeads } from '../../../src/deliveries/claim-lanes.ts';
import { type Sender, startSender } from '../../../src/deliveries/deliver.ts';
import { createPacer } from '../../../src/deliveries/pacer.ts';
import { planDeliveries } from '../../../src/deliveries/plan-deliveries.ts';
import { recordAttempts } from '../../../src/deliveries/record-attempts.ts';
import { sendDelivery } from '../../../src/deliveries/send-delivery.ts';
import { publishBatch } from '../../../src/events/publish-events.ts';
import { createGuard } from '../../../src/kernel/outbound/addresses.ts';
import { createOutbound } from '../../../src/kernel/outbound/outbound.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import { createLog } from '../../../src/kernel/monitoring/log.ts';
import { createSecrets } from '../../../src/webhooks/index.ts';
import { makeChain, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { isCluster } from '../../support/database.ts';
import { makePlatformWebhook } from '../../support/platform-webhooks.ts';
import { type Receiver, useReceivers } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import {
  changeOrder,
  getDelivery,
  makeRetriesDue,
  orderStatuses,
  setWebhook,
  waitForDeliveries,
} from '../../support/webhooks.ts';

// The role has no sender, so the test starts one that works chain by chain, as on a distributed database.
const aisle = await useOwnAisle({}, 'api');
const { db } = aisle;
const newReceiver = useReceivers();
const outbound = createOutbound({ guard: createGuard([{ address: '127.0.0.0', prefix: 8 }]), responseBytes: 1024 });
const log = createLog('silent');
const chainIds = new Set<string>();
const sending = { outbound, secrets: createSecrets([Buffer.alloc(32, 'k')]), userAgent: 'Aisle/test' };
const sender: Sender = startSender({
  ...sending,
  db: db.withoutTimeout,
  log,
  metrics: createDeliveryMetrics(new Registry(), db),
  slots: 64,
  slotsPerEndpoint: 8,
  chains: {
    list: async () => [...chainIds],
    isAway: () => false,
    collect: (list) => list(null),
    databaseOf: () => db,
  },
});
after(async () => {
  await sender.drain();
  outbound.close();
});

let chain: TestChain;
let receiver: Receiver;
beforeEach(async () => {
  chain = await makeChain(aisle, { vendors: 8 });
  receiver = await newReceiver();
});

/** Publishes the chain's events and wakes the sender. */
async function publish(): Promise<void> {
  await publishBatch(db, [planDeliveries], chain.chainId);
  sender.wake([chain.chainId]);
}

async function countLanes(): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int as count from delivery_lanes where chain_id = $1',
    [chain.chainId],
  );
  return rows[0]?.count ?? 0;
}

test('the messages of each order arrive in sequence, once, and their attempts are recorded', async () => {
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const orders: string[] = [];
  for (let count = 0; count < 40; count++) orders.push(await changeOrder(aisle, chain));
  for (const [index, status] of orderStatuses.slice(1).entries()) {
    for (const orderId of orders) await changeOrder(aisle, chain, { orderId, status, revision: index + 2 });
  }
  await publish();
  const messages = await receiver.waitFor(160, 30);
  await waitFor('empty lanes', async () => (await countLanes()) === 0);
  assert.equal(receiver.received.length, 160);
  for (const orderId of orders) {
    const own = messages.filter(({ body }) => body.order_id === orderId);
    assert.deepEqual(
      own.map(({ body }) => body.status),
      orderStatuses,
    );
  }
  const statuses = orderStatuses.map(() => 'DELIVERED');
  const deliveries = await waitForDeliveries(aisle, chain, orders[7] ?? '', ...statuses);
  const { attempts } = await getDelivery(aisle, chain, deliveries[0].delivery_id);
  assert.deepEqual(
    attempts.map((one: Record<string, unknown>) => [one['attempt_no'], one['outcome'], one['http_status']]),
    [[1, 'success', 200]],
  );
});

test('a failed message is retried before the next one of its order is sent', async () => {
  await setWebhook(aisle, chain, { production_url: receiver.url });
  receiver.respondWith((response) => void response.writeHead(500).end());
  const orderId = await changeOrder(aisle, chain);
  await changeOrder(aisle, chain, { orderId, status: 'CANCELLED', revision: 2 });
  await publish();
  const [failed] = await waitForDeliveries(aisle, chain, orderId, 'FAILED', 'PENDING');
  const { attempts, next_attempt_at } = await getDelivery(aisle, chain, failed.delivery_id);
  assert.equal(attempts.length, 1);
  assert.ok(new Date(next_attempt_at).getTime() > Date.now());
  receiver.respondWith((response) => response.end());
  await makeRetriesDue(aisle);
  sender.wake([chain.chainId]);
  await waitForDeliveries(aisle, chain, orderId, 'DELIVERED', 'DELIVERED');
  assert.deepEqual(
    receiver.received.map(({ body }) => body.status),
    ['RECEIVED', 'RECEIVED', 'CANCELLED'],
  );
});

test('webhooks of the chain, of a store and of the platform get their messages', async () => {
  const [own, platform] = [await newReceiver(), await newReceiver()];
  const { webhook_id } = await makePlatformWebhook(aisle, platform.url, ['order.received']);
  await setWebhook(aisle, chain, { production_url: receiver.url });
  await setWebhook(aisle, chain, { production_url: own.url }, chain.vendors[1]);
  const [first, second] = [
    await changeOrder(aisle, chain),
    await changeOrder(aisle, chain, { vendor: chain.vendors[1] }),
  ];
  await publish();
  await platform.waitFor(2);
  assert.deepEqual(
    (await receiver.waitFor(1)).map(({ body }) => body.order_id),
    [first],
  );
  assert.deepEqual(
    (await own.waitFor(1)).map(({ body }) => body.order_id),
    [second],
  );
  assert.deepEqual(new Set(platform.received.map(({ body }) => body.order_id)), new Set([first, second]));
  const { status } = await aisle.call('DELETE', `/platform/v1/webhooks/${webhook_id}`, { token: aisle.platformToken });
  assert.equal(status, 200);
});

test('a chain with many webhooks has its messages sent to each', async () => {
  const receivers: Receiver[] = [];
  for (const vendor of chain.vendors) {
    const own = await newReceiver();
    receivers.push(own);
    await setWebhook(aisle, chain, { production_url: own.url }, vendor);
    for (let count = 0; count < 3; count++) await changeOrder(aisle, chain, { vendor });
  }
  await publish();
  for (const own of receivers) await own.waitFor(3);
  await waitFor('empty lanes', async () => (await countLanes()) === 0);
  assert.deepEqual(
    receivers.map(({ received }) => received.length),
    receivers.map(() => 3),
  );
});

test('a disabled webhook gets nothing, and its messages after it is enabled', async () => {
  await setWebhook(aisle, chain, { production_url: receiver.url });
  await db.query("update endpoints set disabled_at = now(), disabled_reason = 'MANUAL' where chain_id = $1", [
    chain.chainId,
  ]);
  const orderId = await changeOrder(aisle, chain);
  await publish();
  const other = await makeChain(aisle);
  const healthy = await newReceiver();
  await setWebhook(aisle, other, { production_url: healthy.url });
  await changeOrder(aisle, other);
  await publishBatch(db, [planDeliveries], other.chainId);
  sender.wake([chain.chainId, other.chainId]);
  await healthy.waitFor(1);
  assert.equal(receiver.received.length, 0);
  const enabled = await aisle.call('POST', `${chain.base}/webhook/enable`, { token: chain.token });
  assert.equal(enabled.status, 200, enabled.text);
  sender.wake([chain.chainId]);
  await waitForDeliveries(aisle, chain, orderId, 'DELIVERED');
});

test('an order with a long backlog does not hide the first messages of other orders', async () => {
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const long = await changeOrder(aisle, chain);
  for (let revision = 2; revision <= 60; revision++) await changeOrder(aisle, chain, { orderId: long, revision });
  const others: string[] = [];
  for (let count = 0; count < 6; count++) others.push(await changeOrder(aisle, chain));
  await publish();
  await receiver.waitFor(66, 60);
  const own = receiver.received.filter(({ body }) => body.order_id === long);
  assert.deepEqual(
    own.map(({ body }) => body.revision),
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
  const lastOther = receiver.received.findLastIndex(({ body }) => body.order_id !== long);
  assert.ok(lastOther < 30, `the last of the other orders was message ${lastOther}`);
});

test('only the leases that a sender still holds are renewed', async () => {
  const [held, lost, released] = [newId(), newId(), newId()];
  await db.query(
    `insert into delivery_lanes (chain_id, lane_id, endpoint_id, due_at, claim, is_leased)
     select $1, lane_id, $1, now() + interval '20 seconds', 7, lane_id <> $3 from unnest($2::uuid[]) as given (lane_id)`,
    [chain.chainId, [held, lost, released], released],
  );
  const claims = { [held]: '7', [lost]: '6', [released]: '7' };
  const lanes = Object.entries(claims).map(([lane_id, claim]) => ({
    chain_id: chain.chainId,
    lane_id,
    endpoint_id: chain.chainId,
    claim,
  }));
  await renewLeasesOf(db, chain.chainId, lanes, 60);
  const renewed = await db.query<{ lane_id: string }>(
    "select lane_id from delivery_lanes where chain_id = $1 and due_at > now() + interval '30 seconds'",
    [chain.chainId],
  );
  assert.deepEqual(renewed, [{ lane_id: held }]);
});

for (const isByChain of isCluster ? [true] : [true, false]) {
  test(`an attempt is written once if the response to COMMIT was lost, ${isByChain ? 'in a chain' : 'in all chains'}`, async () => {
    receiver.respondWith((response) => void response.writeHead(500).end());
    await setWebhook(aisle, chain, { production_url: receiver.url });
    await changeOrder(aisle, chain);
    await publishBatch(db, [planDeliveries], chain.chainId);
    const scope = isByChain ? chain.chainId : null;
    const request = { ...createPacer(4, 4, 0).share(), afterChain: chain.chainId, leaseSeconds: 60 };
    const { heads } = await claimHeads(db, scope, 'many', request);
    const finished = await Promise.all(heads.map((head) => sendDelivery(sending, head)));
    assert.equal(finished.length, 1);
    for (let tries = 0; tries < 2; tries++) await recordAttempts(db, scope, finished);
    const attempts = await db.query('select 1 from delivery_attempts where chain_id = $1', [chain.chainId]);
    assert.equal(attempts.length, 1);
  });
}
