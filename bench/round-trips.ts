import { setTimeout as sleep } from 'node:timers/promises';
import { startCountingProxy } from '../server/test/support/round-trips.ts';
import type { Database } from '../server/src/kernel/database/db.ts';
import { runCycle } from './orders/cycle.ts';
import { type Fixture, makeFixture, skuOf } from './orders/fixture.ts';
import { createClient } from './support/client.ts';
import { aisleModule, startDatabase, startProcess } from './support/processes.ts';
import { median, printTable, type Row } from './support/report.ts';

const runs = 100;

/**
 * npm run bench round-trips: how many round trips to the database and how many row changes an operation takes. A proxy
 * between Aisle and PostgreSQL counts the round trips; PostgreSQL counts the row changes.
 */
export async function run(): Promise<void> {
  console.log(`Benchmark round-trips: ${runs} orders and ${runs} single updates, one after the other …`);
  const database = await startDatabase();
  const proxy = await startCountingProxy(database.url);
  const aisle = await startProcess(aisleModule, ['api'], { DATABASE_URL: proxy.url, AISLE_RATE_LIMITS: 'off' });
  const client = createClient(aisle.url, 1);
  try {
    const fixture = await makeFixture(database.db, 1);
    const measure = (work: () => Promise<unknown>) => measureWork(database.db, proxy.transactions, work);
    const cycle = await measure(() => runCycle(client, fixture, { place: [], fulfil: [] }));
    const update = await measure(() => updateOne(client, fixture));
    printTable('Work in the database per operation, median of round trips', [
      row('place an order with four items', cycle.trips[0], '≤ 2', ''),
      row('fulfil it, one item not found', cycle.trips[1], '≤ 2', `${cycle.changes} (with placing)`),
      row('single catalog update', update.trips[0], '1', update.changes),
    ]);
  } finally {
    client.close();
    await aisle.stop();
    await proxy.close();
    await database.stop();
  }
}

function row(operation: string, trips: number | undefined, target: string, changes: string): Row {
  return { Operation: operation, 'Round trips': trips ?? '', Target: target, 'Row changes': changes };
}

let updates = 0;

async function updateOne(client: ReturnType<typeof createClient>, { chainId, token, vendors }: Fixture): Promise<void> {
  const price = 2 + (++updates % 100) / 100;
  const path = `/v2/chains/${chainId}/vendors/${vendors[0]?.vendor_id}/catalog`;
  const { status, text } = await client.send('PUT', path, token, { products: [{ sku: skuOf(updates), price }] });
  if (status !== 200) throw new Error(text);
}

/** The transactions of each run, by their order in it, and the row changes per run by table. */
async function measureWork(db: Database, transactions: number[], work: () => Promise<unknown>) {
  for (let warmup = 0; warmup < 5; warmup++) await work();
  const before = await rowChanges(db);
  const trips: number[][] = [];
  for (let count = 0; count < runs; count++) {
    // Notifications and the request log, which are written after a response, must not be counted for the next one.
    await sleep(10);
    transactions.length = 0;
    await work();
    for (const [index, one] of transactions.entries()) (trips[index] ??= []).push(one);
  }
  const after = await rowChanges(db);
  const changes = [...after]
    .map(([table, count]) => [table, (count - (before.get(table) ?? 0)) / runs] as const)
    .filter(([table, each]) => each >= 0.5 && table !== 'requests')
    .map(([table, each]) => `${Math.round(each)} ${table}`);
  return { trips: trips.map(median), changes: changes.join(', ') };
}

async function rowChanges(db: Database): Promise<Map<string, number>> {
  // A connection reports its counts with a delay, or at its next commit if it is told to.
  const flush = () => db.query('select pg_stat_force_next_flush(), pg_sleep(0.05)');
  await Promise.all(Array.from({ length: 16 }, flush));
  await sleep(1500);
  const rows = await db.query<{ table: string; count: number }>(
    `select relname as table, (n_tup_ins + n_tup_upd + n_tup_del)::int as count from pg_stat_user_tables order by 1`,
  );
  return new Map(rows.map(({ table, count }) => [table, count]));
}
