import { copyInto, createTemporary } from '../kernel/database/copy.ts';
import type { Tx } from '../kernel/database/db.ts';

/** The fields of a promotion that are needed to write its offers. */
export type Target = {
  promotion_id: string;
  start_time: Date;
  end_time: Date;
  is_published: boolean;
  isForAll: boolean;
};

/** A vendor with the number of decimal places of its currency. */
export type PricedVendor = { vendor_id: string; digits: number };

/** The result of applying a chunk to one vendor. The log has a line for every SKU that was not applied. */
export type VendorOutcome = {
  applied: number;
  missing: { row_no: number; sku: string }[];
  missing_count: number;
  pointless: { row_no: number; sku: string }[];
  pointless_count: number;
  log: string | null;
};

export async function fillIncomingEntries(tx: Tx, lines: Buffer): Promise<void> {
  await createTemporary(
    tx,
    'incoming_entries',
    `row_no integer, sku text collate "C", sku_cell text, is_active boolean, discount_subtype text,
     discount_value numeric(10, 3), max_quantity integer`,
  );
  await copyInto(tx, 'incoming_entries', lines);
}

/** Allows the table to be filled again in the same transaction. */
export async function emptyIncomingEntries(tx: Tx): Promise<void> {
  await tx.client.query('truncate incoming_entries');
}

export type SkuRange = { low: string; high: string };

/** The range of SKUs in a chunk. Entries are sorted before they are split into chunks, so ranges do not overlap. */
export async function findIncomingRange(tx: Tx): Promise<SkuRange> {
  const rows = await tx.query<SkuRange>('select min(sku) as low, max(sku) as high from incoming_entries');
  return rows[0] as SkuRange;
}

/**
 * Adds the chunk's offers of one vendor to the promotion or removes them, and returns the SKUs that were rejected: the
 * vendor does not have the SKU, or the discounted price is not below its price.
 *
 * With one vendor at a time and the range of SKUs in the condition, the planner reads one range of the primary key of
 * offers and uses a hash join, whatever it estimates for the temporary table. With several vendors at once, it either probed
 * the index once per pair or read the offers of the whole chain. ON CONFLICT took twice as long as a plain INSERT. It is not
 * needed, because there are no concurrent writes to a promotion of the same chain: jobs run one at a time, and the tasks of
 * one job have no SKUs in common.
 */
export async function applyToVendor(
  tx: Tx,
  chainId: string,
  target: Target,
  vendor: PricedVendor,
  range: SkuRange,
  max: { missing: number; pointless: number },
): Promise<VendorOutcome> {
  const rows = await tx.query<VendorOutcome>(chooseStatement(target), [
    chainId,
    vendor.vendor_id,
    vendor.digits,
    range.low,
    range.high,
    target.end_time,
    target.promotion_id,
    target.start_time,
    max.missing,
    max.pointless,
  ]);
  return rows[0] as VendorOutcome;
}

/** Called after a chunk was applied to all vendors. A SKU becomes an entry of the promotion if any vendor accepted it. */
export async function writeEntries(tx: Tx, chainId: string, target: Target, vendorIds: string[]): Promise<void> {
  await tx.query(
    `insert into promotion_entries as e (chain_id, promotion_id, sku, discount_subtype, discount_value, max_quantity)
     select $1, $2, i.sku, i.discount_subtype, i.discount_value, i.max_quantity from incoming_entries i
     where i.is_active and (
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

/**
 * A promotion for all vendors has one row per SKU, with the vendor `*`. It is inserted for the first vendor that accepts
 * the SKU and already exists for the others.
 */
function chooseStatement({ isForAll, is_published }: Target): string {
  if (isForAll) return mergeStatement("'*'");
  return is_published ? mergeStatement('$2') : insertStatement('$2');
}

/** For a new promotion, which has no rows yet. */
function insertStatement(vendor: string): string {
  return `with ${checked('null::tid')}, written as (${insertOffers(vendor)}) ${summary}`;
}

/**
 * For a promotion that may already have rows, equal or different. Each row is looked up once, with a subquery that the
 * planner cannot turn into a join: just after thousands of rows were inserted, it estimates a single row and would choose a
 * nested loop.
 */
function mergeStatement(vendor: string): string {
  const place = `(select po.ctid from promotion_offers po where po.chain_id = $1 and po.vendor_id = ${vendor}
    and po.sku = i.sku and po.end_time = $6 and po.promotion_id = $7)`;
  return `with ${checked(place)}, gone as (
      delete from promotion_offers
      where chain_id = $1 and ctid = any (array(select place from checked where not is_active))
    ), changed as (
      update promotion_offers po set discount_subtype = j.discount_subtype, discount_value = j.discount_value,
        max_quantity = j.max_quantity
      from checked j
      where po.chain_id = $1 and po.ctid = j.place and j.is_active and j.code is null and not (${isSame('po', 'j')})
    ), written as (${insertOffers(vendor)}) ${summary}`;
}

function insertOffers(vendor: string): string {
  return `insert into promotion_offers (chain_id, vendor_id, sku, end_time, promotion_id, start_time, discount_subtype,
      discount_value, max_quantity)
    select $1, ${vendor}, j.sku, $6, $7, $8, j.discount_subtype, j.discount_value, j.max_quantity
    from checked j where j.is_active and j.code is null and j.place is null`;
}

function isSame(a: string, b: string): string {
  return `${a}.discount_subtype = ${b}.discount_subtype and ${a}.discount_value = ${b}.discount_value
    and ${a}.max_quantity is not distinct from ${b}.max_quantity`;
}

/** `promotionalPrice` and `decidePrices` of rules/terms.ts in SQL, for an offer `o` and an entry `i`. */
const shownPrice = 'round(o.price, $3)';
const promotionalPrice = `round(case i.discount_subtype
  when 'FINAL_PRICE' then i.discount_value
  when 'PERCENTAGE' then ${shownPrice} * (100 - i.discount_value) / 100
  else greatest(${shownPrice} - i.discount_value, 0) end, $3)`;

/** Every SKU with its rejection code, if any, and the location of its existing row. */
function checked(place: string): string {
  return `checked as materialized (
    select i.*, ${place} as place, case
      when o.sku is null then 'product_not_found'
      when i.is_active and not ${promotionalPrice} < ${shownPrice} then 'discount_not_below_price' end as code
    from incoming_entries i
    left join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $4 and $5
  )`;
}

function firstOf(code: string, max: string): string {
  return `coalesce((
    select jsonb_agg(jsonb_build_object('row_no', f.row_no, 'sku', f.sku) order by f.row_no)
    from (select row_no, sku from checked where code = '${code}' order by row_no limit ${max}) f), '[]')`;
}

const summary = `
  select
    count(*) filter (where code is null)::int as applied,
    ${firstOf('product_not_found', '$9')} as missing,
    count(*) filter (where code = 'product_not_found')::int as missing_count,
    ${firstOf('discount_not_below_price', '$10')} as pointless,
    count(*) filter (where code = 'discount_not_below_price')::int as pointless_count,
    string_agg($2 || ',' || sku_cell || ',' || code || ',' || case code
      when 'product_not_found' then '"The vendor has no product with this SKU."'
      else '"The discounted price is not below the price."' end || E'\\n', '' order by row_no)
      filter (where code is not null) as log
  from checked`;
