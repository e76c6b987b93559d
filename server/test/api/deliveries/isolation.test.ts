import assert from 'node:assert/strict';
import test from 'node:test';
import { exampleSnapshot } from '@aisle/contract/order';
import { makeChain, useOwnAisle, type TestChain } from '../../support/aisle.ts';
import { unusedUrl, type Receiver, useReceivers } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { changeOrder, setWebhook } from '../../support/webhooks.ts';

const aisle = await useOwnAisle();
const newReceiver = useReceivers();

const dead: [what: string, address: () => Promise<string>][] = [
  ['hangs', () => receiverUrl(() => {})],
  ['refuses connections', unusedUrl],
  ['returns 500', () => receiverUrl((response) => void response.writeHead(500).end())],
];
for (const [what, address] of dead) {
  test(`with 10,000 events queued for an endpoint that ${what}, another chain's event arrives within a second`, async (t) => {
    const chain = await makeChain(aisle);
    await setWebhook(aisle, chain, { production_url: await address() });
    await writeEvents(chain, 10_000);
    await waitFor('10,000 waiting deliveries', async () => (await countDeliveries(chain)) === 10_000, 60, 100);

    const other = await makeChain(aisle);
    const healthy = await newReceiver();
    await setWebhook(aisle, other, { production_url: healthy.url });
    const delays: number[] = [];
    for (let count = 1; count <= 10; count++) {
      const started = Date.now();
      await changeOrder(aisle, other);
      const messages = await healthy.waitFor(count);
      delays.push((messages.at(-1)?.at ?? 0) - started);
    }
    t.diagnostic(`delays in ms: ${delays.join(', ')}`);
    assert.ok(Math.max(...delays) < 1000, delays.join(', '));
  });
}

test('many hanging endpoints do not slow down deliveries to a working one', async () => {
  const hanging = await receiverUrl(() => {});
  for (let count = 0; count < 60; count++) {
    const chain = await makeChain(aisle, { vendors: 1 });
    await setWebhook(aisle, chain, { production_url: hanging });
    await writeEvents(chain, 20);
  }
  const chain = await makeChain(aisle);
  const healthy = await newReceiver();
  await setWebhook(aisle, chain, { production_url: healthy.url });
  await changeOrder(aisle, chain);
  await healthy.waitFor(1, 60);
  for (let count = 0; count < 50; count++) await changeOrder(aisle, chain);
  const changed = Date.now();
  const messages = await healthy.waitFor(51, 60);
  // A message that waits for a hanging endpoint waits until the request times out, after 10 s.
  assert.ok((messages.at(-1)?.at ?? 0) - changed < 9000);
});

/** Inserts the events directly, as if this many orders had been placed. */
async function writeEvents(chain: TestChain, count: number): Promise<void> {
  await aisle.db.query(
    `insert into events (chain_id, event_id, type, vendor_id, order_id, body)
     select $1, gen_random_uuid(), 'order.received', $2, gen_random_uuid(), $4 from generate_series(1, $3::int)`,
    [chain.chainId, chain.vendors[0], count, JSON.stringify(exampleSnapshot)],
  );
}

async function countDeliveries(chain: TestChain): Promise<number> {
  const rows = await aisle.db.query<{ count: number }>(
    'select count(*)::int as count from deliveries where chain_id = $1',
    [chain.chainId],
  );
  return rows[0]?.count ?? 0;
}

async function receiverUrl(how: Parameters<Receiver['respondWith']>[0]): Promise<string> {
  const receiver = await newReceiver();
  receiver.respondWith(how);
  return receiver.url;
}
