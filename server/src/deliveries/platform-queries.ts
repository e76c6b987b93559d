import type { PublishedEvent } from '../events/index.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import type { DeliveryRow } from './queries.ts';

export type PlannedDelivery = PublishedEvent & { delivery_id: string; endpoint_id: string; lane_id: string };

/** Inserts deliveries to webhooks of the platform. As for partners, the events can belong to several chains. */
export async function insertPlatformDeliveries(tx: Tx, planned: PlannedDelivery[]): Promise<void> {
  await tx.query(
    `insert into deliveries (chain_id, delivery_id, event_id, is_platform, endpoint_id, type, vendor_id, order_id, lane_id,
       position, created_at, updated_at)
     select chain_id, delivery_id, event_id, true, endpoint_id, type, vendor_id, order_id, lane_id, position, created_at,
       greatest(now(), created_at)
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::uuid[],
       $9::bigint[], $10::timestamptz[])
       as given (chain_id, delivery_id, event_id, endpoint_id, type, vendor_id, order_id, lane_id, position, created_at)`,
    [
      planned.map((one) => one.chain_id),
      planned.map((one) => one.delivery_id),
      planned.map((one) => one.event_id),
      planned.map((one) => one.endpoint_id),
      planned.map((one) => one.type),
      planned.map((one) => one.vendor_id),
      planned.map((one) => one.order_id),
      planned.map((one) => one.lane_id),
      planned.map((one) => one.position),
      planned.map((one) => one.created_at),
    ],
  );
}

export async function findPlatformDelivery(
  db: Db,
  chainId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  const rows = await db.query<DeliveryRow>(
    'select * from deliveries where chain_id = $1 and delivery_id = $2 and is_platform',
    [chainId, deliveryId],
  );
  return rows[0];
}

export type PlatformDeliveryFilter = {
  status?: string | undefined;
  chain_id?: string | undefined;
  order_id?: string | undefined;
  since?: Date | undefined;
};

const filterSql = `is_platform and endpoint_id = $1 and ($2::text is null or status = $2)
  and ($3::uuid is null or chain_id = $3) and ($4::uuid is null or order_id = $4)
  and ($5::timestamptz is null or created_at >= $5)`;

function filterValues(webhookId: string, { status, chain_id, order_id, since }: PlatformDeliveryFilter): unknown[] {
  return [webhookId, status, chain_id, order_id, since];
}

/** Newest first, in all chains. */
export function listPlatformDeliveries(
  db: Db,
  webhookId: string,
  filter: PlatformDeliveryFilter,
  page: PageRequest,
): Promise<DeliveryRow[]> {
  return db.query(`select * from deliveries where ${filterSql} order by delivery_id desc limit $6 offset $7`, [
    ...filterValues(webhookId, filter),
    page.pageSize,
    page.offset,
  ]);
}

export async function countPlatformDeliveries(
  db: Db,
  webhookId: string,
  filter: PlatformDeliveryFilter,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from deliveries where ${filterSql}`,
    filterValues(webhookId, filter),
  );
  return rows[0]?.count ?? 0;
}

/** Those of these chains that have pending deliveries to the webhook. */
export async function listChainsWithLanes(db: Db, chainIds: string[], webhookId: string): Promise<string[]> {
  const rows = await db.query<{ chain_id: string }>(
    'select distinct chain_id from delivery_lanes where chain_id = any ($1) and endpoint_id = $2',
    [chainIds, webhookId],
  );
  return rows.map(({ chain_id }) => chain_id);
}

export type FailedRange = { webhookId: string; since: Date; before: Date };

const failedSql = `from deliveries d where d.is_platform and d.endpoint_id = $1 and d.status in ('FAILED', 'EXHAUSTED')
  and d.created_at >= $2 and d.updated_at <= $3`;

/** The number of failed deliveries to the webhook in each chain that has any. */
export function countFailedByChain(
  db: Db,
  { webhookId, since, before }: FailedRange,
): Promise<{ chain_id: string; count: number }[]> {
  return db.query(`select d.chain_id, count(*)::int as count ${failedSql} group by d.chain_id`, [
    webhookId,
    since,
    before,
  ]);
}

/** The failed deliveries of one chain whose events still exist, oldest first, from a position on. */
export function listFailedToPlatform(
  tx: Tx,
  chainId: string,
  { webhookId, since, before }: FailedRange,
  fromPosition: string,
  limit: number,
): Promise<{ delivery_id: string; lane_id: string; position: string }[]> {
  return tx.query(
    `select d.delivery_id, d.lane_id, d.position ${failedSql} and d.chain_id = $4 and d.position >= $5
       and (exists (select from events e where e.chain_id = $4 and e.event_id = d.event_id)
         or exists (select from platform_events e where e.chain_id = $4 and e.event_id = d.event_id))
     order by d.position limit $6`,
    [webhookId, since, before, chainId, fromPosition, limit],
  );
}

/** Makes those that are still failed pending again, in their lanes. The caller must lock the lanes first. */
export function reopenFailedToPlatform(
  tx: Tx,
  chainId: string,
  deliveryIds: string[],
): Promise<{ chain_id: string; lane_id: string; endpoint_id: string }[]> {
  return tx.query(
    `update deliveries set status = 'PENDING', tries = 0, next_attempt_at = null, updated_at = statement_timestamp()
     where chain_id = $1 and delivery_id = any ($2) and status in ('FAILED', 'EXHAUSTED')
     returning chain_id, lane_id, endpoint_id`,
    [chainId, deliveryIds],
  );
}
