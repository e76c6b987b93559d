import { randomInt } from 'node:crypto';
import { type Db, idleLimit, type Tx } from '../kernel/database/db.ts';
import { inScope, type Scope } from '../kernel/database/scope.ts';
import type { StagedFault } from '../events/index.ts';
import type { Environment, Topic } from '../webhooks/index.ts';

/** A lane that this sender holds until the lease expires. */
export type ClaimedLane = { chain_id: string; lane_id: string; endpoint_id: string; claim: string };

/** A claimed lane that is locked. `held_at` is the time of the database with its row. */
export type HeldLane = ClaimedLane & { held_at: Date };

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

export type Lane = { chain_id: string; lane_id: string };

export const dueChannel = 'aisle_deliveries_due';

/** Makes senders poll, in all chains by default, as soon as the transaction is committed. */
export function announceDue(tx: Tx, chainId?: string): void {
  tx.announce(dueChannel, chainId);
}

/**
 * Inserts new lanes, which are due immediately. Locks existing lanes, so that their senders see the added deliveries.
 * An existing lane keeps its endpoint, which is that of its first pending delivery.
 */
export async function openLanes(tx: Tx, lanes: (Lane & { endpoint_id: string })[]): Promise<void> {
  await tx.query(
    `insert into delivery_lanes (chain_id, lane_id, endpoint_id, claim)
     select distinct on (chain_id, lane_id) chain_id, lane_id, endpoint_id, $4::bigint
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as given (chain_id, lane_id, endpoint_id)
     order by chain_id, lane_id
     on conflict (chain_id, lane_id) do update set endpoint_id = delivery_lanes.endpoint_id`,
    [...laneValues(lanes), lanes.map((lane) => lane.endpoint_id), firstClaim()],
  );
}

/** The same for new deliveries of one chain. A distributed database executes it on the node with the chain. */
export function openLanesFor(tx: Tx, chainId: string, deliveryIds: string[]): void {
  tx.send(
    `insert into delivery_lanes (chain_id, lane_id, endpoint_id, claim)
     select distinct on (d.chain_id, d.lane_id) d.chain_id, d.lane_id, d.endpoint_id, $3::bigint from deliveries d
     where d.chain_id = $1 and d.delivery_id = any ($2) and d.status = 'PENDING'
     order by d.chain_id, d.lane_id, d.position
     on conflict (chain_id, lane_id) do update set endpoint_id = delivery_lanes.endpoint_id`,
    [chainId, deliveryIds, firstClaim()],
  );
}

/**
 * The number from which the claims of a new lane are counted. A lane that was deleted while an attempt was running can
 * come back with its id. If its claims began at the same number again, the result of that attempt would be taken for one
 * of the new lane.
 */
function firstClaim(): number {
  return randomInt(2 ** 47);
}

/** The endpoint of the first pending delivery in the lane `l` of the chain `$1`, or null. */
export const firstEndpointSql = firstPendingSql('endpoint_id');

function firstPendingSql(column: 'endpoint_id' | 'delivery_id'): string {
  return `(select d.${column} from deliveries d where d.chain_id = $1 and d.lane_id = l.lane_id
  and d.status in ('PENDING', 'FAILED') order by d.position limit 1)`;
}

/**
 * Discards the results of running attempts at these deliveries, which are about to be resent, and makes their lanes due
 * now. Such a result belongs to the previous retry schedule, and could end the delivery. The delivery can also get into
 * another lane, and the next attempt there would have the same number. The caller must lock the lanes first.
 */
export async function discardAttempts(
  tx: Tx,
  chainId: string,
  laneIds: string[],
  deliveryIds: string[],
): Promise<void> {
  await tx.query(
    `update delivery_lanes l set due_at = now(), is_leased = false, claim = l.claim + 1
     where l.chain_id = $1 and l.lane_id = any ($2) and l.is_leased and ${firstPendingSql('delivery_id')} = any ($3)`,
    [chainId, laneIds, deliveryIds],
  );
}

/**
 * Makes these lanes due now, unless a sender holds them. Their first deliveries can have changed, so they get the
 * endpoints of these.
 */
