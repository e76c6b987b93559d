import assert from 'node:assert/strict';
import test from 'node:test';
import { createLog } from '../../../src/kernel/monitoring/log.ts';
import { startProductEvents } from '../../../src/storefront/product-events.ts';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts } from '../../support/catalog.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle();

const config = { links: { image: (path: string) => path } } as Parameters<typeof startProductEvents>[0]['config'];
const log = createLog('silent');
const start = () => startProductEvents({ db: aisle.db, log, config, chains: undefined, isReceived: async () => true });

test('the first products of a chain that is created while events are received become events', async (t) => {
  const existing = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, existing, plainProducts(1));
  const first = start();
  t.after(() => first.stop());
  const cursors = () => aisle.db.query('select 1 from product_event_cursors where jsonb_array_length(cursor) > 0');
  await waitFor('the first round', async () => (await cursors()).length > 0);
  const created = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, created, plainProducts(3));
  await waitFor('the events of the new chain', async () => (await countProducts(created.chainId)) === 3);
  await first.stop();
  const later = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, later, plainProducts(2));
  const old = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, old, plainProducts(1));
  await aisle.db.query("update chains set created_at = now() - interval '3 days' where chain_id = $1", [old.chainId]);
  const second = start();
  t.after(() => second.stop());
  await waitFor('the chain that was created in between', async () => (await countProducts(later.chainId)) === 2);
  await waitFor('the first round', async () => (await cursors()).length === 4);
  assert.deepEqual([await countProducts(existing.chainId), await countProducts(old.chainId)], [0, 0]);
});

async function countProducts(chainId: string): Promise<number | undefined> {
  const rows = await aisle.db.query<{ count: number }>(
    `select coalesce(sum(jsonb_array_length(body::jsonb -> 'products')), 0)::int as count from platform_events
     where chain_id = $1 and type = 'products.changed'`,
    [chainId],
  );
  return rows[0]?.count;
}
