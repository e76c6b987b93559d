import type { Db } from '../kernel/database/db.ts';
import { inScope, type Scope } from '../kernel/database/scope.ts';
import type { ClaimedLane } from './lane-queries.ts';

/** The capacity a sender has left. */
export type Share = {
  count: number;
  /** The maximum number of lanes for each reliability level: proven, unknown, failing, slow. */
  capacity: number[];
  /**
   * The endpoints this sender has tried, each with its reliability level (starting at 1) and maximum number of lanes.
   */
  endpoints: Map<string, { reliability: number; slots: number }>;
  /**
   * The slots for each endpoint this sender has not tried. Whether such an endpoint is failing is read from the
   * database.
   */
  newEndpointSlots: number;
  /** The slots left for each chain with running attempts. */
  busyChains: Map<string, number>;
  /** The slots for each other chain. */
  slotsPerChain: number;
};

export type LaneRequest = Share & {
  /** The chain served last. This round starts with the next one. */
  afterChain: string;
  leaseSeconds: number;
};

/**
 * Claims due lanes, round-robin by chain, and within a chain round-robin by endpoint. A loose index scan visits each
 * endpoint with one probe, however many lanes it has, and neither an endpoint nor a chain gets more lanes than its
 * limit. Disabled and deleted endpoints are skipped. Every index lookup starts with the chain id. A webhook of the
 * platform has lanes in many chains, so its limit is applied to all of them together, and those of a chain do not count
 * toward the chain's limit: the platform must hear of a chain whose own receivers are slow.
 */
export function claimLanes(db: Db, scope: Scope, request: LaneRequest): Promise<ClaimedLane[]> {
  return db.query(
    `with recursive ends as (
       (select f.chain_id, f.endpoint_id, f.due_at from delivery_lanes f where ${inScope('f', '$12')}
        order by f.chain_id, f.endpoint_id, f.due_at limit 1)
       union all
       select next.chain_id, next.endpoint_id, next.due_at from ends, lateral (
         select l.chain_id, l.endpoint_id, l.due_at from delivery_lanes l
         where ${inScope('l', '$12')} and (l.chain_id, l.endpoint_id) > (ends.chain_id, ends.endpoint_id)
         order by l.chain_id, l.endpoint_id, l.due_at limit 1) next
     ), known as (
       select ends.chain_id, ends.endpoint_id, p.webhook_id is not null as is_platform, coalesce(given.slots, $5) as slots,
         coalesce(given.standing, case when coalesce(e.failing_since, p.failing_since) is null then 2 else 3 end) as standing
       from ends
       left join endpoints e on ${inScope('e', '$12')} and e.chain_id = ends.chain_id and e.endpoint_id = ends.endpoint_id
       left join platform_webhooks p on p.webhook_id = ends.endpoint_id
       left join unnest($2::uuid[], $3::int[], $4::int[]) as given (endpoint_id, standing, slots)
         on given.endpoint_id = ends.endpoint_id
       where ends.due_at <= now() and (e.endpoint_id is not null or p.webhook_id is not null)
         and coalesce(e.disabled_at, p.disabled_at) is null
     ), turn as (
       select chain_id, endpoint_id, is_platform, standing, least(slots, ($6::int[])[standing]) as slots
       from known where slots > 0 and ($6::int[])[standing] > 0
     ), due as (
       select l.chain_id, l.lane_id, l.due_at, turn.endpoint_id, turn.is_platform, turn.slots, turn.standing,
         row_number() over (partition by turn.chain_id, turn.endpoint_id order by l.due_at) as round
       from turn, lateral (
         select q.chain_id, q.lane_id, q.due_at from delivery_lanes q
         where ${inScope('q', '$12')} and q.chain_id = turn.chain_id and q.endpoint_id = turn.endpoint_id
           and q.due_at <= now()
         order by q.due_at limit turn.slots for update skip locked) l
     ), of_endpoint as (
       select *, row_number() over (partition by endpoint_id order by round, due_at) as turn_of_endpoint from due
     ), of_chain as (
       select *, row_number() over (partition by chain_id, is_platform order by round, standing, due_at) as turn_of_chain
       from of_endpoint where turn_of_endpoint <= slots
     ), ranked as (
       select o.*, row_number() over (
         partition by standing order by turn_of_chain, o.chain_id <= $7::uuid, o.chain_id) as nth
       from of_chain o left join unnest($9::uuid[], $10::int[]) as busy (chain_id, slots) on busy.chain_id = o.chain_id
       where is_platform or turn_of_chain <= coalesce(busy.slots, $11)
     ), chosen as (
       select chain_id, lane_id from ranked where nth <= ($6::int[])[standing]
       order by standing, turn_of_chain, chain_id <= $7::uuid, chain_id limit $1
     )
     update delivery_lanes l
     set due_at = now() + make_interval(secs => $8), is_leased = true, claim = l.claim + 1
     from chosen where ${inScope('l', '$12')} and l.chain_id = chosen.chain_id and l.lane_id = chosen.lane_id
     returning l.chain_id, l.lane_id, l.endpoint_id, l.claim`,
    claimParameters(scope, request),
  );
}

function claimParameters(scope: Scope, request: LaneRequest): unknown[] {
  return [
    request.count,
    [...request.endpoints.keys()],
    [...request.endpoints.values()].map(({ reliability }) => reliability),
    [...request.endpoints.values()].map(({ slots }) => slots),
    request.newEndpointSlots,
    request.capacity,
    request.afterChain,
    request.leaseSeconds,
    [...request.busyChains.keys()],
    [...request.busyChains.values()],
    request.slotsPerChain,
    scope,
  ];
}

/** The chains that have due lanes, among these or (null) all chains. */
export async function listDueChains(db: Db, chainIds: readonly string[] | null): Promise<string[]> {
  const rows = await db.query<{ chain_id: string }>(
    `select distinct chain_id from delivery_lanes
     where due_at <= now() and ($1::uuid[] is null or chain_id = any ($1))`,
    [chainIds],
  );
  return rows.map(({ chain_id }) => chain_id);
}
