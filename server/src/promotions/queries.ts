import type { DiscountSubtype, PromotionType } from '@aisle/contract/promotion-types';
import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import type { PromotionState } from './rules/running.ts';
import type { PromotionLimits } from './rules/terms.ts';

export type PromotionRow = {
  chain_id: string;
  promotion_id: string;
  type: PromotionType;
  vendor_ids: string[] | null;
  reason: string | null;
  display_name: Record<string, string>;
  start_time: Date;
  end_time: Date;
  purchased_quantity: number | null;
  discounted_quantity: number | null;
  max_discount_per_order: string | null;
  max_items_per_order: number | null;
  global_limit: number | null;
  is_published: boolean;
  is_cancelled: boolean;
  created_at: Date;
  updated_at: Date;
};

export type EntryRow = {
  sku: string;
  discount_subtype: DiscountSubtype;
  discount_value: string;
  max_quantity: number | null;
};

// Never earlier than `created_at`, even in the transaction that inserted the promotion.
const laterNow = 'greatest(now(), created_at)';
export const columns = `chain_id, promotion_id, type, vendor_ids, reason, display_name, start_time, end_time, purchased_quantity,
  discounted_quantity, max_discount_per_order, max_items_per_order, global_limit, is_published, is_cancelled, created_at,
  updated_at`;

export async function findByIdentity(tx: Tx, chainId: string, hash: Buffer): Promise<PromotionRow | undefined> {
  const rows = await tx.query<PromotionRow>(
    `select ${columns} from promotions where chain_id = $1 and identity_hash = $2`,
    [chainId, hash],
  );
  return rows[0];
}

export type NewPromotion = {
  promotion_id: string;
  identity_hash: Buffer;
  type: PromotionType;
  vendor_ids: string[] | null;
  display_name: Record<string, string>;
  start_time: string;
  end_time: string;
  purchased_quantity: number | null;
  discounted_quantity: number | null;
};

/** The promotion has no effect until it is published. */
export async function insertPromotion(tx: Tx, chainId: string, promotion: NewPromotion): Promise<PromotionRow> {
  const rows = await tx.query<PromotionRow>(
    `insert into promotions (chain_id, promotion_id, identity_hash, type, vendor_ids, display_name, start_time, end_time,
       purchased_quantity, discounted_quantity, created_at, updated_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, at, at from clock_timestamp() as at returning ${columns}`,
    [
      chainId,
      promotion.promotion_id,
      promotion.identity_hash,
      promotion.type,
      promotion.vendor_ids,
      promotion.display_name,
      promotion.start_time,
      promotion.end_time,
      promotion.purchased_quantity,
      promotion.discounted_quantity,
    ],
  );
  return rows[0] as PromotionRow;
}

/** The fields that a request can change; null keeps the current value. */
export type PromotionChange = {
  reason: string | null;
  purchased_quantity: number | null;
  discounted_quantity: number | null;
  limits: PromotionLimits | null;
};

/**
 * Publishes the promotion, even if it was cancelled before. Unless it was in effect with the same terms, the prices of
 * all of its products change; otherwise, `recordChangedEntries` has recorded the changed ones. Many clients repeat the
 * limits in each request, so the stored terms are compared.
 */
export async function publishPromotion(
  tx: Tx,
  chainId: string,
  promotionId: string,
  { reason, purchased_quantity, discounted_quantity, limits }: PromotionChange,
): Promise<void> {
  const terms = [
    purchased_quantity,
    discounted_quantity,
    limits !== null,
    limits?.max_discount_per_order,
    limits?.max_items_per_order,
    limits?.global_limit,
  ];
  const changes = Object.entries(newTerms).map(([name, value]) => `${name} = ${value}`);
  await tx.query(
    `with recorded as (
       insert into promotion_changes (chain_id, promotion_id, skus)
       select $1, $2, case when is_published and not is_cancelled and row (${Object.keys(newTerms).join(', ')})
         is not distinct from row (${Object.values(newTerms).join(', ')}) then '{}'::text[] end
       from promotions where chain_id = $1 and promotion_id = $2
     )
     update promotions set is_published = true, is_cancelled = false, updated_at = ${laterNow},
       reason = coalesce($9, reason), ${changes.join(', ')}
     where chain_id = $1 and promotion_id = $2`,
    [chainId, promotionId, ...terms, reason],
  );
}

/** What the prices of all products of a promotion depend on, with the new values. */
const newTerms = {
  purchased_quantity: 'coalesce($3, purchased_quantity)',
  discounted_quantity: 'coalesce($4, discounted_quantity)',
  max_discount_per_order: 'case when $5 then $6 else max_discount_per_order end',
  max_items_per_order: 'case when $5 then $7 else max_items_per_order end',
  global_limit: 'case when $5 then $8 else global_limit end',
};

export async function cancelPromotion(tx: Tx, chainId: string, promotionId: string): Promise<void> {
  await tx.query(
    `with cancelled as (
       update promotions set is_cancelled = true, updated_at = ${laterNow} where chain_id = $1 and promotion_id = $2
       returning promotion_id
     )
     insert into promotion_changes (chain_id, promotion_id) select $1, promotion_id from cancelled`,
    [chainId, promotionId],
  );
}

/**
 * For a job that was stopped before a chunk was applied to all vendors: adds the SKUs that it was applied to, and records
 * that the prices of all products may have changed.
 */
