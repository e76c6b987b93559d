import type { Db } from '../kernel/database/db.ts';

/** Lanes with their endpoint: the one of a chain as `e`, or the webhook of the platform as `p`. */
const lanesSql = `delivery_lanes l left join endpoints e using (chain_id, endpoint_id)
  left join platform_webhooks p on p.webhook_id = l.endpoint_id`;
const isDueSql = `l.due_at <= now() and num_nonnulls(e.endpoint_id, p.webhook_id) > 0
  and num_nonnulls(e.disabled_at, p.disabled_at) = 0`;

export type Backlog = { lanes: number; due: number; oldest_seconds: number };

/**
 * Returns the backlog across all chains. `oldest_seconds` ignores failing endpoints, whose deliveries are expected to
 * wait. Lanes whose endpoint was deleted are not due, because their deliveries are about to be ended.
 */
export async function findBacklog(db: Db): Promise<Backlog> {
  const rows = await db.query<Backlog>(
    `select count(*)::int as lanes, (count(*) filter (where ${isDueSql}))::int as due,
       coalesce(extract(epoch from max(now() - l.due_at)
         filter (where ${isDueSql} and e.failing_since is null and p.failing_since is null)), 0)::float8 as oldest_seconds
     from ${lanesSql}`,
  );
  return rows[0] as Backlog;
}

/** Whether a delivery to a working endpoint, in any chain, has been due for more than two minutes. */
export async function isStalled(db: Db): Promise<boolean> {
  const rows = await db.query(
    `select 1 from ${lanesSql} where l.due_at < now() - interval '2 minutes' and ${isDueSql}
       and e.failing_since is null and p.failing_since is null limit 1`,
  );
  return rows.length > 0;
}
