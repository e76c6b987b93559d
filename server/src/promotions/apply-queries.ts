import type { PromotionType } from '@aisle/contract/promotion-types';
import { copyInto, createTemporary } from '../kernel/database/copy.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { RejectionCode, RejectionStatus } from './rules/rejections.ts';

/** The fields of a promotion that are needed to write its offers. */
export type Target = {
  promotion_id: string;
  type: PromotionType;
  start_time: Date;
  end_time: Date;
  is_published: boolean;
  isForAll: boolean;
  /** Whether the database is distributed. */
  isSharded: boolean;
};

/** A vendor with the number of decimal places in its currency. */
export type PricedVendor = { vendor_id: string; digits: number };

/** The result of applying a chunk to one vendor. The log has a line for every SKU that was not applied. */
export type VendorOutcome = {
  applied: number;
  /** The number of SKUs that could not be removed because the promotion does not contain them. */
  absent: number;
  rejected: number;
  /** The first SKUs rejected with each status, up to the maximum for that status. */
  first: { status: RejectionStatus; code: RejectionCode; row_no: number; sku: string }[];
  log: string | null;
};

/** Why a SKU is not applied, and the maximum number of SKUs to return for this status. */
export type Rejection = { code: RejectionCode; status: RejectionStatus; reason: string; max: number };

export async function fillIncomingEntries(tx: Tx, lines: Buffer): Promise<void> {
  await createTemporary(
    tx,
    'incoming_entries',
    `row_no integer, sku text collate "C", sku_cell text, is_active boolean, discount_subtype text,
     discount_value numeric(10, 3), max_quantity integer`,
  );
  await copyInto(tx, 'incoming_entries', lines);
}

/** Empties the table, so that it can be filled again in the same transaction. */
export async function emptyIncomingEntries(tx: Tx): Promise<void> {
  tx.send('truncate incoming_entries');
}

export type SkuRange = { low: string; high: string };

/** The range of SKUs in a chunk. Entries are sorted before they are split into chunks, so ranges do not overlap. */
export async function findIncomingRange(tx: Tx): Promise<SkuRange> {
  const rows = await tx.query<SkuRange>('select min(sku) as low, max(sku) as high from incoming_entries');
  return rows[0] as SkuRange;
}

/**
 * Adds one vendor's offers for the SKUs in the chunk to the promotion, or removes them. Returns the SKUs that were not
 * applied (rules/rejections.ts), up to the maximum for each status.
 *
 * With one vendor at a time and the range of SKUs in the condition, the planner reads one range of the primary key of
 * offers and uses a hash join, whatever it estimates for the temporary table. With several vendors at once, the planner
 * either probed the index once per pair or read the offers of the whole chain. ON CONFLICT took twice as long as a
 * plain INSERT, and is not needed, because there are no concurrent writes to promotions in the same chain: jobs run one
 * at a time, and the tasks in one job have no SKUs in common.
 */
export async function applyToVendor(
  tx: Tx,
  chainId: string,
  target: Target,
  vendor: PricedVendor,
  range: SkuRange,
  rejections: Rejection[],
): Promise<VendorOutcome> {
  const values = [
    chainId,
    vendor.vendor_id,
    vendor.digits,
    range.low,
    range.high,
    target.end_time,
    target.promotion_id,
  ];
  tx.send("select set_config('enable_nestloop', 'off', true)");
  const apply = target.isSharded ? applyOnNode : applyAtOnce;
  const applying = apply(tx, target, values, JSON.stringify(rejections));
  tx.send("select set_config('enable_nestloop', 'on', true)");
  const [outcome] = await applying;
  return outcome as VendorOutcome;
}

function applyAtOnce(tx: Tx, target: Target, values: unknown[], rejections: string): Promise<VendorOutcome[]> {
  const vendor = rowVendor(target);
  const written = `written as (${insertOffers(vendor)})`;
  const parts =
    target.is_published || target.isForAll
      ? [checked(target), changeOffers(vendor), written]
      : [checkedForNew(target.type), written];
  return tx.query(`with ${parts.join(', ')}, ${summary('$9')}`, [...values, target.start_time, rejections]);
}

