import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { exampleSnapshot } from '@aisle/contract/order';
import { Webhook } from 'standardwebhooks';
import { recordEvent } from '../../../src/events/index.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import { makeChain, useAisle, type TestChain } from '../../support/aisle.ts';
import { addProducts, plainProducts, runUpdate } from '../../support/catalog.ts';
import { type Receiver, useReceivers } from '../../support/receiver.ts';
import {
  changeOrder,
  deliveriesOf,
  getDelivery,
  makeRetriesDue,
  orderStatuses,
  orderEvent,
  setWebhook,
  waitForDeliveries,
} from '../../support/webhooks.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
const newReceiver = useReceivers();
let chain: TestChain;
let receiver: Receiver;

beforeEach(async () => {
  chain = await makeChain(aisle);
  receiver = await newReceiver();
});

test('an event is delivered with its exact body, its id, a valid signature and the configured secret', async () => {
  const { signing_secret } = await setWebhook(aisle, chain, {
    production_url: `${receiver.url}/hook?x=1`,
    secret: 'Basic Zm9vOmJhcg==',
  });
  const orderId = await changeOrder(aisle, chain, { order: { comment: 'Größe ½ "x"' } });
  const [message] = await receiver.waitFor(1);
  assert.equal(message?.path, '/hook?x=1');
  assert.equal(message?.text, JSON.stringify({ ...exampleSnapshot, order_id: orderId, comment: 'Größe ½ "x"' }));
  const { headers } = message;
  assert.equal(headers.authorization, 'Basic Zm9vOmJhcg==');
  assert.equal(headers['x-environment'], 'production');
  assert.match(String(headers['user-agent']), /^Aisle\/\d/);
  assert.match(String(headers['content-type']), /^application\/json/);
  assert.deepEqual(new Webhook(signing_secret).verify(message.text, headers as Record<string, string>), message.body);
  const [delivery] = await waitForDeliveries(aisle, chain, orderId, 'DELIVERED');
  assert.equal(headers['webhook-id'], delivery.delivery_id);
  const { attempts } = await getDelivery(aisle, chain, delivery.delivery_id);
  assert.deepEqual(
    attempts.map((one: Record<string, unknown>) => [
      one['attempt_no'],
      one['outcome'],
      one['http_status'],
      one['environment'],
      one['url'],
    ]),
    [[1, 'success', 200, 'production', `${receiver.url}/hook`]],
  );
});

test('messages are signed with both secrets until the old one expires', async () => {
  const { signing_secret: first } = await setWebhook(aisle, chain, { production_url: receiver.url });
  const rotated = await aisle.call('POST', `${chain.base}/webhook/rotate-secret`, { token: chain.token });
  const second = rotated.body.signing_secret;
  assert.notEqual(first, second);
  await changeOrder(aisle, chain);
  const [message] = await receiver.waitFor(1);
  for (const secret of [first, second]) {
    new Webhook(secret).verify(String(message?.text), message?.headers as Record<string, string>);
  }
  await aisle.db.query("update webhooks set previous_signing_until = now() - interval '1 second' where chain_id = $1", [
    chain.chainId,
  ]);
  await changeOrder(aisle, chain);
  const [, later] = await receiver.waitFor(2);
  const verify = (secret: string) =>
    new Webhook(secret).verify(String(later?.text), later?.headers as Record<string, string>);
  verify(second);
  assert.throws(() => verify(first), /No matching signature/);
});

test("an order's events arrive in sequence, even if the first one fails several times", async () => {
  await setWebhook(aisle, chain, { production_url: receiver.url });
  let failures = 3;
  receiver.respondWith((response, { body }) => {
    const isFailing = body.revision === 1 && failures-- > 0;
    response.writeHead(isFailing ? 500 : 200).end();
  });
  const orderId = await changeOrder(aisle, chain, { status: 'RECEIVED', revision: 1 });
  for (const [index, status] of orderStatuses.slice(1).entries())
    await changeOrder(aisle, chain, { orderId, status, revision: index + 2 });
  for (let tries = 1; tries <= 3; tries++) {
    await waitFor(
      `attempt ${tries}`,
      async () => (await deliveriesOf(aisle, chain, orderId))[0]?.attempt_count === tries,
    );
    await waitForDeliveries(aisle, chain, orderId, 'FAILED', 'PENDING', 'PENDING', 'PENDING');
    await makeRetriesDue(aisle);
  }
  const messages = await receiver.waitFor(7);
  assert.deepEqual(
    messages.map(({ body }) => body.revision),
    [1, 1, 1, 1, 2, 3, 4],
  );
  const ids = messages.slice(0, 4).map(({ headers, text }) => `${String(headers['webhook-id'])} ${text}`);
  assert.equal(new Set(ids).size, 1, 'a retry has the same id and bytes');
  await waitForDeliveries(aisle, chain, orderId, 'DELIVERED', 'DELIVERED', 'DELIVERED', 'DELIVERED');
});

