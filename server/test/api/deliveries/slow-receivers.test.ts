import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { makeChain, useAisle } from '../../support/aisle.ts';
import { useReceivers } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { changeOrder, setWebhook } from '../../support/webhooks.ts';

const aisle = await useAisle({ AISLE_WEBHOOK_SLOTS: '16', AISLE_WEBHOOK_SLOTS_PER_ENDPOINT: '4' });
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
  const quick = await newReceiver();
  await setWebhook(aisle, other, { production_url: quick.url });
  for (let count = 0; count < 10; count++) await changeOrder(aisle, other);
  // The slow requests time out after 10 s.
  await quick.waitFor(10, 8);
  assert.equal(open.length, 8, 'the chain uses half of the slots');
  receiver.respondWith((response) => response.end());
  for (const response of open) response.end();
  await receiver.waitFor(15 + 50);
});
