import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test, { beforeEach } from 'node:test';
import { exampleAlert } from '@aisle/contract/alerts';
import { readConfig } from '../../../src/config.ts';
import { deliveryChores } from '../../../src/deliveries/chores.ts';
import { recordPlatformEvent } from '../../../src/events/index.ts';
import { newId, nilId } from '../../../src/kernel/values/ids.ts';
import { makeChain, type Response, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { runChores } from '../../support/chores.ts';
import { allPicked, placeOrder, putOrder, report } from '../../support/orders.ts';
import { makePlatformWebhook } from '../../support/platform-webhooks.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { type Received, useReceivers } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { deliveriesOf, makeRetriesDue, setWebhook } from '../../support/webhooks.ts';

const aisle = await useOwnAisle();
const token = aisle.platformToken;
const startReceiver = useReceivers();
const path = '/platform/v1/webhooks';
let chain: TestChain;
beforeEach(async () => {
  await aisle.db.query('delete from platform_webhooks');
  chain = await makeStore();
});

async function makeStore(): Promise<TestChain> {
  const made = await makeChain(aisle);
  await addProducts(aisle, made, [{ sku: 'A', title: 'A', price: 10, quantity: 100 }]);
  return made;
}

const place = (of = chain) => placeOrder(aisle, of, [{ sku: 'A', quantity: 1 }]);
const types = ({ headers }: Received) => headers['aisle-event-type'];
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown): Promise<Response> =>
  aisle.call(method, url, { token, ...(body !== undefined && { body }) });

test('each webhook gets its types of events of all chains, signed with its own secret', async () => {
  const [orders, stores] = [await startReceiver(), await startReceiver()];
  const first = await makePlatformWebhook(aisle, orders.url, ['order.received', 'order.cancelled']);
  const second = await makePlatformWebhook(aisle, stores.url, ['store.closed', 'order.received']);
  assert.notEqual(first.signing_secret, second.signing_secret);
  const other = await makeStore();
  const [one, two] = [await place(), await place(other)];
  const ids = (await orders.waitFor(2)).map(({ body }) => body.order_id);
  assert.deepEqual(new Set(ids), new Set([one.order_id, two.order_id]));
  const status = `/platform/v1/chains/${chain.chainId}/vendors/${chain.vendors[0]}/status`;
  await call('PUT', status, { status: 'CLOSED', closed_reason: 'OTHER' });
  const received = await stores.waitFor(3);
  assert.deepEqual(received.map(types), ['order.received', 'order.received', 'store.closed']);
  assert.equal(orders.received.length, 2);
  for (const [message, { signing_secret }] of [
    [orders.received[0], first],
    [received[0], second],
  ] as const) {
    assert.ok(message);
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = message.headers;
    const key = Buffer.from(signing_secret.slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key).update([id, at, message.text].join('.')).digest('base64');
    assert.equal(signature, `v1,${expected}`);
  }
  // The id of a message is that of the event in the feed, for both webhooks.
  const feed = await call('GET', `/platform/v1/events?types=order.received&chain_id=${chain.chainId}`);
  const [{ event_id }] = feed.body.events;
  for (const { received: all } of [orders, stores]) {
    const own = all.find(({ body }) => body.order_id === one.order_id);
    assert.equal(own?.headers['webhook-id'], event_id);
  }
});

test('the events of an order arrive in sequence, also those that the partner does not get', async () => {
  const receiver = await startReceiver();
  await makePlatformWebhook(aisle, receiver.url, ['order.received', 'order.ready_for_pickup', 'order.collected']);
  const order = await placeOrder(aisle, chain, [{ sku: 'A', quantity: 1 }], { order_type: 'PICKUP' });
  await putOrder(aisle, chain, order.order_id, { status: 'READY_FOR_PICKUP', items: allPicked(order) });
  await report(aisle, order.order_id, 'collect');
  const received = await receiver.waitFor(3);
  assert.deepEqual(received.map(types), ['order.received', 'order.ready_for_pickup', 'order.collected']);
});