/**
 * The same on a distributed database (see decision 0139). No other transaction writes these rows, so both statements see
 * the same.
 */
function applyOnNode(tx: Tx, target: Target, values: unknown[], rejections: string): Promise<VendorOutcome[]> {
  const vendor = rowVendor(target);
  const outcome = tx.query<VendorOutcome>(`with ${checked(target)}, ${summary('$8')}`, [...values, rejections]);
  const changed = `with ${checked(target)}, ${changeOffers(vendor)} ${insertOffers(vendor)}`;
  tx.send(changed, [...values, target.start_time]);
  return outcome;
}

/** Called once a chunk has been applied to all vendors. A SKU becomes an entry if it was applied to any vendor. */
export async function writeEntries(tx: Tx, chainId: string, target: Target, vendorIds: string[]): Promise<void> {
  await tx.query(
    `with i as materialized (select * from incoming_entries where is_active)
     insert into promotion_entries as e (chain_id, promotion_id, sku, discount_subtype, discount_value, max_quantity)
     select $1, $2, i.sku, i.discount_subtype, i.discount_value, i.max_quantity from i
     where (
       select true from unnest($4::text[]) as v (vendor_id)
       join promotion_offers po on po.chain_id = $1 and po.vendor_id = v.vendor_id and po.sku = i.sku
         and po.end_time = $3 and po.promotion_id = $2 and ${isSame('po', 'i')}
       limit 1)
     ${target.is_published ? onConflict : ''}`,
    [chainId, target.promotion_id, target.end_time, vendorIds],
  );
}

const onConflict = `on conflict (chain_id, promotion_id, sku) do update set
  discount_subtype = excluded.discount_subtype, discount_value = excluded.discount_value,
  max_quantity = excluded.max_quantity`;

export async function deleteEntries(tx: Tx, chainId: string, promotionId: string): Promise<void> {
  await tx.query(
    `delete from promotion_entries where chain_id = $1 and promotion_id = $2
       and sku = any (array(select i.sku from incoming_entries i where not i.is_active))`,
    [chainId, promotionId],
  );
}

/** For a promotion that is in effect: records that the prices of the products in the chunk changed. */
export async function recordChangedEntries(tx: Tx, chainId: string, promotionId: string): Promise<void> {
  await tx.query(
    `insert into promotion_changes (chain_id, promotion_id, skus)
     select $1, $2, array(select sku from incoming_entries order by sku)`,
    [chainId, promotionId],
  );
}

/** A promotion for all vendors has one row per SKU, with the vendor `*`. */
function rowVendor({ isForAll }: Target): string {
  return isForAll ? "'*'" : '$2';
}

/**
 * Deletes and updates the rows that the promotion already has for these SKUs. Just after thousands of rows have been
 * inserted, the planner still estimates a single row and would compare each of them with each entry, so `applyToVendor`
 * turns nested loops off.
 */
function changeOffers(vendor: string): string {
  return `gone as (
      delete from promotion_offers po where ${isOwn(vendor)}
        and po.sku = any (array(select sku from checked where not is_active and is_present))
    ), changed as (
      update promotion_offers po set discount_subtype = j.discount_subtype, discount_value = j.discount_value,
        max_quantity = j.max_quantity
      from checked j
      where ${isOwn(vendor)} and po.sku = j.sku and j.is_active and j.is_present and j.code is null
        and not (${isSame('po', 'j')})
    )`;
}

/** Whether `po` is an offer of the promotion for a SKU in the chunk. */
function isOwn(vendor: string): string {
  return `po.chain_id = $1 and po.vendor_id = ${vendor} and po.end_time = $6 and po.promotion_id = $7
    and po.sku between $4 and $5`;
}

