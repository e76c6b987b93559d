import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '@aisle/contract/order';
import type { Database } from '../server/src/kernel/database/db.ts';
import { runCycle } from './orders/cycle.ts';
import { type Fixture, makeFixture } from './orders/fixture.ts';
import { fillOrders } from './orders/growth.ts';
import { type Client, createClient } from './support/client.ts';
import { startAisle, startDatabase } from './support/processes.ts';
import { median, ms, printTable, ratio, summarize, thousands } from './support/report.ts';

const stores = 100;
const [count, changing] = (process.env['BENCH_RECONCILE'] ?? '100000,2000').split(',').map(Number) as [number, number];
const pageSize = 100;

type Page = { orders: Order[]; next_cursor: string; has_more: boolean };
type Seen = Map<string, number>;

/**
 * npm run bench reconcile: pages through all of a chain's orders while some of them change. Fails if the final state of
 * any order was not returned.
 */
export async function run(): Promise<void> {
  console.log(
    `Benchmark reconcile: ${thousands(count)} orders in ${stores} stores, ${thousands(changing)} change during the walk …`,
  );
  const database = await startDatabase();
  const aisle = await startAisle(database.url);
  const client = createClient(aisle.url, 4);
  try {
    const fixture = await makeFixture(database.db, stores);
    await fill(database.db, client, fixture);
    // The first walk is a warm-up.
    await walkWhileChanging(client, fixture, async () => {});
    const toChange = await chooseOrders(database.db, fixture);
    const { seen, times } = await walkWhileChanging(client, fixture, (share) =>
      changeUpTo(client, fixture, toChange, share),
    );
    await assertAllSeen(database.db, fixture, seen);
    report(times, seen.size);
  } finally {
    client.close();
    await aisle.stop();
    await database.stop();
  }
}

/** Inserts orders and their first changes without positions, as after an upgrade, and waits for the positions. */
async function fill(db: Database, client: Client, fixture: Fixture): Promise<void> {
  await runCycle(client, fixture, { place: [], fulfil: [] });
  await db.query(`update orders set status = 'RECEIVED', fulfilment = null where chain_id = $1`, [fixture.chainId]);
  await fillOrders(db, fixture, count);
  await db.query(
    `insert into order_changes (chain_id, order_id, revision, at, actor, action, to_status, items)
     select chain_id, order_id, revision, updated_at, 'platform', 'placed', status, '[]' from orders where chain_id = $1
     on conflict do nothing`,
    [fixture.chainId],
  );
  await db.pool.query('vacuum analyze order_changes');
  await waitForPositions(db, fixture);
  await db.pool.query('vacuum analyze order_changes');
}

async function waitForPositions(db: Database, { chainId }: Fixture): Promise<void> {
  console.log('  waiting until the chore has assigned positions to the changes …');
  const pending = 'select 1 from order_changes where chain_id = $1 and position is null limit 1';
  while ((await db.query(pending, [chainId])).length > 0) await sleep(500);
}

function chooseOrders(db: Database, { chainId }: Fixture): Promise<{ order_id: string }[]> {
  return db.query(`select order_id from orders where chain_id = $1 order by md5(order_id::text) limit $2`, [
    chainId,
    changing,
  ]);
}

/** Reads all pages. `change` is called with the completed fraction of the walk, and runs while the next page is read. */
async function walkWhileChanging(
  client: Client,
  { chainId, token }: Fixture,
  change: (share: number) => Promise<void>,
): Promise<{ seen: Seen; times: number[] }> {
  const seen: Seen = new Map();
  const times: number[] = [];
  let query = '';
  for (let isDone = false; !isDone; ) {
    const changes = change(Math.min(1, (seen.size + pageSize) / count));
    const started = performance.now();
    const path = `/v2/chains/${chainId}/orders?limit=${pageSize}${query}`;
    const { status, text } = await client.send('GET', path, token);
    if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`);
    times.push(performance.now() - started);
    await changes;
    const page = JSON.parse(text) as Page;
    for (const order of page.orders) seen.set(order.order_id, order.revision);
    query = `&cursor=${page.next_cursor}`;
    isDone = !page.has_more && page.orders.length === 0;
  }
  return { seen, times };
}

/** Cancels more of the chosen orders until this fraction of them is cancelled. */
async function changeUpTo(
  client: Client,
  fixture: Fixture,
  orders: { order_id: string }[],
  share: number,
): Promise<void> {
  const due = orders.splice(0, Math.max(0, orders.length - Math.floor(changing * (1 - share))));
  for (const { order_id } of due) {
    const path = `/platform/v1/orders/${order_id}/cancel`;
    const body = { cancelled_by: 'CUSTOMER', reason: 'LATE' };
    const { status, text } = await client.send('POST', path, fixture.platformToken, body);
    if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`);
  }
}

async function assertAllSeen(db: Database, { chainId }: Fixture, seen: Seen): Promise<void> {
  const stored = await db.query<{ order_id: string; revision: number; status: string }>(
    'select order_id, revision, status from orders where chain_id = $1',
    [chainId],
  );
  const missed = stored.filter(({ order_id, revision }) => seen.get(order_id) !== revision);
  const changed = stored.filter(({ status }) => status === 'CANCELLED').length;
  if (missed.length > 0)
    throw new Error(`The final state of ${missed.length} of ${stored.length} orders was not returned.`);
  if (changed < changing) throw new Error(`Only ${changed} orders were changed.`);
  console.log(`  saw the final state of all ${thousands(stored.length)} orders, ${thousands(changed)} of them changed`);
}

/** Compares only full pages, because the last pages contain only the latest changes and are almost empty. */
function report(times: number[], orders: number): void {
  const full = times.slice(0, Math.floor(orders / pageSize));
  const tenth = Math.max(1, Math.floor(full.length / 10));
  const [first, last] = [median(full.slice(0, tenth)), median(full.slice(-tenth))];
  summarize(
    `page of ${pageSize} in a walk through ${thousands(orders)} orders, ${thousands(changing)} of which change`,
    `last tenth: ${ms(last)} ms`,
    `first tenth: ${ms(first)} ms`,
    ratio(last, first),
    '≤ 1.2',
  );
  printTable(`A page of ${pageSize} orders during a walk through ${thousands(orders)}, median`, [
    {
      'Aisle, last tenth of the walk (ms)': ms(last),
      'Baseline, first tenth of the walk (ms)': ms(first),
      Ratio: ratio(last, first),
      Target: '≤ 1.2',
      'Requests in the walk': thousands(times.length),
    },
  ]);
}
