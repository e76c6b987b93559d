import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { createLog } from '../../../src/kernel/monitoring/log.ts';
import type { Database } from '../../../src/kernel/database/db.ts';
import { startProductEvents } from '../../../src/storefront/product-events.ts';
import { createShow } from '../../../src/storefront/show.ts';
import { streamSnapshot } from '../../../src/storefront/stream-snapshot.ts';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, runUpdate } from '../../support/catalog.ts';
import { applyPromotion, percent, promotionBody } from '../../support/promotions.ts';
import { waitFor } from '../../support/wait.ts';

// A product can have 256 KiB, and these are in memory as rows, objects and text, which no limit counts.
const maxRows = 100;
const aisle = await useOwnAisle();
const chain = await makeChain(aisle, { vendors: 1 });
const products = plainProducts(maxRows + 50);
const skus = products.map(({ sku }) => sku);
await addProducts(aisle, chain, products);
const config = { links: { image: (path: string) => path } } as Parameters<typeof createShow>[0];

/** The largest number of products that a statement has returned. */
let largest = 0;
beforeEach(() => {
  largest = 0;
});
const query: Database['query'] = async <Row>(...statement: Parameters<Database['query']>) => {
  const rows = await aisle.db.query<Row>(...statement);
  if (rows.length > 0 && 'descriptions' in (rows[0] as object)) largest = Math.max(largest, rows.length);
  return rows;
};
const db = new Proxy(aisle.db, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });

test('a snapshot reads few products at a time', async () => {
  const vendors = await aisle.db.query<Parameters<ReturnType<typeof createShow>>[2][number]>(
    'select * from vendors where chain_id = $1',
    [chain.chainId],
  );
  const show = createShow(config);
  const snapshot = streamSnapshot(
    db,
    chain.chainId,
    async () => chain.vendors,
    (rows, now) => show(db, chain.chainId, vendors, rows, { locale: undefined, now }),
    () => 'cursor',
  );
  let lines = 0;
  for await (const part of snapshot) lines += part.toString().split('"type":"product"').length - 1;
  assert.deepEqual([lines, largest], [products.length, maxRows]);
});

test('the events of changed and of promoted products are made from few products at a time', async (t) => {
  const options = { db, log: createLog('silent'), config, chains: undefined, isReceived: async () => true };
  const loop = startProductEvents(options);
  t.after(() => loop.stop());
  const cursor = () => aisle.db.query('select 1 from product_event_cursors where jsonb_array_length(cursor) > 0');
  await waitFor('the first round', async () => (await cursor()).length > 0);
  const written = async () => {
    const [row] = await aisle.db.query<{ count: number }>(
      `select coalesce(sum(jsonb_array_length(body::jsonb -> 'products')), 0)::int as count from platform_events
       where chain_id = $1 and type = 'products.changed'`,
      [chain.chainId],
    );
    return row?.count;
  };
  await runUpdate(
    aisle,
    chain,
    skus.map((sku) => ({ sku, price: 7 })),
  );
  await waitFor('the events of the update', async () => (await written()) === products.length, 30);
  assert.equal(largest, maxRows);
  largest = 0;
  await applyPromotion(aisle, chain, promotionBody({ discount: [percent(10, ...skus)] }));
  await waitFor('the events of the promotion', async () => (await written()) === 2 * products.length, 30);
  assert.equal(largest, maxRows);
});

test('events of products are written again at once after the clock of the database was ahead', async (t) => {
  const own = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, own, plainProducts(1));
  await aisle.db.query('delete from product_event_cursors where chain_id = $1', [own.chainId]);
  await aisle.db.query(
    "insert into product_event_cursors (chain_id, cursor, due_at) values ($1, '[]', now() + interval '3 hours')",
    [own.chainId],
  );
  const options = { db: aisle.db, log: createLog('silent'), config, chains: undefined, isReceived: async () => true };
  const loop = startProductEvents(options);
  t.after(() => loop.stop());
  const events = () => aisle.db.query('select 1 from platform_events where chain_id = $1', [own.chainId]);
  await waitFor('an event of the product', async () => (await events()).length > 0);
});
