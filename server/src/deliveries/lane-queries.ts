import { type Db, idleLimit, type Tx } from '../kernel/database/db.ts';
import type { StagedFault } from '../events/index.ts';
import type { Environment, Topic } from '../webhooks/index.ts';

/** The capacity a sender has left. */
export type Share = {
  count: number;
  /** The maximum number of lanes for each reliability level: proven, unknown, failing. */
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
};

/** A lane that this sender holds until the lease expires. */
export type ClaimedLane = { chain_id: string; lane_id: string; endpoint_id: string; claim: string };

/** The first pending delivery in a claimed lane, with everything needed to send it. */
export type Head = ClaimedLane & {
  delivery_id: string;
  /** The id of the message. For a chain's delivery, the same as `delivery_id`. */
  event_id: string;
  /** Whether it is sent to a webhook of the platform. */
  is_platform: boolean;
  vendor_id: string | null;
  type: string;
  attempt_count: number;
  tries: number;
  staged_fault: StagedFault | null;
  created_at: Date;
  /** Null for a ping. */
  body: string | null;
  topic: Topic;
  address_no: number;
  failing_since: Date | null;
  webhook_id: string;
  environment: Environment;
  staging_url: string | null;
  production_url: string | null;
  staging_catalog_url: string | null;
  production_catalog_url: string | null;
  secret_sealed: Buffer | null;
  signing_sealed: Buffer;
  previous_signing_sealed: Buffer | null;
  previous_signing_until: Date | null;
};

export type LaneRequest = Share & {
  /** The endpoint served last. This round starts with the next one. */
  after: { chainId: string; endpointId: string };
  leaseSeconds: number;
};

type Lane = { chain_id: string; lane_id: string };

export const dueChannel = 'aisle_deliveries_due';

/** Makes senders poll as soon as the transaction is committed. */
export function announceDue(tx: Tx): void {
  tx.announce(dueChannel);
}

/**
 * Inserts new lanes, which are due immediately. Locks existing lanes, so that their senders see the added deliveries.
 * An existing lane keeps its endpoint, which is that of its first pending delivery.
 */
export async function openLanes(tx: Tx, lanes: (Lane & { endpoint_id: string })[]): Promise<void> {
  await tx.query(
    `insert into delivery_lanes (chain_id, lane_id, endpoint_id)
     select distinct on (chain_id, lane_id) chain_id, lane_id, endpoint_id
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as given (chain_id, lane_id, endpoint_id)
     order by chain_id, lane_id
     on conflict (chain_id, lane_id) do update set endpoint_id = delivery_lanes.endpoint_id`,
    [...laneValues(lanes), lanes.map((lane) => lane.endpoint_id)],
  );
}

/** The endpoint of the first pending delivery in the lane `l`, or null. */
export const firstEndpointSql = `(select d.endpoint_id from deliveries d where d.chain_id = l.chain_id and d.lane_id = l.lane_id
  and d.status in ('PENDING', 'FAILED') order by d.position limit 1)`;

/**
 * Makes these lanes due now, unless a sender holds them. Their first deliveries can have changed, so they get the
 * endpoints of these.
 */
export async function makeLanesDue(tx: Tx, chainId: string, laneIds: string[]): Promise<void> {
  await tx.query(
    `update delivery_lanes l
     set endpoint_id = coalesce(${firstEndpointSql}, l.endpoint_id),
       due_at = case when l.is_leased then l.due_at else least(l.due_at, now()) end
     where l.chain_id = $1 and l.lane_id = any ($2)
       and ((not l.is_leased and l.due_at > now()) or l.endpoint_id <> ${firstEndpointSql})`,
    [chainId, laneIds],
  );
}

/** Until the transaction ends, no sender can release these lanes, and the publisher waits if it adds to them. */
export async function lockLanesById(tx: Tx, chainId: string, laneIds: string[]): Promise<void> {
  await tx.query(`select ${idleLimit()}`);
  await tx.query(
    'select 1 from delivery_lanes where chain_id = $1 and lane_id = any ($2) order by lane_id for update',
    [chainId, laneIds],
  );
}

/**
 * Claims due lanes, round-robin by endpoint. A loose index scan visits each endpoint with one probe, however many lanes
 * it has, and an endpoint never gets more lanes than its limit. Disabled and deleted endpoints are skipped. The query
 * covers all chains, and every index lookup starts with the chain id. A webhook of the platform has lanes in many chains,
 * so its limit is applied to all of them together.
 */
