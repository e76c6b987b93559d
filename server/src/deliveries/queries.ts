import { keptAttempts } from '@aisle/contract/deliveries';
import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { inScope, type Scope } from '../kernel/database/scope.ts';
import type { StagedFault } from '../events/index.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import type { Outcome } from '../webhooks/index.ts';
import type { DeliveryStatus } from './rules/attempt.ts';

export type DeliveryRow = {
  chain_id: string;
  delivery_id: string;
  endpoint_id: string;
  /** Null if it is the same as `delivery_id`. */
  event_id: string | null;
  is_platform: boolean;
  type: string;
  vendor_id: string | null;
  order_id: string | null;
  job_id: string | null;
  lane_id: string;
  status: DeliveryStatus;
  attempt_count: number;
  tries: number;
  last_outcome: Outcome | null;
  next_attempt_at: Date | null;
  staged_fault: StagedFault | null;
  created_at: Date;
  updated_at: Date;
};

export type AttemptRow = {
  attempt_no: number;
  started_at: Date;
  duration_ms: number;
  outcome: Outcome;
  http_status: number | null;
  environment: 'staging' | 'production';
  url: string;
  /** Null for attempts that were made before these columns existed. */
  signature: string | null;
  user_agent: string | null;
  is_authorized: boolean | null;
  response_headers: Record<string, string> | null;
  /** The beginning of the response body, or the reason if there was no response. */
  answer: Buffer | null;
  is_answer_cut: boolean | null;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
};

export type DeliveryFilter = {
  status?: string | undefined;
  order_id?: string | undefined;
  job_id?: string | undefined;
  since?: Date | undefined;
  vendorId?: string | undefined;
};

/**
 * Which deliveries the caller can see; null means all. Deliveries without a vendor are visible only if `vendorIds` is
 * null.
 */
export type Visible = { vendorIds: readonly string[] | null; types: readonly string[] | null };

/**
 * Inserts one delivery for every event that has an endpoint. The transaction may have started before an event was
 * recorded, so `now()` can be before its `created_at`. The topic determines the endpoint: job events go to the catalog
 * endpoint. A held delivery is not sent until it is resent.
 */
export function insertDeliveries(
  tx: Tx,
  scope: Scope,
  events: { chain_id: string; event_id: string }[],
): Promise<{ chain_id: string; lane_id: string; endpoint_id: string; status: DeliveryStatus }[]> {
  const ids = events.map((event) => event.event_id);
  const returning = 'returning d.chain_id, d.lane_id, d.endpoint_id, d.status';
  if (scope !== null) return tx.query(`${insertOfChain} ${returning}`, [scope, ids]);
  return tx.query(
    `${insertDeliveriesFrom(
      `unnest($2::uuid[], $3::uuid[]) as fresh (chain_id, event_id)
       join events e on e.chain_id = fresh.chain_id and e.event_id = fresh.event_id`,
      inScope('e', '$1'),
    )} ${returning}`,
    [scope, events.map((event) => event.chain_id), ids],
  );
}

/** The same for events of one chain, if the deliveries are not needed here. */
export function insertDeliveriesOf(tx: Tx, chainId: string, eventIds: string[]): void {
  tx.send(insertOfChain, [chainId, eventIds]);
}

function insertDeliveriesFrom(source: string, condition: string): string {
  return `insert into deliveries as d (chain_id, delivery_id, endpoint_id, type, vendor_id, order_id, job_id, lane_id,
      position, status, staged_fault, created_at, updated_at)
    select e.chain_id, e.event_id, target.endpoint_id, e.type, e.vendor_id, e.order_id, e.job_id,
      coalesce(e.order_id, e.job_id), e.position, case when e.staged_fault = 'HELD' then 'EXHAUSTED' else 'PENDING' end,
      e.staged_fault, e.created_at, greatest(now(), e.created_at)
    from ${source}
    join lateral (
      select p.endpoint_id from webhooks w
      join endpoints p on p.chain_id = w.chain_id and p.webhook_id = w.webhook_id
        and p.topic = case when e.job_id is null then 'orders' else 'catalog' end
      where ${inScope('w', '$1')} and ${inScope('p', '$1')} and w.chain_id = e.chain_id
        and (w.vendor_id = e.vendor_id or w.vendor_id is null)
      order by w.vendor_id nulls last limit 1
    ) target on true
    where ${condition}`;
}

/** Without a join: for a chain that is new, it could compare all its events with all values of the array. */
const insertOfChain = insertDeliveriesFrom('events e', 'e.chain_id = $1 and e.event_id = any ($2)');

/** Returns the body of a delivery's event as it is sent. Null for a ping or a deleted event. */
export async function findEventBody(db: Db, chainId: string, eventId: string): Promise<string | null> {
  const rows = await db.query<{ body: string }>(
    `select body::text as body from events where chain_id = $1 and event_id = $2
     union all select body::text from platform_events where chain_id = $1 and event_id = $2`,
    [chainId, eventId],
  );
  return rows[0]?.body ?? null;
}

