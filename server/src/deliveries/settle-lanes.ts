import type { Db, Tx } from '../kernel/database/db.ts';
import type { Scope } from '../kernel/database/scope.ts';
import { deleteLanes, listFirst, lockLanesOf, releaseLanes, renewLeasesOf } from './chain-queries.ts';
import { type ClaimedLane, type HeldLane, type Lane, lockLanes, renewLeases, settleLanes } from './lane-queries.ts';

/** Renews the leases of lanes that this sender still holds. */
export function renewHeldLanes(db: Db, scope: Scope, lanes: ClaimedLane[], leaseSeconds: number): Promise<void> {
  return scope === null ? renewLeases(db, scope, lanes, leaseSeconds) : renewLeasesOf(db, scope, lanes, leaseSeconds);
}

/** Locks the lanes that this sender still holds, see `lockLanes`. */
export async function lockHeldLanes(tx: Tx, scope: Scope, lanes: ClaimedLane[]): Promise<HeldLane[]> {
  if (scope === null) return lockLanes(tx, scope, lanes);
  const claims = new Set(lanes.map(claimOf));
  const locked = await lockLanesOf(tx, scope, idsOf(lanes));
  return locked.filter((lane) => claims.has(claimOf(lane)));
}

/** Releases locked lanes, see `settleLanes`. */
export async function settleHeldLanes(tx: Tx, scope: Scope, lanes: (Lane & { due_at: Date })[]): Promise<void> {
  if (scope === null) return settleLanes(tx, scope, lanes);
  const pending = await listFirst(tx, scope, idsOf(lanes));
  const first = new Map(pending.map((delivery) => [delivery.lane_id, delivery]));
  const open = lanes.flatMap((lane) => {
    const endpoint_id = first.get(lane.lane_id)?.endpoint_id;
    return endpoint_id === undefined ? [] : [{ ...lane, endpoint_id }];
  });
  const ended = lanes.filter((lane) => !first.has(lane.lane_id));
  if (ended.length > 0) deleteLanes(tx, scope, idsOf(ended));
  if (open.length > 0) releaseLanes(tx, scope, open);
}

function claimOf({ lane_id, claim }: ClaimedLane): string {
  return `${lane_id} ${claim}`;
}

function idsOf(lanes: Lane[]): string[] {
  return lanes.map((lane) => lane.lane_id);
}