export async function makeLanesDue(tx: Tx, chainId: string, laneIds: string[]): Promise<void> {
  await tx.query(
    `update delivery_lanes l
     set endpoint_id = coalesce(${firstEndpointSql}, l.endpoint_id),
       due_at = case when l.is_leased then l.due_at else least(l.due_at, clock.time) end
     from (select now() as time) clock
     where l.chain_id = $1 and l.lane_id = any ($2)
       and ((not l.is_leased and l.due_at > clock.time) or l.endpoint_id <> ${firstEndpointSql})`,
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
 * Returns the first pending delivery in each lane. This must be a separate statement after the claim, so that it sees
 * the previous sender's changes. A lane has none if its first delivery has to wait for `pending-deliveries.ts`: its
 * endpoint was deleted, or the vendor's new webhook takes it over.
 */
export function listHeads(db: Db, scope: Scope, lanes: ClaimedLane[]): Promise<Head[]> {
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
     from unnest($2::uuid[], $3::uuid[], $4::bigint[]) as l (chain_id, lane_id, claim)
     join lateral (
       select * from deliveries o where ${inScope('o', '$1')} and o.chain_id = l.chain_id and o.lane_id = l.lane_id
         and o.status in ('PENDING', 'FAILED') order by o.position limit 1
     ) d on true
     left join endpoints p on ${inScope('p', '$1')} and p.chain_id = l.chain_id and p.endpoint_id = d.endpoint_id
     left join webhooks w on ${inScope('w', '$1')} and w.chain_id = l.chain_id and w.webhook_id = p.webhook_id
     left join platform_webhooks pw on d.is_platform and pw.webhook_id = d.endpoint_id
     left join events e on ${inScope('e', '$1')} and e.chain_id = l.chain_id
       and e.event_id = coalesce(d.event_id, d.delivery_id)
     left join platform_events pe on ${inScope('pe', '$1')} and d.is_platform and pe.chain_id = l.chain_id
       and pe.event_id = d.event_id
     where pw.webhook_id is not null or (w.webhook_id is not null and (
       w.vendor_id is not null or (d.order_id is null and d.job_id is null) or not exists (
         select from webhooks own
         where ${inScope('own', '$1')} and own.chain_id = l.chain_id and own.vendor_id = d.vendor_id)))`,
    [scope, ...claimValues(lanes)],
  );
}

export async function renewLeases(db: Db, scope: Scope, lanes: ClaimedLane[], leaseSeconds: number): Promise<void> {
  await db.query(
    `update delivery_lanes l set due_at = now() + make_interval(secs => $5)
     from unnest($2::uuid[], $3::uuid[], $4::bigint[]) as held (chain_id, lane_id, claim)
     where ${inScope('l', '$1')} and l.chain_id = held.chain_id and l.lane_id = held.lane_id and l.claim = held.claim
       and l.is_leased`,
    [scope, ...claimValues(lanes), leaseSeconds],
  );
}

/**
 * Locks the lanes that this sender still holds, in a fixed order, and returns them with the database's time. The
 * publisher waits if it adds to them, so the transaction must have an idle limit. A lane that was released by a
 * transaction whose response was lost is not held.
 */
export function lockLanes(tx: Tx, scope: Scope, lanes: ClaimedLane[]): Promise<HeldLane[]> {
  return tx.query(
    `select l.chain_id, l.lane_id, l.endpoint_id, l.claim, now() as held_at from delivery_lanes l
     join unnest($2::uuid[], $3::uuid[], $4::bigint[]) as held (chain_id, lane_id, claim)
       on l.chain_id = held.chain_id and l.lane_id = held.lane_id and l.claim = held.claim
     where ${inScope('l', '$1')} and l.is_leased order by l.chain_id, l.lane_id for update of l`,
    [scope, ...claimValues(lanes)],
  );
}

/**
 * Releases lanes, each with the time when it is due again. It gets the endpoint of its first pending delivery, or is
 * deleted if there is none. The caller must lock the lanes in an earlier statement, so that this statement sees
 * deliveries that were added while the caller waited for the locks.
 */
export async function settleLanes(tx: Tx, scope: Scope, lanes: (Lane & { due_at: Date })[]): Promise<void> {
  await tx.query(
    `with settled as (
       select s.chain_id, s.lane_id, s.due_at, (
         select d.endpoint_id from deliveries d
         where ${inScope('d', '$1')} and d.chain_id = s.chain_id and d.lane_id = s.lane_id
           and d.status in ('PENDING', 'FAILED') order by d.position limit 1) as endpoint_id
       from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as s (chain_id, lane_id, due_at)
     ), ended as (
       delete from delivery_lanes l using settled s
       where ${inScope('l', '$1')} and l.chain_id = s.chain_id and l.lane_id = s.lane_id and s.endpoint_id is null
     )
     update delivery_lanes l set endpoint_id = s.endpoint_id, due_at = s.due_at, is_leased = false
     from settled s
     where ${inScope('l', '$1')} and l.chain_id = s.chain_id and l.lane_id = s.lane_id and s.endpoint_id is not null`,
    [scope, ...laneValues(lanes), lanes.map((lane) => lane.due_at)],
  );
}

/** The time after `seconds`, by the clock of the database with the lane. */
export function timeAfter({ held_at }: HeldLane, seconds: number): Date {
  return new Date(held_at.getTime() + seconds * 1000);
}

export function laneValues(lanes: Lane[]): [string[], string[]] {
  return [lanes.map((lane) => lane.chain_id), lanes.map((lane) => lane.lane_id)];
}

function claimValues(lanes: ClaimedLane[]): [string[], string[], string[]] {
  return [...laneValues(lanes), lanes.map((lane) => lane.claim)];
}
