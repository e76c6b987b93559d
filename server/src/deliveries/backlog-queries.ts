import { type Db, idleLimit, type Tx } from '../kernel/database/db.ts';
import { inScope, type Scope } from '../kernel/database/scope.ts';
import { type Lane, laneValues } from './lane-queries.ts';

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

/** Unlike `not exists`, this looks up each lane, even if PostgreSQL expects few of them. */
const emptySql = `not l.is_leased and (
  select d.lane_id from deliveries d where ${inScope('d', '$1')} and d.chain_id = l.chain_id and d.lane_id = l.lane_id
    and d.status in ('PENDING', 'FAILED') limit 1) is null`;

/** Locks the lanes that have no pending deliveries left, except those that other transactions have locked. */
export async function lockEmptyLanes(tx: Tx, scope: Scope): Promise<Lane[]> {
  await tx.query(`select ${idleLimit()}`);
  return tx.query(
    `select l.chain_id, l.lane_id from delivery_lanes l where ${inScope('l', '$1')} and ${emptySql}
     for update skip locked`,
    [scope],
  );
}

/** Deletes these lanes, except those that got a delivery before they were locked. */
export async function deleteEmptyLanes(tx: Tx, scope: Scope, lanes: Lane[]): Promise<void> {
  await tx.query(
    `delete from delivery_lanes l using unnest($2::uuid[], $3::uuid[]) as given (chain_id, lane_id)
     where ${inScope('l', '$1')} and l.chain_id = given.chain_id and l.lane_id = given.lane_id and ${emptySql}`,
    [scope, ...laneValues(lanes)],
  );
}

/**
 * Whether deliveries to a working endpoint have been due for more than two minutes although nothing is being sent to it.
 * If a receiver is slow, its backlog waits, and with many slow receivers, so do the other endpoints of the chain.
 */
export async function isStalled(db: Db): Promise<boolean> {
  const sent = 'delivery_lanes held where held.is_leased and held.due_at > now()';
  // The platform's endpoints have lanes in many chains, so they are compared without the chain, and not row by row, which
  // a distributed database cannot do.
  const rows = await db.query(
    `select 1 from ${lanesSql} where l.due_at < now() - interval '2 minutes' and ${isDueSql}
       and e.failing_since is null and p.failing_since is null
       and not exists (select from ${sent} and held.chain_id = l.chain_id)
       and l.endpoint_id not in (select held.endpoint_id from ${sent}) limit 1`,
  );
  return rows.length > 0;
}