test('failing deliveries for one order do not delay those for another order', async () => {
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const stuck = await changeOrder(aisle, chain);
  receiver.respondWith((response, { body }) => void response.writeHead(body.order_id === stuck ? 503 : 200).end());
  await changeOrder(aisle, chain, { orderId: stuck, status: 'CANCELLED', revision: 2 });
  const other = await changeOrder(aisle, chain);
  await waitForDeliveries(aisle, chain, other, 'DELIVERED');
});

test('a change that was rolled back is never delivered', async () => {
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const rolledBack = aisle.db.transaction(async (tx) => {
    const orderId = newId();
    recordEvent(tx, chain.chainId, {
      ...orderEvent({ orderId }),
      vendorId: String(chain.vendors[0]),
      about: { orderId },
    });
    throw new Error('rollback');
  });
  await assert.rejects(rolledBack, /rollback/);
  const kept = await changeOrder(aisle, chain);
  await waitForDeliveries(aisle, chain, kept, 'DELIVERED');
  assert.deepEqual(
    receiver.received.map(({ body }) => body.order_id),
    [kept],
  );
});

test("events go to the vendor's webhook if it has one, otherwise to the chain's", async () => {
  const own = await newReceiver();
  await setWebhook(aisle, chain, { production_url: receiver.url });
  await setWebhook(aisle, chain, { environment: 'staging', staging_url: own.url }, chain.vendors[1]);
  const first = await changeOrder(aisle, chain, { vendor: chain.vendors[0] });
  const second = await changeOrder(aisle, chain, { vendor: chain.vendors[1] });
  await waitForDeliveries(aisle, chain, first, 'DELIVERED');
  await waitForDeliveries(aisle, chain, second, 'DELIVERED');
  assert.deepEqual(
    [receiver, own].map(({ received }) => received.map(({ body }) => body.order_id)),
    [[first], [second]],
  );
  assert.equal(own.received[0]?.headers['x-environment'], 'staging');
});

test('catalog events go to the catalog URL, and disabling that URL does not affect order events', async () => {
  const catalog = await newReceiver();
  catalog.respondWith((response) => void response.writeHead(410).end());
  await setWebhook(aisle, chain, { production_url: receiver.url, production_catalog_url: catalog.url });
  await addProducts(aisle, chain, plainProducts(2));
  const { job_id } = await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 2 }]);
  const [message] = await catalog.waitFor(1);
  assert.equal(message?.body.job_id, job_id);
  await waitFor(
    'the catalog endpoint to be disabled',
    async () => (await readWebhook()).catalog_disabled_reason === 'GONE',
  );
  assert.equal((await readWebhook()).status, 'ENABLED');
  const order = await changeOrder(aisle, chain);
  await waitForDeliveries(aisle, chain, order, 'DELIVERED');
});

test('a 410 response disables the webhook, and deliveries stay PENDING until it is enabled again', async () => {
  await setWebhook(aisle, chain, { production_url: receiver.url });
  receiver.respondWith((response) => void response.writeHead(410).end());
  const first = await changeOrder(aisle, chain);
  await waitForDeliveries(aisle, chain, first, 'FAILED');
  await waitFor('the webhook to be disabled', async () => (await readWebhook()).disabled_reason === 'GONE');
  const second = await changeOrder(aisle, chain);
  await makeRetriesDue(aisle);
  await waitForDeliveries(aisle, chain, second, 'PENDING');
  assert.equal(receiver.received.length, 1);
  receiver.respondWith((response) => response.end());
  const enabled = await aisle.call('POST', `${chain.base}/webhook/enable`, { token: chain.token });
  assert.equal(enabled.body.status, 'ENABLED');
  await makeRetriesDue(aisle);
  await waitForDeliveries(aisle, chain, first, 'DELIVERED');
  await waitForDeliveries(aisle, chain, second, 'DELIVERED');
});

