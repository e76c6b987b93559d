import type { Database } from '../../server/src/kernel/database/db.ts';
import { countDays } from '../../server/src/orders/count-queries.ts';
import type { Client } from '../support/client.ts';
import { median } from '../support/report.ts';
import type { Fixture } from './fixture.ts';

/**
 * Copies an existing order until the chain has `target` orders, spread evenly over its stores and 59 days. Then counts
 * the orders of past days, as the server does every day.
 */
export async function fillOrders(db: Database, fixture: Fixture, target: number): Promise<void> {
  const vendors = fixture.vendors.map(({ vendor_id }) => vendor_id);
  const [{ count: existing } = { count: 0 }] = await db.query<{ count: number }>(
    'select count(*)::int as count from orders where chain_id = $1',
    [fixture.chainId],
  );
  const step = 50_000;
  for (let done = existing; done < target; done += step) {
    await db.query(
      `insert into orders (chain_id, order_id, vendor_id, order_code, status, order_type, transport_type, is_test, client,
         customer, currency, payment_type, delivery_fee, service_fee, items, revision, created_at, created_by, updated_at, updated_by)
       select o.chain_id, gen_random_uuid(), ($2::text[])[1 + n % $3], o.order_code, o.status, o.order_type, o.transport_type,
         o.is_test, o.client, o.customer, o.currency, o.payment_type, o.delivery_fee, o.service_fee, o.items, o.revision,
         now() - n * interval '59 days' / $5::int, o.created_by, now(), o.updated_by
       from (select * from orders where chain_id = $1 limit 1) o, generate_series($4::int, $6::int) as n`,
      [fixture.chainId, vendors, vendors.length, done, target, Math.min(done + step, target) - 1],
    );
    console.log(`  ${Math.min(done + step, target).toLocaleString('en')} orders …`);
  }
  await db.query('delete from counted_days where chain_id = $1', [fixture.chainId]);
  await db.query('delete from order_days where chain_id = $1', [fixture.chainId]);
  await db.transaction((tx) => countDays(tx, fixture.chainId, 60, 100));
  await db.pool.query('vacuum analyze orders');
}

export type Reads = { get: number; list: number };

/** Returns the median duration in ms of sequential GET and list requests. */
export async function measureReads(client: Client, db: Database, fixture: Fixture): Promise<Reads> {
  // A random sample from the whole table.
  const ids = await db.query<{ order_id: string }>(
    'select order_id from orders tablesample bernoulli ($2) where chain_id = $1 limit 400',
    [fixture.chainId, await sampleShare(db, fixture)],
  );
  const base = `/v2/chains/${fixture.chainId}`;
  const get: number[] = [];
  const list: number[] = [];
  const timed = async (into: number[], path: string) => {
    const started = performance.now();
    const { status } = await client.send('GET', path, fixture.token);
    if (status !== 200) throw new Error(`${path} returned ${status}.`);
    into.push(performance.now() - started);
  };
  for (let round = 0; round < 400; round++) {
    await timed(get, `${base}/orders/${ids[round % ids.length]?.order_id}`);
    const vendor = fixture.vendors[round % fixture.vendors.length];
    await timed(list, `${base}/vendors/${vendor?.vendor_id}/orders`);
  }
  return { get: median(get.slice(50)), list: median(list.slice(50)) };
}

async function sampleShare(db: Database, fixture: Fixture): Promise<number> {
  const rows = await db.query<{ count: number }>('select count(*)::int as count from orders where chain_id = $1', [
    fixture.chainId,
  ]);
  return Math.min(100, (100 * 800) / (rows[0]?.count ?? 1));
}