export function claimLanes(db: Db, request: LaneRequest): Promise<ClaimedLane[]> {
  return db.query(
    `with recursive ends as (
       (select chain_id, endpoint_id, due_at from delivery_lanes order by chain_id, endpoint_id, due_at limit 1)
       union all
       select next.chain_id, next.endpoint_id, next.due_at from ends, lateral (
         select l.chain_id, l.endpoint_id, l.due_at from delivery_lanes l
         where (l.chain_id, l.endpoint_id) > (ends.chain_id, ends.endpoint_id)
         order by l.chain_id, l.endpoint_id, l.due_at limit 1) next
     ), known as (
       select ends.chain_id, ends.endpoint_id, coalesce(given.slots, $5) as slots,
         coalesce(given.standing, case when coalesce(e.failing_since, p.failing_since) is null then 2 else 3 end) as standing
       from ends
       left join endpoints e on e.chain_id = ends.chain_id and e.endpoint_id = ends.endpoint_id
       left join platform_webhooks p on p.webhook_id = ends.endpoint_id
       left join unnest($2::uuid[], $3::int[], $4::int[]) as given (endpoint_id, standing, slots)
         on given.endpoint_id = ends.endpoint_id
       where ends.due_at <= now() and (e.endpoint_id is not null or p.webhook_id is not null)
         and coalesce(e.disabled_at, p.disabled_at) is null
     ), turn as (
       select chain_id, endpoint_id, standing, least(slots, ($6::int[])[standing]) as slots,
         row_number() over (order by (chain_id, endpoint_id) <= ($7::uuid, $8::uuid), chain_id, endpoint_id) as place
       from known where slots > 0 and ($6::int[])[standing] > 0
     ), due as (
       select l.chain_id, l.lane_id, turn.endpoint_id, turn.slots, turn.standing, turn.place,
         row_number() over (partition by turn.place order by l.due_at) as round
       from turn, lateral (
         select q.chain_id, q.lane_id, q.due_at from delivery_lanes q
         where q.chain_id = turn.chain_id and q.endpoint_id = turn.endpoint_id and q.due_at <= now()
         order by q.due_at limit turn.slots for update skip locked) l
     ), counted as (
       select *, row_number() over (partition by endpoint_id order by round, place) as nth_of_endpoint from due
     ), ranked as (
       select *, row_number() over (partition by standing order by round, place) as nth from counted
       where nth_of_endpoint <= slots
     ), chosen as (
       select chain_id, lane_id from ranked where nth <= ($6::int[])[standing] order by standing, round, place limit $1
     )
     update delivery_lanes l
     set due_at = now() + make_interval(secs => $9), is_leased = true, claim = l.claim + 1
     from chosen where l.chain_id = chosen.chain_id and l.lane_id = chosen.lane_id
     returning l.chain_id, l.lane_id, l.endpoint_id, l.claim`,
    [
      request.count,
      [...request.endpoints.keys()],
      [...request.endpoints.values()].map(({ reliability }) => reliability),
      [...request.endpoints.values()].map(({ slots }) => slots),
      request.newEndpointSlots,
      request.capacity,
      request.after.chainId,
      request.after.endpointId,
      request.leaseSeconds,
    ],
  );
}

/**
 * Returns the first pending delivery in each lane. This must be a separate statement after the claim, so that it sees
 * the previous sender's changes. A lane has none if its first delivery has to wait for `pending-deliveries.ts`: its
 * endpoint was deleted, or the vendor's new webhook takes it over.
 */
export function listHeads(db: Db, lanes: ClaimedLane[]): Promise<Head[]> {
  return db.query(
    `select l.*, d.endpoint_id, d.delivery_id, coalesce(d.event_id, d.delivery_id) as event_id, d.is_platform, d.vendor_id,
       d.type, d.attempt_count, d.tries, d.staged_fault, d.created_at, coalesce(e.body, pe.body)::text as body,
       coalesce(p.topic, 'orders') as topic, coalesce(p.address_no, pw.address_no) as address_no,
       coalesce(p.failing_since, pw.failing_since) as failing_since, coalesce(w.webhook_id, pw.webhook_id) as webhook_id,
       coalesce(w.environment, 'production') as environment, w.staging_url,
       coalesce(w.production_url, pw.url) as production_url, w.staging_catalog_url, w.production_catalog_url,
       coalesce(w.secret_sealed, pw.secret_sealed) as secret_sealed,
       coalesce(w.signing_sealed, pw.signing_sealed) as signing_sealed,
       coalesce(w.previous_signing_sealed, pw.previous_signing_sealed) as previous_signing_sealed,
       coalesce(w.previous_signing_until, pw.previous_signing_until) as previous_signing_until
     from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as l (chain_id, lane_id, claim)
     join lateral (
       select * from deliveries o where o.chain_id = l.chain_id and o.lane_id = l.lane_id
         and o.status in ('PENDING', 'FAILED') order by o.position limit 1
     ) d on true
     left join endpoints p on p.chain_id = l.chain_id and p.endpoint_id = d.endpoint_id
     left join webhooks w on w.chain_id = l.chain_id and w.webhook_id = p.webhook_id
     left join platform_webhooks pw on d.is_platform and pw.webhook_id = d.endpoint_id
     left join events e on e.chain_id = l.chain_id and e.event_id = coalesce(d.event_id, d.delivery_id)
     left join platform_events pe on d.is_platform and pe.chain_id = l.chain_id and pe.event_id = d.event_id
     where pw.webhook_id is not null or (w.webhook_id is not null and (
       w.vendor_id is not null or (d.order_id is null and d.job_id is null) or not exists (
         select from webhooks own where own.chain_id = l.chain_id and own.vendor_id = d.vendor_id)))`,
    claimValues(lanes),
  );
}