export async function recordStopped(tx: Tx, chainId: string, promotionId: string): Promise<void> {
  await tx.query(
    `insert into promotion_entries (chain_id, promotion_id, sku, discount_subtype, discount_value, max_quantity)
     select distinct on (po.chain_id, po.sku) po.chain_id, $2, po.sku, po.discount_subtype, po.discount_value,
       po.max_quantity
     from promotions p cross join lateral unnest(coalesce(p.vendor_ids, '{*}')) as v (vendor_id)
     join promotion_offers po on po.chain_id = p.chain_id and po.vendor_id = v.vendor_id and po.end_time = p.end_time
       and po.promotion_id = $2
     where p.chain_id = $1 and p.promotion_id = $2 order by po.chain_id, po.sku
     on conflict (chain_id, promotion_id, sku) do nothing`,
    [chainId, promotionId],
  );
  await tx.query('insert into promotion_changes (chain_id, promotion_id) values ($1, $2)', [chainId, promotionId]);
}

export async function deleteUnpublished(tx: Tx, chainId: string, promotionId: string): Promise<boolean> {
  const rows = await tx.query(
    'delete from promotions where chain_id = $1 and promotion_id = $2 and not is_published returning 1',
    [chainId, promotionId],
  );
  return rows.length === 1;
}

/** The published promotions with these ids. */
export function listPromotionsById(db: Db, chainId: string, promotionIds: string[]): Promise<PromotionRow[]> {
  return db.query(
    `select ${columns} from promotions where chain_id = $1 and promotion_id = any ($2) and is_published
     order by promotion_id`,
    [chainId, promotionIds],
  );
}

/** The promotions that are running or upcoming, after the given id. */
export function listCurrentPromotions(db: Db, chainId: string, after: string, limit: number): Promise<PromotionRow[]> {
  return db.query(
    `select ${columns} from promotions
     where chain_id = $1 and is_published and not is_cancelled and end_time > now() and promotion_id > $2
     order by promotion_id limit $3`,
    [chainId, after, limit],
  );
}

/** Null means all vendors. A promotion is visible only if all of its vendors are. */
export type VisibleVendors = readonly string[] | null;
const visible = 'is_published and ($2::text[] is null or vendor_ids <@ $2)';

/** The SQL version of `promotionState` in rules/running.ts; `$5` is the time. */
const inState = `($3::text is null or $3 = case
    when is_cancelled then 'CANCELLED'
    when $5 < start_time then 'UPCOMING'
    when $5 < end_time then 'RUNNING' else 'ENDED' end)
  and ($4::text is null or vendor_ids is null or vendor_ids @> array[$4])`;

/** The parameter is in the statement even without a SKU, so that the other parameters have the same numbers. */
function includes(sku: string | undefined): string {
  if (sku === undefined) return '$6::text is null';
  return `exists (select from promotion_entries e
    where e.chain_id = $1 and e.promotion_id = promotions.promotion_id and e.sku = $6)`;
}

export type PromotionFilter = {
  state?: PromotionState | undefined;
  vendorId?: string | undefined;
  sku?: string | undefined;
  now: Date;
};

export function listPromotions(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  { state, vendorId, sku, now }: PromotionFilter,
  page: PageRequest,
): Promise<PromotionRow[]> {
  return db.query(
    `select ${columns} from promotions where chain_id = $1 and ${visible} and ${inState} and ${includes(sku)}
     order by created_at desc, promotion_id desc limit $7 offset $8`,
    [chainId, visibleVendors, state, vendorId, now, sku, page.pageSize, page.offset],
  );
}

export async function countPromotions(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  { state, vendorId, sku, now }: PromotionFilter,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from promotions where chain_id = $1 and ${visible} and ${inState} and ${includes(sku)}`,
    [chainId, visibleVendors, state, vendorId, now, sku],
  );
  return rows[0]?.count ?? 0;
}

export async function findPromotion(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  promotionId: string,
): Promise<PromotionRow | undefined> {
  const rows = await db.query<PromotionRow>(
    `select ${columns} from promotions where chain_id = $1 and ${visible} and promotion_id = $3`,
    [chainId, visibleVendors, promotionId],
  );
  return rows[0];
}

export async function getPromotion(tx: Tx, chainId: string, promotionId: string): Promise<PromotionRow> {
  const rows = await tx.query<PromotionRow>(
    `select ${columns} from promotions where chain_id = $1 and promotion_id = $2`,
    [chainId, promotionId],
  );
  if (!rows[0]) throw new Error(`The promotion ${promotionId} does not exist.`);
  return rows[0];
}

export function listEntries(db: Db, chainId: string, promotionId: string, page: PageRequest): Promise<EntryRow[]> {
  return db.query(
    `select sku, discount_subtype, discount_value, max_quantity from promotion_entries
     where chain_id = $1 and promotion_id = $2 order by sku limit $3 offset $4`,
    [chainId, promotionId, page.pageSize, page.offset],
  );
}

export async function countEntries(db: Db, chainId: string, promotionId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int as count from promotion_entries where chain_id = $1 and promotion_id = $2',
    [chainId, promotionId],
  );
  return rows[0]?.count ?? 0;
}

/** An ended promotion no longer needs its rows in promotion_offers. The promotion and its entries are kept. */
export function deleteEndedOffers(tx: Tx, max: number): Promise<number> {
  return countAffected(
    tx,
    `delete from promotion_offers where (chain_id, vendor_id, sku, end_time, promotion_id) in (
       select chain_id, vendor_id, sku, end_time, promotion_id from promotion_offers
       where end_time < now() - interval '1 day' limit $1)`,
    [max],
  );
}
