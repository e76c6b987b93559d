import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';
import { makePlatformWebhook } from '../../support/platform-webhooks.ts';
import { useReceivers } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { changeOrder, setWebhook } from '../../support/webhooks.ts';

const aisle = await useOwnAisle({ AISLE_WEBHOOK_SLOTS: '16', AISLE_WEBHOOK_SLOTS_PER_ENDPOINT: '4' });
const newReceiver = useReceivers();

test("the slow webhooks of one chain's stores leave slots for other chains", async () => {
  const chain = await makeChain(aisle, { vendors: 5 });
  const receiver = await newReceiver();
  for (const vendor of chain.vendors) await setWebhook(aisle, chain, { production_url: receiver.url }, vendor);
  const changeOrders = async (count: number) => {
    for (const vendor of chain.vendors)
      for (let done = 0; done < count; done++) await changeOrder(aisle, chain, { vendor });
  };
  // Each store's webhook has shown that it works, and gets four slots.
  await changeOrders(3);
  await receiver.waitFor(15);

  const open: ServerResponse[] = [];
  receiver.respondWith((response) => void open.push(response));
  await changeOrders(10);
  await waitFor('the requests that use up the share of the chain', () => open.length >= 8);
  const other = await makeChain(aisle);
  const hook = await newReceiver();
  await makePlatformWebhook(aisle, hook.url, ['order.received']);
  const quick = await newReceiver();
  await setWebhook(aisle, other, { production_url: quick.url });
  for (let count = 0; count < 10; count++) await changeOrder(aisle, other);
  // The slow requests time out after 10 s.
  await quick.waitFor(10, 8);
  const orderId = await changeOrder(aisle, chain);
  await waitFor('the platform to hear of the chain', () => hook.received.some(({ body }) => body.order_id === orderId));
  assert.equal(open.length, 8, 'the chain uses half of the slots');
  receiver.respondWith((response) => response.end());
  for (const response of open) response.end();
  await receiver.waitFor(15 + 51);
});

test('a slow receiver with a backlog does not make the server unready', async () => {
  const chain = await makeChain(aisle);
  const receiver = await newReceiver();
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const open: ServerResponse[] = [];
  receiver.respondWith((response) => void open.push(response));
  for (let count = 0; count < 5; count++) await changeOrder(aisle, chain);
  await waitFor('a request', () => open.length > 0);
  const age = (lanes: string) =>
    aisle.db.query(
      `update delivery_lanes set due_at = now() - interval '3 minutes', is_leased = false
       where chain_id = $1 and ${lanes}`,
      [chain.chainId],
    );
  await waitFor('the backlog', async () => (await age('not is_leased returning 1')).length === 4);
  const ready = await aisle.call('GET', '/health/ready');
  assert.deepEqual([ready.status, ready.body.checks.deliveries], [200, 'ok']);
  // As if no sender held the lane of the request. But one does, and renews its lease every second.
  await waitFor('the check to fail', async () => {
    await age('true');
    const { status, body } = await aisle.call('GET', '/health/ready');
    return status === 503 && /have been waiting for two minutes/.test(body.checks.deliveries);
  });
  receiver.respondWith((response) => response.end());
  for (const response of open) response.end();
  await receiver.waitFor(5);
});
