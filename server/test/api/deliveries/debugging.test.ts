import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { makeChain, makeToken, makeUser, type TestChain, useAisle } from '../../support/aisle.ts';
import { type Receiver, unusedUrl, useReceivers } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { changeOrder, getDelivery, setWebhook, waitForDeliveries } from '../../support/webhooks.ts';

const aisle = await useAisle();
const newReceiver = useReceivers();
let chain: TestChain;
let receiver: Receiver;

beforeEach(async () => {
  chain = await makeChain(aisle);
  receiver = await newReceiver();
});

test('an attempt shows the headers that were sent, and hides the secret even if the receiver repeats it', async () => {
  receiver.respondWith((response, { path, headers }) => {
    response.writeHead(500, { 'x-reason': 'boom', 'set-cookie': 'session=1' });
    response.end(`Cannot POST ${path} with ${headers.authorization}`);
  });
  await setWebhook(aisle, chain, { production_url: `${receiver.url}/hook?key=s3cret`, secret: 'Bearer what-you-like' });
  const { attempt, delivery } = await failOnce();
  const [message] = receiver.received;
  const { connection: _c, host: _h, 'content-length': _l, ...sent } = message?.headers ?? {};
  assert.deepEqual(attempt.request_headers, { ...sent, authorization: '[hidden]' });
  assert.equal(delivery.body_text, message?.text);
  assert.equal(attempt.response_body, 'Cannot POST /hook?[hidden] with [hidden]');
  assert.equal(attempt.response_headers['x-reason'], 'boom');
  assert.equal(attempt.response_headers['set-cookie'], '[hidden]');
  assert.deepEqual([attempt.response_body_truncated, attempt.error], [false, null]);
  const { dns_ms, connect_ms, tls_ms, first_byte_ms } = attempt.timings;
  assert.deepEqual([dns_ms, tls_ms, typeof connect_ms, typeof first_byte_ms], [null, null, 'number', 'number']);
  assert.doesNotMatch(JSON.stringify(delivery), /what-you-like|s3cret/);
});

test('the first 4 KB of the response to a failed attempt are kept', async () => {
  receiver.respondWith((response) => void response.writeHead(503).end('é'.repeat(5000)));
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const { attempt } = await failOnce();
  assert.deepEqual([attempt.response_body, attempt.response_body_truncated], ['é'.repeat(2048), true]);
});

test('a connection that is refused is explained', async () => {
  await setWebhook(aisle, chain, { production_url: await unusedUrl() });
  const { attempt } = await failOnce();
  assert.deepEqual(
    [attempt.outcome, attempt.response_headers, attempt.response_body],
    ['connection_failed', null, null],
  );
  assert.match(attempt.error, /ECONNREFUSED/);
});

test('the response is visible only with the scope of the event', async () => {
  receiver.respondWith((response) => void response.writeHead(500).end('details'));
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const { delivery } = await failOnce();
  const path = `${chain.base}/deliveries/${delivery.delivery_id}`;
  const limited = await makeToken(aisle, chain.chainId, { scopes: ['manage', 'catalog:read'] });
  assert.equal((await aisle.call('GET', path, { token: limited })).status, 404);
  const { session } = await makeUser(aisle, chain.chainId, 'VIEWER');
  const seen = await aisle.call('GET', path, { token: session });
  assert.equal(seen.body.attempts[0].response_body, 'details');
});

test('responses that were stored before secrets were removed are not shown', async () => {
  receiver.respondWith((response) => void response.writeHead(500).end('details'));
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const { delivery } = await failOnce();
  await aisle.db.query('update delivery_attempts set signature = null where chain_id = $1', [chain.chainId]);
  const [attempt] = (await getDelivery(aisle, chain, delivery.delivery_id)).attempts;
  assert.deepEqual([attempt.http_status, attempt.request_headers, attempt.response_body], [500, null, null]);
});

