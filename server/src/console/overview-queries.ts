import { lateAfterMinutes } from '@aisle/contract/sizes';
import type { Db } from '../kernel/database/db.ts';

/**
 * What the operator sees of all chains at once. These statements only read, in the indexes by time or on tables that
 * contain only what is open.
 */
const openStatuses = "('RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED')";
/** As long as an order is not fulfilled, it is late when the store should have fulfilled it. */
const isLate = `o.status = 'RECEIVED'
  and coalesce(o.promised_for, o.created_at + interval '${lateAfterMinutes} minutes') < now()`;
const isOpen = `o.created_at > now() - interval '24 hours' and o.status in ${openStatuses}`;
const isClosed = "s.status <> 'OPEN' and (s.closed_until is null or s.closed_until > now())";
const isFailing = '(e.failing_since is not null or e.disabled_at is not null)';
const isRunning = "j.status in ('QUEUED', 'IN_PROGRESS') and j.created_at > now() - interval '30 days'";

/** The URL of the endpoint `e` of the webhook `w`, without its query, which can contain a secret. */
export const urlSql = `split_part(case when e.topic = 'catalog'
  then case when w.environment = 'staging' then w.staging_catalog_url else w.production_catalog_url end
  else case when w.environment = 'staging' then w.staging_url else w.production_url end end, '?', 1)`;

export function countOrdersByMinute(db: Db): Promise<{ minute: Date; orders: number }[]> {
  return db.query(
    `select m.minute, count(o.order_id)::int as orders
     from generate_series(date_trunc('minute', now()) - interval '59 minutes', date_trunc('minute', now()), '1 minute')
       as m (minute)
     left join (select order_id, date_trunc('minute', created_at) as minute from orders
       where created_at >= date_trunc('minute', now()) - interval '59 minutes') o using (minute)
     group by m.minute order by m.minute`,
  );
}

export function countOpenOrders(db: Db): Promise<{ status: string; orders: number; late: number }[]> {
  return db.query(
    `select o.status, count(*)::int as orders, (count(*) filter (where ${isLate}))::int as late
     from orders o where ${isOpen} group by o.status order by o.status`,
  );
}

export type OpenOrderRow = {
  order_id: string;
  order_code: string;
  chain_id: string;
  chain_name: string;
  vendor_id: string;
  vendor_name: string;
  status: string;
  is_late: boolean;
  promised_for: Date | null;
  created_at: Date;
};

export type OpenOrderFilter = {
  status?: string | undefined;
  is_late?: boolean | undefined;
  chain_id?: string | undefined;
  vendor_id?: string | undefined;
};

export function listOpenOrders(db: Db, filter: OpenOrderFilter, limit: number): Promise<OpenOrderRow[]> {
  return db.query(
    `select o.order_id, o.order_code, o.chain_id, c.name as chain_name, o.vendor_id, v.name as vendor_name, o.status,
       (${isLate}) as is_late, o.promised_for, o.created_at
     from orders o join vendors v on v.chain_id = o.chain_id and v.vendor_id = o.vendor_id
       join chains c on c.chain_id = o.chain_id
     where ${isOpen} and ($1::text is null or o.status = $1) and ($2::boolean is null or (${isLate}) = $2)
       and ($4::uuid is null or o.chain_id = $4) and ($5::text is null or o.vendor_id = $5)
     order by o.created_at, o.order_id limit $3`,
    [filter.status, filter.is_late, limit, filter.chain_id, filter.vendor_id],
  );
}

export function countClosedStores(db: Db): Promise<{ reason: string | null; stores: number }[]> {
  return db.query(
    `select s.closed_reason as reason, count(*)::int as stores from outlet_statuses s where ${isClosed}
     group by s.closed_reason order by stores desc, reason`,
  );
}

export type ClosedStoreRow = {
  chain_id: string;
  chain_name: string;
  vendor_id: string;
  vendor_name: string;
  status: string;
  closed_reason: string | null;
  closed_until: Date | null;
  closed_since: Date;
};

export function listClosedStores(db: Db, limit: number): Promise<ClosedStoreRow[]> {
  return db.query(
    `select s.chain_id, c.name as chain_name, s.vendor_id, v.name as vendor_name, s.status, s.closed_reason,
       s.closed_until, s.updated_at as closed_since
     from outlet_statuses s join vendors v on v.chain_id = s.chain_id and v.vendor_id = s.vendor_id
       join chains c on c.chain_id = s.chain_id
     where ${isClosed} order by s.updated_at desc limit $1`,
    [limit],
  );
}

export async function countFailingEndpoints(db: Db): Promise<number> {
  const rows = await db.query<{ count: number }>(`select count(*)::int as count from endpoints e where ${isFailing}`);
  return rows[0]?.count ?? 0;
}

export type FailingEndpointRow = {
  chain_id: string;
  chain_name: string;
  vendor_id: string | null;
  topic: 'orders' | 'catalog';
  url: string | null;
  failing_since: Date | null;
  disabled_at: Date | null;
  disabled_reason: 'GONE' | 'FAILING' | 'MANUAL' | null;
};

export function listFailingEndpoints(db: Db, limit: number): Promise<FailingEndpointRow[]> {
  return db.query(
    `select e.chain_id, c.name as chain_name, w.vendor_id, e.topic, e.failing_since, e.disabled_at, e.disabled_reason,
       ${urlSql} as url
     from endpoints e join webhooks w on w.chain_id = e.chain_id and w.webhook_id = e.webhook_id
       join chains c on c.chain_id = e.chain_id
     where ${isFailing} order by coalesce(e.failing_since, e.disabled_at) limit $1`,
    [limit],
  );
}

export async function countWaitingDeliveries(db: Db): Promise<{ waiting: number; oldest_seconds: number }> {
  const rows = await db.query<{ waiting: number; oldest_seconds: number }>(
    `select count(*)::int as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::int as oldest_seconds
     from deliveries where status in ('PENDING', 'FAILED')`,
  );
  return rows[0] as { waiting: number; oldest_seconds: number };
}

export async function countRunningJobs(db: Db): Promise<number> {
  const rows = await db.query<{ count: number }>(`select count(*)::int as count from jobs j where ${isRunning}`);
  return rows[0]?.count ?? 0;
}

export type RunningJobRow = {
  job_id: string;
  chain_id: string;
  chain_name: string;
  type: string;
  status: string;
  total: number;
  processed: number;
  apply_at: Date | null;
  created_at: Date;
};

export function listRunningJobs(db: Db, limit: number): Promise<RunningJobRow[]> {
  return db.query(
    `select j.job_id, j.chain_id, c.name as chain_name, j.type, j.status, j.total,
       j.succeeded + j.unchanged + j.failed as processed, case when j.is_scheduled then j.apply_at end as apply_at,
       j.created_at
     from jobs j join chains c on c.chain_id = j.chain_id where ${isRunning} order by j.created_at limit $1`,
    [limit],
  );
}

/** The names of these chains. */
export async function findChainNames(db: Db, chainIds: string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ chain_id: string; name: string }>(
    'select chain_id, name from chains where chain_id = any ($1)',
    [chainIds],
  );
  return new Map(rows.map(({ chain_id, name }) => [chain_id, name]));
}