test('a failed delivery is retried, and can be found and resent', async () => {
  const receiver = await startReceiver();
  receiver.respondWith((response) => response.writeHead(500).end('no'));
  const { webhook_id } = await makePlatformWebhook(aisle, receiver.url, ['order.received']);
  const order = await place();
  const find = async (status: string): Promise<Response['body']> => {
    let found: Response['body'];
    await waitFor(`a delivery that is ${status}`, async () => {
      const url = `${path}/${webhook_id}/deliveries?status=${status}&order_id=${order.order_id}`;
      [found] = (await call('GET', url)).body.deliveries;
      return found !== undefined;
    });
    return found;
  };
  const failed = await find('FAILED');
  assert.deepEqual([failed.chain_id, failed.webhook_id], [chain.chainId, webhook_id]);
  await waitFor('the webhook to be failing', async () => {
    return (await call('GET', `${path}/${webhook_id}`)).body.failing_since !== null;
  });
  receiver.respondWith((response) => response.end());
  await makeRetriesDue(aisle);
  await find('DELIVERED');
  assert.equal((await call('GET', `${path}/${webhook_id}`)).body.failing_since, null);
  const one = `/platform/v1/chains/${chain.chainId}/deliveries/${failed.delivery_id}`;
  const details = await call('GET', one);
  assert.deepEqual(
    details.body.attempts.map((attempt: Response['body']) => attempt.outcome),
    ['http_error', 'success'],
  );
  assert.equal(details.body.body.order_id, order.order_id);
  assert.equal((await call('POST', `${one}/resend`)).status, 202);
  const [, , third] = await receiver.waitFor(3);
  assert.equal(third?.headers['webhook-id'], failed.event_id);
  const elsewhere = await makeChain(aisle);
  assertProblem(await call('GET', one.replace(chain.chainId, elsewhere.chainId)), 'delivery_not_found');
});

test('all failed deliveries of all chains are resent together', async () => {
  const receiver = await startReceiver();
  const { webhook_id } = await makePlatformWebhook(aisle, receiver.url, ['order.received']);
  const other = await makeStore();
  for (const owner of [chain, other]) await place(owner);
  await receiver.waitFor(2);
  const url = `${path}/${webhook_id}/deliveries`;
  await waitFor('delivered', async () => (await call('GET', `${url}?status=DELIVERED`)).body.total_items === 2);
  await aisle.db.query("update deliveries set status = 'EXHAUSTED' where endpoint_id = $1", [webhook_id]);
  const since = new Date(Date.now() - 60_000).toISOString();
  assert.deepEqual((await call('POST', `${path}/${webhook_id}/resend-failed`, { since })).body, { resent: 2 });
  await receiver.waitFor(4);
  await waitFor('delivered', async () => (await call('GET', `${url}?status=DELIVERED`)).body.total_items === 2);
});

test("partners do not see the platform's deliveries, and both get their own", async () => {
  const [partner, platform] = [await startReceiver(), await startReceiver()];
  await setWebhook(aisle, chain, { production_url: partner.url });
  const { webhook_id } = await makePlatformWebhook(aisle, platform.url, ['order.received']);
  const order = await place();
  await Promise.all([partner.waitFor(1), platform.waitFor(1)]);
  const own = await deliveriesOf(aisle, chain, order.order_id);
  assert.equal(own.length, 1);
  const [theirs] = (await call('GET', `${path}/${webhook_id}/deliveries`)).body.deliveries;
  assert.notEqual(theirs.delivery_id, own[0].delivery_id);
  const hidden = await aisle.call('GET', `${chain.base}/deliveries/${theirs.delivery_id}`, { token: chain.token });
  assertProblem(hidden, 'delivery_not_found');
});

test('a webhook can be changed, disabled, enabled and deleted', async () => {
  const [before, after] = [await startReceiver(), await startReceiver()];
  const { webhook_id } = await makePlatformWebhook(aisle, before.url, ['order.received']);
  const one = `${path}/${webhook_id}`;
  assert.equal((await call('POST', `${one}/disable`)).body.status, 'DISABLED');
  await place();
  const pending = async () => (await call('GET', `${one}/deliveries?status=PENDING`)).body.total_items;
  await waitFor('a pending delivery', async () => (await pending()) === 1);
  const changed = await call('PUT', one, { url: after.url, event_types: ['order.received'], description: 'New' });
  assert.deepEqual([changed.body.url, changed.body.description, changed.body.status], [after.url, 'New', 'DISABLED']);
  assert.equal((await call('POST', `${one}/enable`)).body.status, 'ENABLED');
  await after.waitFor(1);
  assert.equal(before.received.length, 0);
  const { signing_secret } = (await call('POST', `${one}/rotate-secret`)).body;
  assert.match(signing_secret, /^whsec_/);
  after.respondWith((response) => response.writeHead(500).end());
  const order = await place();
  await after.waitFor(2);
  assert.equal((await call('DELETE', one)).status, 200);
  assertProblem(await call('GET', one), 'webhook_not_found');
  await waitFor('the end of the delivery', async () => {
    const rows = await aisle.db.query(
      "select 1 from deliveries where is_platform and order_id = $1 and status = 'EXHAUSTED'",
      [order.order_id],
    );
    return rows.length === 1;
  });
});

test('bad addresses and unknown types are rejected, and there is a maximum number of webhooks', async () => {
  assertInvalid(await call('POST', path, { url: 'ftp://x', event_types: ['order.received'] }), '/url');
  assertInvalid(await call('POST', path, { url: 'https://x.example', event_types: ['order.lost'] }), '/event_types/0');
  for (let count = 0; count < 20; count++) await makePlatformWebhook(aisle, 'https://x.example', ['order.received']);
  const more = await call('POST', path, { url: 'https://x.example', event_types: ['order.received'] });
  assertProblem(more, 'webhook_limit_reached');
  assert.equal((await call('GET', path)).body.webhooks.length, 20);
  assertProblem(await call('GET', `${path}/${newId()}`), 'webhook_not_found');
});

