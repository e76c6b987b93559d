import type { Tx } from '../kernel/database/db.ts';
import { firstEndpointSql } from './lane-queries.ts';

/** Where to continue: deliveries before this position have been handled. */
export type Range = { endpoint_id: string; from_position: string; limit: number };

/** Lists pending deliveries to this endpoint, oldest first; if `vendorId` is given, only the vendor's, without pings. */
export function listPending(
  tx: Tx,
  chainId: string,
  range: Range,
  vendorId: string | null,
): Promise<{ lane_id: string; position: string }[]> {
  return tx.query(
    `select lane_id, position from deliveries
     where chain_id = $1 and endpoint_id = $2 and status in ('PENDING', 'FAILED') and position >= $3
       and ($5::text is null or (vendor_id = $5 and (order_id is not null or job_id is not null)))
     order by position limit $4`,
    [chainId, range.endpoint_id, range.from_position, range.limit, vendorId],
  );
}

export async function listLanesOf(tx: Tx, chainId: string, endpointId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ lane_id: string }>(
    'select lane_id from delivery_lanes where chain_id = $1 and endpoint_id = $2 limit $3',
    [chainId, endpointId, limit],
  );
  return rows.map(({ lane_id }) => lane_id);
}

/**
 * Gives up on the deliveries to this endpoint in these lanes. The caller must lock the lanes in an earlier statement.
 * `is not distinct from` makes sure that PostgreSQL looks up the lanes and does not read all deliveries to the endpoint.
 */
export async function markExhausted(tx: Tx, chainId: string, endpointId: string, laneIds: string[]): Promise<void> {
  await tx.query(
    `update deliveries set status = 'EXHAUSTED', next_attempt_at = null, updated_at = statement_timestamp()
     where chain_id = $1 and endpoint_id is not distinct from $2 and lane_id = any ($3) and status in ('PENDING', 'FAILED')`,
    [chainId, endpointId, laneIds],
  );
}

/** Deletes those of these lanes that have no pending deliveries left. The caller must lock the lanes first. */
export async function deleteLanesWithoutDeliveries(tx: Tx, chainId: string, laneIds: string[]): Promise<void> {
  await tx.query(
    `delete from delivery_lanes l where l.chain_id = $1 and l.lane_id = any ($2) and ${firstEndpointSql} is null`,
    [chainId, laneIds],
  );
}

/**
 * Those of these lanes that belong to this endpoint, which has no pending deliveries left in them, continue with their
 * other deliveries. The result of a running attempt is discarded.
 */
export async function detachLanes(tx: Tx, chainId: string, endpointId: string, laneIds: string[]): Promise<void> {
  await tx.query(
    `update delivery_lanes l
     set endpoint_id = ${firstEndpointSql}, due_at = now(), is_leased = false, claim = l.claim + 1
     where l.chain_id = $1 and l.endpoint_id = $2 and l.lane_id = any ($3)`,
    [chainId, endpointId, laneIds],
  );
}

/**
 * Moves the deliveries in these lanes, and the lanes, to another endpoint. The caller must lock the lanes first. For
 * `is not distinct from`, see `markExhausted`.
 */
export async function moveLanes(
  tx: Tx,
  chainId: string,
  endpoints: { from: string; to: string },
  laneIds: string[],
): Promise<void> {
  await tx.query(
    `with moved as (
       update deliveries set endpoint_id = $3
       where chain_id = $1 and endpoint_id is not distinct from $2 and lane_id = any ($4) and status in ('PENDING', 'FAILED')
     )
     update delivery_lanes set endpoint_id = $3 where chain_id = $1 and endpoint_id = $2 and lane_id = any ($4)`,
    [chainId, endpoints.from, endpoints.to, laneIds],
  );
}
