import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeChain } from '../server/test/support/chain.ts';
import { addProducts, plainProducts } from '../server/test/support/catalog.ts';
import { cloneDatabase } from '../server/test/support/database.ts';
import { allPicked } from '../server/test/support/orders.ts';
import { clientOf } from './support/client.ts';
import { startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

const database = await cloneDatabase();
after(database.drop);

test('a scheduled rider still arrives after the process is killed and restarted', async () => {
  const chain = await makeChain(database, { vendors: 1, isSandbox: true });
  await addProducts(database, chain, plainProducts(1));
  const start = () => startProgram({ environment: { DATABASE_URL: database.url, AISLE_DEMO: 'off' } });
  const vendor_id = String(chain.vendors[0]);
  let program = await start();
  let client = clientOf(program, chain);
  await client.putSandboxRider({ params: { vendor_id }, body: { after_seconds: 3 } });
  const { order_id, items } = await client.sandboxPlaceOrder({
    body: {
      vendor_id,
      customer: { first_name: 'Sam', phone_number: '+971500000000' },
      items: [{ sku: 'SKU-00001', quantity: 1 }],
      payment: { type: 'PAID' },
    },
  });
  const picked = { status: 'READY_FOR_PICKUP', items: allPicked({ items }) } as const;
  await client.putOrder({ params: { order_id }, body: picked });
  program.kill('SIGKILL');
  await program.ended;

  program = await start();
  client = clientOf(program, chain);
  const delivered = async () => (await client.getOrder({ params: { order_id } })).status === 'DELIVERED' || undefined;
  await waitFor(30, 'the order to be delivered', delivered);
  const changes = await database.db.query<{ action: string }>(
    'select action from order_changes where chain_id = $1 order by revision',
    [chain.chainId],
  );
  assert.deepEqual(
    changes.map(({ action }) => action),
    ['placed', 'fulfilled', 'picked_up', 'delivered'],
  );
  await program.stop();
});
