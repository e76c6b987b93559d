import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeChain } from '../server/test/support/chain.ts';
import { cloneDatabase } from '../server/test/support/database.ts';
import { startReceiver } from '../server/test/support/receiver.ts';
import { changeOrder } from '../server/test/support/webhooks.ts';
import { clientOf } from './support/client.ts';
import { type Program, startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

const database = await cloneDatabase();
const receiver = await startReceiver();
after(() => receiver.close().then(database.drop));

test('a delivery in progress stays with its worker and is taken over within seconds if the worker is killed', async () => {
  const environment = {
    DATABASE_URL: database.url,
    AISLE_LOG_LEVEL: 'warn',
    AISLE_RATE_LIMITS: 'off',
    AISLE_SECRET_KEY: Buffer.alloc(32, 't').toString('hex'),
    AISLE_WEBHOOK_ALLOW: 'loopback',
  };
  const api = await startProgram({ role: 'api', environment });
  const second = await startProgram({ role: 'worker', environment });
  await freeze(second);
  const first = await startProgram({ role: 'worker', environment });
  const chain = await makeChain(database);
  const client = clientOf(api, chain);
  await client.putWebhook({ body: { environment: 'production', production_url: receiver.url } });
  let isHanging = true;
  receiver.respondWith((response) => (isHanging ? undefined : response.end()));
  const order = await changeOrder(database, chain);
  await receiver.waitFor(1);

  second.kill('SIGCONT');
  await sleep(6000);
  assert.equal(
    receiver.received.length,
    1,
    'no other worker has taken the delivery, even after more time than a lease lasts',
  );

  isHanging = false;
  first.kill('SIGKILL');
  const [before, again] = await receiver.waitFor(2, 20);
  assert.equal(again?.text, before?.text);
  assert.equal(again?.headers['webhook-id'], before?.headers['webhook-id']);
  await waitFor(10, 'the delivery', async () => {
    const { deliveries } = await client.listDeliveries({ query: { order_id: order } });
    return (deliveries.length === 1 && deliveries[0]?.status === 'DELIVERED') || undefined;
  });
});

/** Suspends the worker between two transactions, so that it holds no lock that the other worker needs. */
async function freeze(worker: Program): Promise<void> {
  for (;;) {
    worker.kill('SIGSTOP');
    await sleep(100);
    const open = await database.db.query(
      "select 1 from pg_stat_activity where application_name = 'aisle worker' and xact_start is not null",
    );
    if (open.length === 0) return;
    worker.kill('SIGCONT');
    await sleep(50);
  }
}
