import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../e2e/support/client.ts';
import { createPlatformToken } from '../server/src/identity/index.ts';
import type { Database } from '../server/src/kernel/database/db.ts';
import { aisleBulk, bodyOf } from './catalog/bulk.ts';
import { type Fixture, items, makeChain, skuOf } from './catalog/fixture.ts';
import { type Client, createClient } from './support/client.ts';
import { startAisle, startDatabase } from './support/processes.ts';
import { median, ms, printTable, ratio, summarize, thousands } from './support/report.ts';

const [many, few, bulk] = (process.env['BENCH_CHANGES'] ?? '1000000,10000,50000').split(',').map(Number) as [
  number,
  number,
  number,
];
const stores = 10;
const edits = 100;
const rounds = 20;
const bulkRounds = 4;

/**
 * npm run bench changes: what reading the changes costs if there are more products, and what the platform's events cost
 * a bulk update.
 */
export async function run(): Promise<void> {
  console.log(`Benchmark changes: ${edits} edits among ${thousands(many)} and ${thousands(few)} offers …`);
  const database = await startDatabase();
  const aisle = await startAisle(database.url);
  const client = createClient(aisle.url, 4);
  try {
    const token = await createPlatformToken(database.db, 'bench');
    const chains = {
      large: await makeChain(database.db, stores, many / stores),
      small: await makeChain(database.db, stores, few / stores),
    };
    await benchChanges({ url: aisle.url, client, token }, chains);
    await benchBulk(database.db, { url: aisle.url, client, token });
  } finally {
    client.close();
    await aisle.stop();
    await database.stop();
  }
}

async function benchChanges(server: Server, chains: { large: Fixture; small: Fixture }): Promise<void> {
  const times = { large: [] as number[], small: [] as number[] };
  const cursors = {
    large: await lastCursor(server, chains.large),
    small: await lastCursor(server, chains.small),
  };
  for (let round = 0; round < rounds; round++) {
    for (const size of ['large', 'small'] as const) {
      await edit(server, chains[size], round);
      const started = performance.now();
      const { cursor, count } = await readChanges(server, chains[size], cursors[size]);
      if (count !== edits) throw new Error(`${count} products were returned after ${edits} edits.`);
      cursors[size] = cursor;
      // The first rounds are a warm-up.
      if (round >= 5) times[size].push(performance.now() - started);
    }
  }
  const [large, small] = [median(times.large), median(times.small)];
  summarize(
    `changes after ${edits} edits among ${thousands(many)} offers`,
    `${ms(large)} ms`,
    `among ${thousands(few)} offers: ${ms(small)} ms`,
    ratio(large, small),
    '≤ 1.3',
  );
  printTable(`GET changes after ${edits} edits, median of ${rounds - 5} alternating rounds`, [
    { Offers: thousands(many), 'Time (ms)': ms(large), Ratio: ratio(large, small), Target: '≤ 1.3' },
    { Offers: thousands(few), 'Time (ms)': ms(small), Ratio: '', Target: '' },
  ]);
}

/** Reads the snapshot to its last line, which has the cursor. */
async function lastCursor({ url, token }: Server, { chainId }: Fixture): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/platform/v1/chains/${chainId}/snapshot`, { headers });
  let [previous, last] = [Buffer.alloc(0), Buffer.alloc(0)];
  for await (const part of response.body ?? []) [previous, last] = [last, Buffer.from(part)];
  const line = Buffer.concat([previous, last]).toString().trimEnd().split('\n').at(-1) ?? '';
  const end = JSON.parse(line) as { type: string; next_cursor: string };
  if (end.type !== 'end') throw new Error('The snapshot has no end.');
  return end.next_cursor;
}

async function edit({ url }: Server, fixture: Fixture, round: number): Promise<void> {
  const client = clientOf({ url }, fixture);
  for (let index = 0; index < edits; index++) {
    const product = { sku: skuOf((index * 7) % (few / stores)), price: 2 + round + index / 100 };
    const params = { vendor_id: String(fixture.vendors[index % stores]) };
    await client.updateCatalog({ params, body: { products: [product] } });
  }
}

async function readChanges({ client, token }: Server, { chainId }: Fixture, from: string) {
  let [cursor, count] = [from, 0];
  for (let hasMore = true; hasMore; ) {
    const path = `/platform/v1/chains/${chainId}/changes?limit=500&cursor=${encodeURIComponent(cursor)}`;
    const { status, text } = await client.send('GET', path, token);
    if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`);
    const page = JSON.parse(text) as { products: unknown[]; next_cursor: string; has_more: boolean };
    [cursor, count, hasMore] = [page.next_cursor, count + page.products.length, page.has_more];
  }
  return { cursor, count };
}

type Server = { url: string; client: Client; token: string };

async function benchBulk(db: Database, server: Server): Promise<void> {
  const fixture = await makeChain(db, 1, bulk);
  const [vendor = ''] = fixture.vendors;
  const times = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < bulkRounds; round++) {
    for (const events of ['without', 'with'] as const) {
      if (events === 'with') await receiveEvents(db, server, fixture);
      else await stopEvents(db);
      const sent = bodyOf(items(bulk, round * 2 + (events === 'with' ? 1 : 0)));
      const time = await aisleBulk(db, server.url, fixture, vendor, sent);
      // The first rounds are a warm-up.
      if (round >= 2) times[events].push(time);
      if (events === 'with') await waitForEvents(db, fixture);
    }
  }
  const [slow, fast] = [median(times.with), median(times.without)];
  summarize(
    `bulk update of ${thousands(bulk)} items while the platform receives product events`,
    `${ms(slow)} ms`,
    `without: ${ms(fast)} ms`,
    ratio(slow, fast),
    '≤ 1.15',
  );
  printTable(`Bulk update of ${thousands(bulk)} items, median of ${bulkRounds - 2} alternating rounds`, [
    { 'Product events': 'yes', 'Time (ms)': ms(slow), Ratio: ratio(slow, fast), Target: '≤ 1.15' },
    { 'Product events': 'no', 'Time (ms)': ms(fast), Ratio: '', Target: '' },
  ]);
}

/** A reader of the feed makes the worker follow all chains. */
async function receiveEvents(db: Database, { url, token }: Server, { chainId }: Fixture): Promise<void> {
  await clientOf({ url }, { token }).platformListEvents({ query: { types: ['products.changed'], after: 'latest' } });
  const started = 'select 1 from product_event_cursors where chain_id = $1 and jsonb_array_length(cursor) > 0';
  while ((await db.query(started, [chainId])).length === 0) await sleep(100);
}

/** Waits until all products are in events, so that this work does not slow down the next round. */
async function waitForEvents(db: Database, { chainId }: Fixture): Promise<void> {
  const count = `select coalesce(sum(json_array_length(body -> 'products')), 0)::int as count from platform_events
    where chain_id = $1`;
  while (((await db.query<{ count: number }>(count, [chainId]))[0]?.count ?? 0) < bulk) await sleep(500);
  await db.query('delete from platform_events where chain_id = $1', [chainId]);
}

async function stopEvents(db: Database): Promise<void> {
  await db.query('delete from platform_feed_reads');
  while ((await db.query('select 1 from product_event_cursors limit 1')).length > 0) await sleep(100);
}