export async function insertPing(
  tx: Tx,
  chainId: string,
  ping: Pick<DeliveryRow, 'delivery_id' | 'endpoint_id' | 'type' | 'vendor_id' | 'is_platform'>,
): Promise<DeliveryRow> {
  const rows = await tx.query<DeliveryRow>(
    `insert into deliveries (chain_id, delivery_id, endpoint_id, type, vendor_id, lane_id, position, created_at,
       is_platform)
     values ($1, $2, $3, $4, $5, $2, 0, now(), $6) returning *`,
    [chainId, ping.delivery_id, ping.endpoint_id, ping.type, ping.vendor_id, ping.is_platform],
  );
  return rows[0] as DeliveryRow;
}

const visibleSql =
  'not is_platform and ($2::text[] is null or vendor_id = any ($2)) and ($3::text[] is null or type = any ($3))';

export async function findDelivery(
  db: Db,
  chainId: string,
  visible: Visible,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  const rows = await db.query<DeliveryRow>(
    `select * from deliveries where chain_id = $1 and ${visibleSql} and delivery_id = $4`,
    [chainId, visible.vendorIds, visible.types, deliveryId],
  );
  return rows[0];
}

export async function lockDelivery(tx: Tx, chainId: string, deliveryId: string): Promise<DeliveryRow | undefined> {
  const rows = await tx.query<DeliveryRow>(
    'select * from deliveries where chain_id = $1 and delivery_id = $2 for update',
    [chainId, deliveryId],
  );
  return rows[0];
}

const filterSql = `chain_id = $1 and ${visibleSql} and ($4::text is null or status = $4)
  and ($5::uuid is null or order_id = $5) and ($6::uuid is null or job_id = $6)
  and ($7::timestamptz is null or created_at >= $7) and ($8::text is null or vendor_id = $8)`;

function filterValues(chainId: string, { vendorIds, types }: Visible, filter: DeliveryFilter): unknown[] {
  return [chainId, vendorIds, types, filter.status, filter.order_id, filter.job_id, filter.since, filter.vendorId];
}

/** Newest first. Sorting by id is enough, because ids start with the time. */
export function listDeliveries(
  db: Db,
  chainId: string,
  visible: Visible,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<DeliveryRow[]> {
  return db.query(`select * from deliveries where ${filterSql} order by delivery_id desc limit $9 offset $10`, [
    ...filterValues(chainId, visible, filter),
    page.pageSize,
    page.offset,
  ]);
}

export async function countDeliveries(
  db: Db,
  chainId: string,
  visible: Visible,
  filter: DeliveryFilter,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from deliveries where ${filterSql}`,
    filterValues(chainId, visible, filter),
  );
  return rows[0]?.count ?? 0;
}

/** The newest ones, oldest first. Attempts from before old ones were deleted can be more than are kept now. */
export async function listAttempts(db: Db, chainId: string, deliveryId: string): Promise<AttemptRow[]> {
  const rows = await db.query<AttemptRow>(
    `select attempt_no, started_at, duration_ms, outcome, http_status, environment, url, signature, user_agent,
       is_authorized, response_headers, answer, is_answer_cut, dns_ms, connect_ms, tls_ms, first_byte_ms
     from delivery_attempts
     where chain_id = $1 and delivery_id = $2 order by attempt_no desc limit $3`,
    [chainId, deliveryId, keptAttempts],
  );
  return rows.toReversed();
}

/** Makes the delivery pending again, in the given lane and with a new retry schedule. */
export async function reopenDelivery(
  tx: Tx,
  chainId: string,
  deliveryId: string,
  to: { lane_id: string; endpoint_id: string },
): Promise<DeliveryRow> {
  const rows = await tx.query<DeliveryRow>(
    `update deliveries set status = 'PENDING', tries = 0, next_attempt_at = null, lane_id = $3, endpoint_id = $4,
       updated_at = now()
     where chain_id = $1 and delivery_id = $2 returning *`,
    [chainId, deliveryId, to.lane_id, to.endpoint_id],
  );
  return rows[0] as DeliveryRow;
}

/**
 * A delivery cannot be sent once its event has been deleted. Deliveries are marked EXHAUSTED an hour earlier, so that a
 * sender never looks up a deleted event.
 */
export function markOldDeliveriesExhausted(tx: Tx, days: number, type: string | null): Promise<number> {
  return countAffected(
    tx,
    `update deliveries set status = 'EXHAUSTED', next_attempt_at = null, updated_at = now()
     where created_at < now() - make_interval(days => $1, hours => -1) and status in ('PENDING', 'FAILED')
       and ($2::text is null or type = $2)`,
    [days, type],
  );
}

/** Deletes deliveries that were last updated more than `days` days ago, together with their attempts. */
export function deleteOldDeliveries(tx: Tx, days: number): Promise<number> {
  return countAffected(
    tx,
    `delete from deliveries where created_at < now() - make_interval(days => $1)
       and updated_at < now() - make_interval(days => $1)`,
    [days],
  );
}