test('a pending delivery is sent to the URL configured at the time of the attempt', async () => {
  receiver.respondWith((response) => void response.writeHead(500).end());
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const order = await changeOrder(aisle, chain);
  await waitForDeliveries(aisle, chain, order, 'FAILED');
  const next = await newReceiver();
  await setWebhook(aisle, chain, { production_url: next.url });
  await makeRetriesDue(aisle);
  await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  assert.equal(next.received.length, 1);
});

test("a vendor's new webhook takes over the vendor's pending deliveries from the chain's webhook", async () => {
  receiver.respondWith((response) => void response.writeHead(500).end());
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const order = await changeOrder(aisle, chain, { vendor: chain.vendors[1] });
  await waitForDeliveries(aisle, chain, order, 'FAILED');
  const own = await newReceiver();
  await setWebhook(aisle, chain, { production_url: own.url }, chain.vendors[1]);
  await makeRetriesDue(aisle);
  await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  assert.equal(own.received.length, 1);
});

test('deleting a webhook makes its pending deliveries EXHAUSTED', async () => {
  receiver.respondWith((response) => void response.writeHead(500).end());
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const order = await changeOrder(aisle, chain);
  await waitForDeliveries(aisle, chain, order, 'FAILED');
  assert.equal((await aisle.call('DELETE', `${chain.base}/webhook`, { token: chain.token })).status, 200);
  await waitForDeliveries(aisle, chain, order, 'EXHAUSTED');
  const later = await changeOrder(aisle, chain);
  await waitFor('the later event to be published', async () => {
    const rows = await aisle.db.query('select 1 from events where order_id = $1 and position is not null', [later]);
    return rows.length === 1;
  });
  assert.deepEqual(await deliveriesOf(aisle, chain, later), []);
  assert.deepEqual(await aisle.db.query('select 1 from delivery_lanes where chain_id = $1', [chain.chainId]), []);
});

test("a delivery becomes EXHAUSTED after its last attempt, and the order's next delivery is sent", async () => {
  receiver.respondWith((response, { body }) => void response.writeHead(body.revision === 1 ? 500 : 200).end());
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const order = await changeOrder(aisle, chain);
  await waitForDeliveries(aisle, chain, order, 'FAILED');
  await aisle.db.query('update deliveries set tries = 12 where chain_id = $1', [chain.chainId]);
  await changeOrder(aisle, chain, { orderId: order, status: 'CANCELLED', revision: 2 });
  await makeRetriesDue(aisle);
  await waitForDeliveries(aisle, chain, order, 'EXHAUSTED', 'DELIVERED');
});

const responses: [what: string, how: Parameters<Receiver['respondWith']>[0], outcome: string, status: number | null][] =
  [
    [
      'a redirect',
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'redirect',
      302,
    ],
    ['a 404', (response) => void response.writeHead(404).end('no'), 'http_error', 404],
    ['a reset', (response) => void response.destroy(), 'connection_failed', null],
    ['a 204', (response) => void response.writeHead(204).end(), 'success', 204],
    ['an endless body', (response) => sendForever(response), 'success', 200],
  ];
for (const [what, how, outcome, status] of responses) {
  test(`${what} is recorded as ${outcome}, with a limited part of the response`, async () => {
    receiver.respondWith(how);
    await setWebhook(aisle, chain, { production_url: receiver.url });
    const order = await changeOrder(aisle, chain);
    await waitForDeliveries(aisle, chain, order, outcome === 'success' ? 'DELIVERED' : 'FAILED');
    const [found] = await deliveriesOf(aisle, chain, order);
    const { attempts } = await getDelivery(aisle, chain, found.delivery_id);
    assert.deepEqual([attempts[0].outcome, attempts[0].http_status], [outcome, status]);
    const [row] = await aisle.db.query<{ bytes: number }>(
      'select length(answer) as bytes from delivery_attempts where chain_id = $1',
      [chain.chainId],
    );
    assert.ok(Number(row?.bytes) <= 1024);
  });
}

test('if there is no webhook, an event is in the feed but has no delivery', async () => {
  const order = await changeOrder(aisle, chain);
  await waitFor('the event in the feed', async () => {
    const feed = await aisle.call('GET', `${chain.base}/events`, { token: chain.token });
    return feed.body.events.length === 1;
  });
  assert.deepEqual(await deliveriesOf(aisle, chain, order), []);
});

async function readWebhook() {
  return (await aisle.call('GET', `${chain.base}/webhook`, { token: chain.token })).body;
}

function sendForever(response: import('node:http').ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(4096)));
    response.once('drain', more);
  };
  more();
}
