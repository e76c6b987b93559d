import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CatalogCursor, endOfChanges, listProductChanges } from '../../../src/catalog/index.ts';
import type { Database } from '../../../src/kernel/database/db.ts';
import { createLog } from '../../../src/kernel/monitoring/log.ts';
import { startProductEvents } from '../../../src/storefront/product-events.ts';
import { makeChain, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, putProducts, runUpdate } from '../../support/catalog.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle();
/** A change of so many products is recorded as a range. */
const many = 501;

test('a change of a range of products is read once, and not for each store', async () => {
  const chain = await makeChain(aisle, { vendors: 3 });
  await addProducts(aisle, chain, plainProducts(many));
  let cursor: CatalogCursor = await endOfChanges(aisle.db, chain.chainId);
  for (const start of ['1', '2', '3']) {
    const products = plainProducts(many).map(({ sku }, index) => ({ sku, barcode: `${start}${1000 + index}` }));
    await runUpdate(aisle, chain, products);
  }
  let reads = 0;
  const db = watched((text) => void (reads += Number(text.includes('from offers o'))));
  const pages: { rows: number; reads: number }[] = [];
  for (let hasMore = true; hasMore; ) {
    reads = 0;
    const listVendorIds = async () => chain.vendors.toSorted();
    const walk = { cursor, since: undefined, listVendorIds, limit: 1000 };
    const step = await listProductChanges(db, chain.chainId, walk);
    [cursor, hasMore] = [step.next, step.hasMore];
    pages.push({ rows: step.rows.length, reads });
  }
  // The products of the first two changes have changed again.
  assert.deepEqual(pages, [
    { rows: 0, reads: 0 },
    { rows: 0, reads: 0 },
    { rows: 1000, reads: 2 },
    { rows: 3 * many - 1000, reads: 2 },
  ]);
});

test('the events of a chain do not wait until all changes of another chain have been read', async (t) => {
  const [slow, other] = [await makeChain(aisle, { vendors: 1 }), await makeChain(aisle, { vendors: 1 })];
  const products = plainProducts(20);
  for (const chain of [slow, other]) await addProducts(aisle, chain, products);
  let isSlow = false;
  const db = watched(async (text, [chainId]) => {
    if (chainId !== slow.chainId || !text.includes('from offers o')) return;
    isSlow = true;
    await sleep(1000);
  });
  const first = start(db);
  await waitFor('the first rounds', async () => (await countCursors([slow, other])) === 2);
  await first.stop();
  isSlow = false;
  // Each change of a product has a page of its own.
  for (const { sku } of products) await putProducts(aisle, slow, [{ sku, barcode: '1234' }]);
  const again = start(db);
  t.after(() => again.stop());
  await waitFor('the slow round', () => isSlow);
  await putProducts(aisle, other, [{ sku: products[0]?.sku, price: 7 }]);
  await waitFor('the event', () => hasEvent(other));
  const cursor = 'select 1 from product_event_cursors where chain_id = $1 and has_more';
  assert.equal((await aisle.db.query(cursor, [slow.chainId])).length, 1);
});

/** The same database, which calls `before` with each statement outside of transactions. */
function watched(before: (text: string, values: readonly unknown[]) => Promise<void> | void): Database {
  const query: Database['query'] = async (...statement) => {
    await before(statement[0], statement[1] ?? []);
    return aisle.db.query(...statement);
  };
  return new Proxy(aisle.db, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
}

function start(db: Database) {
  const config = { links: { image: (path: string) => path } } as Parameters<typeof startProductEvents>[0]['config'];
  const log = createLog('silent');
  return startProductEvents({ db, log, config, chains: undefined, isReceived: async () => true });
}

async function countCursors(chains: TestChain[]): Promise<number> {
  const ids = chains.map(({ chainId }) => chainId);
  const found = 'select 1 from product_event_cursors where jsonb_array_length(cursor) > 0 and chain_id = any ($1)';
  return (await aisle.db.query(found, [ids])).length;
}

async function hasEvent({ chainId }: TestChain): Promise<boolean> {
  const found = "select 1 from platform_events where chain_id = $1 and type = 'products.changed' limit 1";
  return (await aisle.db.query(found, [chainId])).length === 1;
}