test('every message has its event type in a header, and a ping shows its exact body and response', async () => {
  receiver.respondWith((response) => response.end('y'.repeat(1000)));
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const ping = await aisle.call('POST', `${chain.base}/webhook/ping`, { token: chain.token });
  await receiver.waitFor(1);
  await changeOrder(aisle, chain, { status: 'DISPATCHED' });
  const messages = await receiver.waitFor(2);
  assert.deepEqual(
    messages.map(({ headers }) => headers['aisle-event-type']),
    ['webhook.ping', 'order.dispatched'],
  );
  const delivery = await waitForAttempt(ping.body.delivery_id);
  assert.deepEqual([delivery.body, delivery.body_text], [null, messages[0]?.text]);
  assert.equal(delivery.attempts[0].response_body, 'y'.repeat(1000));
});

test('a webhook tells since when it is failing, and that its secret is being rotated', async () => {
  receiver.respondWith((response) => void response.writeHead(500).end());
  const created = await setWebhook(aisle, chain, { production_url: receiver.url });
  assert.deepEqual([created.failing_since, created.catalog_failing_since], [null, null]);
  await failOnce();
  const failing = await readWebhook();
  assert.ok(Date.now() - Date.parse(failing.failing_since) < 60_000);
  assert.deepEqual([failing.catalog_failing_since, failing.status], [null, 'ENABLED']);
  receiver.respondWith((response) => response.end());
  await aisle.call('POST', `${chain.base}/webhook/ping`, { token: chain.token });
  await waitFor('the recovery', async () => (await readWebhook()).failing_since === null);

  const rotated = await aisle.call('POST', `${chain.base}/webhook/rotate-secret`, { token: chain.token });
  const { previous_secret_expires_at: expiry } = rotated.body;
  assert.equal((await readWebhook()).previous_secret_expires_at, expiry);
  await aisle.db.query('update webhooks set previous_signing_until = now() where chain_id = $1', [chain.chainId]);
  assert.equal((await readWebhook()).previous_secret_expires_at, null);
});

test('a delivery that was resent very often returns and keeps only its newest 100 attempts', async () => {
  await setWebhook(aisle, chain, { production_url: await unusedUrl() });
  const { delivery } = await failOnce();
  const { delivery_id: id } = delivery;
  await aisle.db.query(
    `insert into delivery_attempts (chain_id, delivery_id, attempt_no, started_at, duration_ms, outcome, environment, url)
     select chain_id, delivery_id, no, started_at, duration_ms, outcome, environment, url
     from delivery_attempts, generate_series(2, 501) as no where chain_id = $1 and delivery_id = $2`,
    [chain.chainId, id],
  );
  await aisle.db.query('update deliveries set attempt_count = 501 where chain_id = $1 and delivery_id = $2', [
    chain.chainId,
    id,
  ]);
  const numbers = async () => {
    const { attempts, attempt_count } = await getDelivery(aisle, chain, id);
    const all = attempts.map((one: { attempt_no: number }) => one.attempt_no);
    return { attempt_count, length: all.length, first: all.at(0), last: all.at(-1) };
  };
  assert.deepEqual(await numbers(), { attempt_count: 501, length: 100, first: 402, last: 501 });
  await aisle.call('POST', `${chain.base}/deliveries/${id}/resend`, { token: chain.token });
  await waitFor('the next attempt', async () => (await numbers()).attempt_count > 501, 30);
  const kept = 'select count(*)::int as count from delivery_attempts where chain_id = $1 and delivery_id = $2';
  assert.deepEqual(await aisle.db.query(kept, [chain.chainId, id]), [{ count: 100 }]);
});

async function failOnce() {
  const orderId = await changeOrder(aisle, chain);
  const [{ delivery_id }] = await waitForDeliveries(aisle, chain, orderId, 'FAILED');
  const delivery = await getDelivery(aisle, chain, delivery_id);
  return { delivery, attempt: delivery.attempts[0] };
}

async function waitForAttempt(deliveryId: string) {
  let delivery = await getDelivery(aisle, chain, deliveryId);
  await waitFor('the attempt', async () => {
    delivery = await getDelivery(aisle, chain, deliveryId);
    return delivery.attempts.length > 0;
  });
  return delivery;
}

async function readWebhook() {
  return (await aisle.call('GET', `${chain.base}/webhook`, { token: chain.token })).body;
}