/**
 * Whether the promotion has an offer for the entry `i` of the surrounding statement. The planner cannot turn this
 * subquery into a join.
 */
function hasOffer(vendor: string): string {
  return `coalesce((select true from promotion_offers po where ${isOwn(vendor)} and po.sku = i.sku), false)`;
}

const hasEntry = `exists (select from promotion_entries e where e.chain_id = $1 and e.promotion_id = $7 and e.sku = i.sku)`;

function insertOffers(vendor: string): string {
  return `insert into promotion_offers (chain_id, vendor_id, sku, end_time, promotion_id, start_time, discount_subtype,
      discount_value, max_quantity)
    select $1, ${vendor}, j.sku, $6, $7, $8, j.discount_subtype, j.discount_value, j.max_quantity
    from checked j where j.is_active and j.code is null and not j.is_present`;
}

function isSame(a: string, b: string): string {
  return `${a}.discount_subtype = ${b}.discount_subtype and ${a}.discount_value = ${b}.discount_value
    and ${a}.max_quantity is not distinct from ${b}.max_quantity`;
}

/** The SQL version of `promotionalPrice` and `applyDiscount` in rules/terms.ts, for an offer `o` and an entry `i`. */
const shownPrice = 'round(o.price, $3)';
const promotionalPrice = `round(case i.discount_subtype
  when 'FINAL_PRICE' then i.discount_value
  when 'PERCENTAGE' then ${shownPrice} * (100 - i.discount_value) / 100
  else greatest(${shownPrice} - i.discount_value, 0) end, $3)`;

/**
 * Selects every SKU with its rejection code, if any, and whether the promotion has an offer for it. The row of a promotion
 * for all vendors is inserted or deleted when the SKU is applied to the first vendor, so it does not tell the other
 * vendors whether the promotion contained the SKU. That is read from the promotion's entries, which are deleted only once
 * the chunk has been applied to all vendors.
 */
function checked(target: Target): string {
  const isPresent = hasOffer(rowVendor(target));
  return selectChecked(target.type, isPresent, target.isForAll ? hasEntry : isPresent);
}

/** For a new promotion, which has no rows yet. */
function checkedForNew(type: PromotionType): string {
  return selectChecked(type, 'false', 'false');
}

function selectChecked(type: PromotionType, isPresent: string, isContained: string): string {
  const isBundle = type === 'SAME_ITEM_BUNDLE';
  const products = isBundle
    ? 'left join products p on p.chain_id = $1 and p.sku = o.sku and p.sku between $4 and $5'
    : '';
  return `checked as materialized (
    select i.*, ${isPresent} as is_present, case
      when o.sku is null then 'product_not_found'
      when not i.is_active then case when not ${isContained} then 'not_in_promotion' end
      ${isBundle ? "when p.is_sold_by_weight then 'bundle_sold_by_weight'" : ''}
      when not ${promotionalPrice} < ${shownPrice} then 'discount_not_below_price' end as code
    from incoming_entries i
    left join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $4 and $5
    ${products}
  )`;
}

/** `rejections` is the parameter with the rejections. */
function summary(rejections: string): string {
  return `noted as materialized (
    select c.row_no, c.sku, c.sku_cell, r.*, row_number() over (partition by r.status order by c.row_no) as position
    from checked c
    join jsonb_to_recordset(${rejections}::jsonb) as r (code text, status text, reason text, max integer) on r.code = c.code
  )
  select
    (select count(*) from checked where code is null)::int as applied,
    count(*) filter (where status = 'ABSENT')::int as absent,
    count(*) filter (where status <> 'ABSENT')::int as rejected,
    coalesce(jsonb_agg(jsonb_build_object('status', status, 'code', code, 'row_no', row_no, 'sku', sku) order by row_no)
      filter (where position <= max), '[]') as first,
    string_agg($2 || ',' || sku_cell || ',' || code || ',"' || reason || '"' || E'\\n', '' order by row_no) as log
  from noted`;
}