export async function renewLeases(db: Db, lanes: ClaimedLane[], leaseSeconds: number): Promise<void> {
  await db.query(
    `update delivery_lanes l set due_at = now() + make_interval(secs => $4)
     from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as held (chain_id, lane_id, claim)
     where l.chain_id = held.chain_id and l.lane_id = held.lane_id and l.claim = held.claim and l.is_leased`,
    [...claimValues(lanes), leaseSeconds],
  );
}

/**
 * Locks the lanes that this sender still holds, in a fixed order, and returns them. The publisher waits if it adds to
 * them, so the transaction must have an idle limit.
 */
export function lockLanes(tx: Tx, lanes: ClaimedLane[]): Promise<ClaimedLane[]> {
  return tx.query(
    `select l.chain_id, l.lane_id, l.endpoint_id, l.claim from delivery_lanes l
     join unnest($1::uuid[], $2::uuid[], $3::bigint[]) as held (chain_id, lane_id, claim)
       on l.chain_id = held.chain_id and l.lane_id = held.lane_id and l.claim = held.claim
     order by l.chain_id, l.lane_id for update of l`,
    claimValues(lanes),
  );
}

/**
 * Releases lanes. Each is due again after its `retrySeconds` or, if that is null, now. It gets the endpoint of its first
 * pending delivery, or is deleted if there is none. The caller must lock the lanes in an earlier statement, so that this statement sees deliveries that
 * were added while the caller waited for the locks.
 */
export async function settleLanes(tx: Tx, lanes: Lane[], retrySeconds: (number | null)[]): Promise<void> {
  await tx.query(
    `with settled as (
       select s.*, (
         select d.endpoint_id from deliveries d where d.chain_id = s.chain_id and d.lane_id = s.lane_id
           and d.status in ('PENDING', 'FAILED') order by d.position limit 1) as endpoint_id
       from unnest($1::uuid[], $2::uuid[], $3::float8[]) as s (chain_id, lane_id, retry_seconds)
     ), ended as (
       delete from delivery_lanes l using settled s
       where l.chain_id = s.chain_id and l.lane_id = s.lane_id and s.endpoint_id is null
     )
     update delivery_lanes l
     set endpoint_id = s.endpoint_id, due_at = now() + make_interval(secs => coalesce(s.retry_seconds, 0)), is_leased = false
     from settled s where l.chain_id = s.chain_id and l.lane_id = s.lane_id and s.endpoint_id is not null`,
    [...laneValues(lanes), retrySeconds],
  );
}

function laneValues(lanes: Lane[]): [string[], string[]] {
  return [lanes.map((lane) => lane.chain_id), lanes.map((lane) => lane.lane_id)];
}

function claimValues(lanes: ClaimedLane[]): [string[], string[], string[]] {
  return [...laneValues(lanes), lanes.map((lane) => lane.claim)];
}

const emptySql = `not l.is_leased and not exists (
  select from deliveries d where d.chain_id = l.chain_id and d.lane_id = l.lane_id and d.status in ('PENDING', 'FAILED'))`;

/** Locks the lanes, in all chains, that have no pending deliveries left, in the same order as other transactions. */
export async function lockEmptyLanes(tx: Tx): Promise<Lane[]> {
  await tx.query(`select ${idleLimit()}`);
  return tx.query(
    `select l.chain_id, l.lane_id from delivery_lanes l where ${emptySql} order by l.chain_id, l.lane_id for update`,
  );
}

/** Deletes these lanes, except those that got a delivery before they were locked. */
export async function deleteEmptyLanes(tx: Tx, lanes: Lane[]): Promise<void> {
  await tx.query(
    `delete from delivery_lanes l using unnest($1::uuid[], $2::uuid[]) as given (chain_id, lane_id)
     where l.chain_id = given.chain_id and l.lane_id = given.lane_id and ${emptySql}`,
    laneValues(lanes),
  );
}
