import type { Db, Tx } from '../kernel/database/db.ts';
import type { ClaimedLane, HeldLane, Lane } from './lane-queries.ts';
import type { DeliveryRow } from './queries.ts';

/**
 * What is done for one chain of a distributed database. Each statement is about one table and compares `chain_id` with a
 * parameter, so that the chain's node keeps its plan (decision 0126). On one PostgreSQL, statements for all chains do the
 * same with joins.
 */

/** The next endpoint that has lanes, by its id, and whether one of them is due. */
export async function findNextEndpoint(
  db: Db,
  chainId: string,
  afterId: string,
): Promise<{ endpoint_id: string; is_due: boolean } | undefined> {
  const rows = await db.query<{ endpoint_id: string; is_due: boolean }>(
    `select endpoint_id, due_at <= now() as is_due from delivery_lanes where chain_id = $1 and endpoint_id > $2
     order by endpoint_id, due_at limit 1`,
    [chainId, afterId],
  );
  return rows[0];
}

/** Locks due lanes of the endpoint, oldest first. Those that others have locked are skipped. */
export function lockDueLanes(
  tx: Tx,
  chainId: string,
  endpointId: string,
  limit: number,
): Promise<{ lane_id: string; due_at: Date }[]> {
  return tx.query(
    `select lane_id, due_at from delivery_lanes where chain_id = $1 and endpoint_id = $2 and due_at <= now()
     order by due_at limit $3 for update skip locked`,
    [chainId, endpointId, limit],
  );
}

/** Claims locked lanes. */
export function leaseLanes(tx: Tx, chainId: string, laneIds: string[], leaseSeconds: number): Promise<ClaimedLane[]> {
  return tx.query(
    `update delivery_lanes set due_at = now() + make_interval(secs => $3), is_leased = true, claim = claim + 1
     where chain_id = $1 and lane_id = any ($2) returning chain_id, lane_id, endpoint_id, claim`,
    [chainId, laneIds, leaseSeconds],
  );
}

/** Renews the leases of lanes that no other sender has claimed. */
export async function renewLeasesOf(
  db: Db,
  chainId: string,
  lanes: ClaimedLane[],
  leaseSeconds: number,
): Promise<void> {
  await db.query(
    `update delivery_lanes set due_at = now() + make_interval(secs => $4)
     where chain_id = $1 and lane_id = any ($2) and is_leased
       and claim = ($3::bigint[])[array_position($2::uuid[], lane_id)]`,
    [chainId, lanes.map((lane) => lane.lane_id), lanes.map((lane) => lane.claim), leaseSeconds],
  );
}

/**
 * The first pending delivery in each of these lanes that has one. There is a statement for each lane, sent together: with
 * an array of lanes, PostgreSQL would read all pending deliveries of the chain if it expects few.
 */
export async function listFirst(tx: Tx, chainId: string, laneIds: string[]): Promise<PendingRow[]> {
  const each = laneIds.map((laneId) =>
    tx.query<PendingRow>(
      `select ${pendingColumns} from deliveries
       where chain_id = $1 and lane_id = $2 and status in ('PENDING', 'FAILED') order by position limit 1`,
      [chainId, laneId],
    ),
  );
  return (await Promise.all(each)).flat();
}

const pendingColumns = `chain_id, lane_id, endpoint_id, delivery_id, event_id, is_platform, vendor_id, order_id, job_id,
  type, attempt_count, tries, staged_fault, created_at`;

export type PendingRow = Pick<
  DeliveryRow,
  | 'chain_id'
  | 'lane_id'
  | 'endpoint_id'
  | 'delivery_id'
  | 'event_id'
  | 'is_platform'
  | 'vendor_id'
  | 'order_id'
  | 'job_id'
  | 'type'
  | 'attempt_count'
  | 'tries'
  | 'staged_fault'
  | 'created_at'
>;

export type BodyRow = { event_id: string; body: string };

export function listBodies(db: Db, chainId: string, eventIds: string[]): Promise<BodyRow[]> {
  return db.query('select event_id, body::text as body from events where chain_id = $1 and event_id = any ($2)', [
    chainId,
    eventIds,
  ]);
}

export function listPlatformBodies(db: Db, chainId: string, eventIds: string[]): Promise<BodyRow[]> {
  return db.query(
    'select event_id, body::text as body from platform_events where chain_id = $1 and event_id = any ($2)',
    [chainId, eventIds],
  );
}

/** Locks the lanes that a sender holds, even if it is another one. */
export function lockLanesOf(tx: Tx, chainId: string, laneIds: string[]): Promise<HeldLane[]> {
  return tx.query(
    `select chain_id, lane_id, endpoint_id, claim, now() as held_at from delivery_lanes
     where chain_id = $1 and lane_id = any ($2) and is_leased order by lane_id for update`,
    [chainId, laneIds],
  );
}

export function deleteLanes(tx: Tx, chainId: string, laneIds: string[]): void {
  tx.send('delete from delivery_lanes where chain_id = $1 and lane_id = any ($2)', [chainId, laneIds]);
}

export function releaseLanes(tx: Tx, chainId: string, lanes: (Lane & { endpoint_id: string; due_at: Date })[]): void {
  tx.send(
    `update delivery_lanes set endpoint_id = ($3::uuid[])[array_position($2::uuid[], lane_id)],
       due_at = ($4::timestamptz[])[array_position($2::uuid[], lane_id)], is_leased = false
     where chain_id = $1 and lane_id = any ($2)`,
    [
      chainId,
      lanes.map((lane) => lane.lane_id),
      lanes.map((lane) => lane.endpoint_id),
      lanes.map((lane) => lane.due_at),
    ],
  );
}
