import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test, { beforeEach } from 'node:test';
import { makeChain, type Response, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { makePlatformWebhook } from '../../support/platform-webhooks.ts';
import { type Receiver, useReceivers } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import {
  changeOrder,
  getDelivery,
  makeRetriesDue,
  setWebhook,
  untilRecorded,
  waitForDeliveries,
} from '../../support/webhooks.ts';

const aisle = await useOwnAisle();
const newReceiver = useReceivers();
const sinceStart = { since: new Date(0).toISOString() };
let chain: TestChain;
let receiver: Receiver;
beforeEach(async () => {
  chain = await makeChain(aisle);
  receiver = await newReceiver();
});

test('failed deliveries are resent in sequence, also one that is being sent in its own lane', async () => {
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const order = await changeOrder(aisle, chain);
  const [{ delivery_id: id }] = await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  receiver.respondWith((response) => void response.writeHead(500).end());
  await post(`/deliveries/${id}/resend`);
  await waitForDeliveries(aisle, chain, order, 'FAILED');
  const held = hold((body) => body.order_id === order);
  // After these, the endpoint gets several messages at a time.
  for (let count = 0; count < 3; count++) {
    await waitForDeliveries(aisle, chain, await changeOrder(aisle, chain), 'DELIVERED');
  }
  await makeRetriesDue(aisle);
  await held.waitFor(1);
  const resent = await post('/deliveries/resend-failed', sinceStart);
  assert.deepEqual([resent.status, resent.body.resent], [202, 1], resent.text);
  await held.waitFor(2);
  await held.release(0, 500);
  await untilRecorded(aisle, (await newReceiver()).url);
  await held.release(1, 200);
  await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  const { attempts } = await getDelivery(aisle, chain, id);
  const outcomes = attempts.map((attempt: Response['body']) => [attempt.attempt_no, attempt.outcome]);
  assert.deepEqual(outcomes, [
    [1, 'success'],
    [2, 'http_error'],
    [3, 'success'],
  ]);
});

for (const kind of ['one', 'all'] as const) {
  test(`a delivery that is resent (${kind}) during its last attempt is sent again`, async () => {
    await setWebhook(aisle, chain, { production_url: receiver.url });
    receiver.respondWith((response) => void response.writeHead(500).end());
    const order = await changeOrder(aisle, chain);
    const [{ delivery_id: id }] = await waitForDeliveries(aisle, chain, order, 'FAILED');
    const held = await beginLastAttempt();
    const again = await (kind === 'one'
      ? post(`/deliveries/${id}/resend`)
      : post('/deliveries/resend-failed', sinceStart));
    assert.equal(again.status, 202, again.text);
    await waitFor('the resend', async () => (await getDelivery(aisle, chain, id)).status === 'PENDING');
    receiver.respondWith((response) => response.end());
    await held.release(0, 500);
    await waitForDeliveries(aisle, chain, order, 'DELIVERED');
  });
}

test('so is one to a webhook of the platform', async () => {
  receiver.respondWith((response) => void response.writeHead(500).end());
  const { webhook_id } = await makePlatformWebhook(aisle, receiver.url, ['order.received']);
  await changeOrder(aisle, chain);
  const path = `/platform/v1/webhooks/${webhook_id}`;
  const hasStatus = async (status: string) => {
    const { body } = await aisle.call('GET', `${path}/deliveries`, { token: aisle.platformToken });
    return body.deliveries.length === 1 && body.deliveries[0].status === status;
  };
  await waitFor('the first attempt', () => hasStatus('FAILED'));
  const held = await beginLastAttempt();
  const again = await aisle.call('POST', `${path}/resend-failed`, { token: aisle.platformToken, body: sinceStart });
  assert.equal(again.status, 202, again.text);
  await waitFor('the resend', () => hasStatus('PENDING'));
  receiver.respondWith((response) => response.end());
  await held.release(0, 500);
  await waitFor('the delivery', () => hasStatus('DELIVERED'));
});

async function beginLastAttempt() {
  await aisle.db.query('update deliveries set tries = 12 where chain_id = $1', [chain.chainId]);
  const held = hold(() => true);
  await makeRetriesDue(aisle);
  await held.waitFor(1);
  return held;
}

/** Holds the responses to these messages until they are released. */
function hold(isHeld: (body: Response['body']) => boolean) {
  const held: ServerResponse[] = [];
  receiver.respondWith((response, { body }) => void (isHeld(body) ? held.push(response) : response.end()));
  return {
    waitFor: (count: number) => waitFor(`${count} held messages`, () => held.length >= count),
    release: (index: number, status: number) =>
      new Promise((resolve) => held[index]?.once('close', resolve).writeHead(status).end()),
  };
}

function post(path: string, body?: unknown): Promise<Response> {
  return aisle.call('POST', `${chain.base}${path}`, { token: chain.token, body });
}