test('a ping is sent once, to one webhook, and concerns no chain', async () => {
  const [receiver, other] = [await startReceiver(), await startReceiver()];
  receiver.respondWith((response) => response.writeHead(500).end('no'));
  const { webhook_id } = await makePlatformWebhook(aisle, receiver.url, ['order.received']);
  await makePlatformWebhook(aisle, other.url, ['order.received']);
  const ping = await call('POST', `${path}/${webhook_id}/ping`);
  assert.equal(ping.status, 202, ping.text);
  const zeros = '00000000-0000-0000-0000-000000000000';
  assert.partialDeepStrictEqual(ping.body, { type: 'webhook.ping', chain_id: zeros, webhook_id, order_id: null });
  const [message] = await receiver.waitFor(1);
  assert.equal(types(message as Received), 'webhook.ping');
  assert.equal(message?.headers['webhook-id'], ping.body.delivery_id);
  const one = `/platform/v1/chains/${zeros}/deliveries/${ping.body.delivery_id}`;
  const statusOf = async () => (await call('GET', one)).body.status;
  await waitFor('the attempt to be recorded', async () => (await statusOf()) === 'EXHAUSTED');
  receiver.respondWith((response) => response.end());
  assert.equal((await call('POST', `${one}/resend`)).status, 202);
  await waitFor('the ping to be delivered', async () => (await statusOf()) === 'DELIVERED');
  const [listed] = (await call('GET', `${path}/${webhook_id}/deliveries`)).body.deliveries;
  assert.equal(listed.delivery_id, ping.body.delivery_id);
  assert.equal(other.received.length, 0);
  await call('POST', `${path}/${webhook_id}/disable`);
  assertProblem(await call('POST', `${path}/${webhook_id}/ping`), 'webhook_disabled');
  assertProblem(await call('POST', `${path}/${newId()}/ping`), 'webhook_not_found');
  // Nothing else of the platform's own chain is part of the API.
  assertProblem(await call('GET', `/platform/v1/chains/${zeros}`), 'chain_not_found');
});

test('a delivery of products ends before its event is deleted, which is sooner than that of other events', async () => {
  const receiver = await startReceiver();
  receiver.respondWith((response) => response.writeHead(500).end('no'));
  await makePlatformWebhook(aisle, receiver.url, ['order.received', 'store.closed']);
  await place();
  const status = `/platform/v1/chains/${chain.chainId}/vendors/${chain.vendors[0]}/status`;
  await call('PUT', status, { status: 'CLOSED', closed_reason: 'OTHER' });
  const read = () =>
    aisle.db.query<{ type: string; status: string }>(
      'select type, status from deliveries where chain_id = $1 and is_platform order by type',
      [chain.chainId],
    );
  await waitFor(
    'two failed deliveries',
    async () => (await read()).filter((one) => one.status === 'FAILED').length === 2,
  );
  await aisle.db.query("update deliveries set created_at = now() - interval '7 days' where chain_id = $1", [
    chain.chainId,
  ]);
  await aisle.db.query(
    "update deliveries set type = 'products.changed' where chain_id = $1 and type = 'store.closed'",
    [chain.chainId],
  );
  await runChores(aisle, deliveryChores(readConfig({})));
  assert.deepEqual(await read(), [
    { type: 'order.received', status: 'FAILED' },
    { type: 'products.changed', status: 'EXHAUSTED' },
  ]);
});

test('if a webhook is deleted, deliveries that concern no chain end too', async () => {
  const receiver = await startReceiver();
  receiver.respondWith((response) => response.writeHead(500).end('no'));
  const { webhook_id } = await makePlatformWebhook(aisle, receiver.url, ['tasks.delayed']);
  const body = { ...exampleAlert, kind: 'TASKS_DELAYED', chain_id: null, vendor_id: null } as const;
  await aisle.db.transaction(async (tx) => {
    recordPlatformEvent(tx, nilId, { type: 'tasks.delayed', vendorId: null, subject: 'tasks', body });
  });
  const statuses = async () =>
    (
      await aisle.db.query<{ status: string }>(
        'select status from deliveries where chain_id = $1 and endpoint_id = $2',
        [nilId, webhook_id],
      )
    ).map(({ status }) => status);
  await waitFor('the delivery to fail', async () => (await statuses())[0] === 'FAILED');
  assert.equal((await call('DELETE', `${path}/${webhook_id}`)).status, 200);
  await waitFor('the delivery to end', async () => (await statuses())[0] === 'EXHAUSTED');
});
