import type { Db, Tx } from '../kernel/database/db.ts';

/** The conditions refer to the parameters $1 (chain), $2 (from) and $3 (to) and further ones in `values`. */
type Counted = { values: readonly unknown[]; vendors: readonly string[]; isTest: boolean | undefined };

/**
 * Counts the orders in a time range by vendor and `is_test` only. Past days have been counted before; only the orders
 * of the other days are read: those of the last two days and those of the day in which the range begins.
 */
export async function countOrders(db: Db, { values, vendors, isTest }: Counted): Promise<number> {
  const tests = isTest === undefined ? [] : [isTest ? 'is_test' : 'not is_test'];
  const orders = `from orders where ${['chain_id = $1', ...vendors, ...tests].join(' and ')}`;
  const perDay = isTest === undefined ? 'orders' : isTest ? 'test_orders' : 'orders - test_orders';
  const rows = await db.query<{ total: number }>(
    `with range as (
       select greatest(c.first_day, (($2::timestamptz at time zone 'UTC') + interval '1 day - 1 microsecond')::date) as first,
         least(c.end_day, ($3::timestamptz at time zone 'UTC')::date) as "end"
       from counted_days c where c.chain_id = $1
     ), days as (
       select first, "end", first::timestamp at time zone 'UTC' as starts_at, "end"::timestamp at time zone 'UTC' as ends_at
       from range where first < "end"
     )
     select ((select count(*) ${orders} and created_at >= $2 and created_at < coalesce((select starts_at from days), $3))
       + (select count(*) ${orders} and created_at >= (select ends_at from days) and created_at < $3)
       + (select coalesce(sum(${perDay}), 0) from order_days
          where ${['chain_id = $1', ...vendors].join(' and ')}
            and day >= (select first from days) and day < (select "end" from days)))::int as total`,
    [...values],
  );
  return rows[0]?.total ?? 0;
}

/** The last day that is counted ended a day ago, so that even a process whose clock is wrong adds no orders to it. */
const lastDay = `((now() at time zone 'UTC')::date - 2)`;

/** Chains that had orders on the last day that can be counted, and whose orders are not counted up to it. */
export function listUncountedChains(tx: Tx, limit: number): Promise<{ chain_id: string }[]> {
  return tx.query(
    `select distinct o.chain_id from orders o
     where o.created_at >= ${lastDay}::timestamp at time zone 'UTC'
       and o.created_at < (${lastDay} + 1)::timestamp at time zone 'UTC'
       and not exists (select from counted_days c where c.chain_id = o.chain_id and c.end_day > ${lastDay})
     limit $1`,
    [limit],
  );
}

/** Counts the orders of up to `max` days that are not counted yet, beginning with the first that can be read. */
export async function countDays(tx: Tx, chainId: string, readableDays: number, max: number): Promise<void> {
  await tx.query(
    `insert into counted_days (chain_id, first_day, end_day)
     select $1, first, first from (select ${lastDay} - $2::int as first) f on conflict do nothing`,
    [chainId, readableDays],
  );
  await tx.query(
    `with next as (
       select chain_id, end_day as first, least(end_day + $2::int, ${lastDay} + 1) as "end"
       from counted_days where chain_id = $1 for update
     ), counted as (
       insert into order_days (chain_id, vendor_id, day, orders, test_orders)
       select o.chain_id, o.vendor_id, (o.created_at at time zone 'UTC')::date as day, count(*),
         count(*) filter (where o.is_test)
       from orders o
       where o.chain_id = $1 and o.created_at >= (select first from next)::timestamp at time zone 'UTC'
         and o.created_at < (select "end" from next)::timestamp at time zone 'UTC'
       group by o.chain_id, o.vendor_id, day
     )
     update counted_days c set end_day = next."end" from next where c.chain_id = $1 and next.chain_id = c.chain_id`,
    [chainId, max],
  );
}

/** Deletes the numbers of days whose orders can no longer be read. These days no longer count as counted. */
export async function deleteOldDays(tx: Tx, readableDays: number): Promise<void> {
  const firstKept = `((now() at time zone 'UTC')::date - $1::int - 1)`;
  await tx.query(
    `with kept as (update counted_days set first_day = ${firstKept} where first_day < ${firstKept})
     delete from order_days where day < ${firstKept}`,
    [readableDays],
  );
}
