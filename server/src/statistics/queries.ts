import type { OrderStatus } from '@aisle/contract/order';
import type { Db } from '../kernel/db.ts';
import type { AttemptsOfDay, ItemsOfDay, JobsOfDay, OrdersOfDay } from './rules/days.ts';

/** What is counted: of these vendors (null: all), made in this range, by the day it was where they are. */
export type Scope = { vendorIds: readonly string[] | null; from: Date; to: Date; timezone: string };

// The one place that reads the tables of several features: to count, and never to decide.
const inScope = `chain_id = $1 and ($2::text[] is null or vendor_id = any ($2))`;
const dayOf = (column: string) => `(${column} at time zone $5)::date::text`;

export function countOrders(db: Db, chainId: string, scope: Scope): Promise<(OrdersOfDay & { status: OrderStatus })[]> {
  return db.query(
    `select ${dayOf('created_at')} as day, status, count(*)::int as count from orders
     where ${inScope} and created_at >= $3 and created_at < $4 group by 1, 2`,
    values(chainId, scope),
  );
}

/** Lines of fulfilled orders: what the customer ordered, by what became of it, and what was added. */
export function countItems(db: Db, chainId: string, scope: Scope): Promise<ItemsOfDay[]> {
  return db.query(
    `select ${dayOf('o.created_at')} as day, sum(lines.ordered)::int as ordered, sum(lines.picked)::int as picked,
       sum(lines.not_found)::int as not_found, sum(lines.replaced)::int as replaced, sum(lines.added)::int as added
     from orders o, lateral (
       select count(*) filter (where line.status <> 'ADDITION' and line."replacedId" is null) as ordered,
         count(*) filter (where line.status = 'IN_CART' and line."replacedId" is null) as picked,
         count(*) filter (where line.status = 'NOT_FOUND') as not_found,
         count(*) filter (where line.status = 'REPLACED') as replaced,
         count(*) filter (where line.status = 'ADDITION') as added
       from jsonb_to_recordset(o.items) as line (status text, "replacedId" text)
     ) lines
     where ${inScope} and o.created_at >= $3 and o.created_at < $4
       and o.status in ('READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'PICKED_UP')
     group by 1`,
    values(chainId, scope),
  );
}

export function countAttempts(db: Db, chainId: string, scope: Scope): Promise<AttemptsOfDay[]> {
  return db.query(
    `select ${dayOf('a.started_at')} as day, count(*) filter (where a.outcome = 'success')::int as succeeded,
       count(*) filter (where a.outcome <> 'success')::int as failed ${attemptsInScope} group by 1`,
    values(chainId, scope),
  );
}

export async function measureAttempts(db: Db, chainId: string, scope: Scope) {
  const rows = await db.query<{ median_ms: number | null; slow_ms: number | null }>(
    `select percentile_disc(0.5) within group (order by a.duration_ms) as median_ms,
       percentile_disc(0.95) within group (order by a.duration_ms) as slow_ms
     ${attemptsInScope} and a.outcome = 'success' and $5::text is not null`,
    values(chainId, scope),
  );
  return rows[0] ?? { median_ms: null, slow_ms: null };
}

export async function countOpenDeliveries(db: Db, chainId: string, scope: Scope) {
  const rows = await db.query<{ pending: number; exhausted: number }>(
    `select count(*) filter (where status in ('PENDING', 'FAILED'))::int as pending,
       count(*) filter (where status = 'EXHAUSTED')::int as exhausted
     from deliveries where ${inScope} and created_at >= $3 and created_at < $4`,
    values(chainId, scope).slice(0, 4),
  );
  return rows[0] ?? { pending: 0, exhausted: 0 };
}

export function countJobs(db: Db, chainId: string, scope: Scope): Promise<JobsOfDay[]> {
  return db.query(
    `select ${dayOf('created_at')} as day,
       count(*) filter (where status in ('QUEUED', 'IN_PROGRESS'))::int as running,
       count(*) filter (where status = 'COMPLETED')::int as completed,
       count(*) filter (where status = 'FAILED')::int as failed
     from jobs where chain_id = $1 and ($2::text[] is null or vendor_ids <@ $2) and created_at >= $3 and created_at < $4
     group by 1`,
    values(chainId, scope),
  );
}

const attemptsInScope = `from deliveries d join delivery_attempts a using (chain_id, delivery_id)
  where d.chain_id = $1 and ($2::text[] is null or d.vendor_id = any ($2)) and a.started_at >= $3 and a.started_at < $4`;

function values(chainId: string, { vendorIds, from, to, timezone }: Scope): unknown[] {
  return [chainId, vendorIds, from, to, timezone];
}
