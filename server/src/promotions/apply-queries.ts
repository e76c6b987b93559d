import { copyInto, createTemporary } from '../kernel/copy.ts';
import type { Tx } from '../kernel/db.ts';

/** The promotion whose offers are written, as far as its rows repeat it. */
export type Target = { promotion_id: string; start_time: Date; end_time: Date };

/** A vendor whose offers are judged, with the digits of its currency. */
export type JudgedVendor = { vendor_id: string; digits: number };

/** What became of a chunk's SKUs at one vendor. The log has a line for each that was not applied. */
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

/** For a second use within one transaction. */
export async function emptyIncomingEntries(tx: Tx): Promise<void> {
  await tx.client.query('truncate incoming_entries');
}

export type SkuRange = { low: string; high: string };

/** The entries of a chunk lie within a range of SKUs: they are sorted before they are cut into chunks. */
export async function findIncomingRange(tx: Tx): Promise<SkuRange> {
  const rows = await tx.query<SkuRange>('select min(sku) as low, max(sku) as high from incoming_entries');
  return rows[0] as SkuRange;
}

/**
 * Puts the chunk's offers of one vendor into the promotion and takes out those that are to go, and says which could not
 * be: the vendor does not have the SKU, or the discount is not below its price.
 *
 * One vendor at a time and with the range of SKUs in the condition, the planner reads one stretch of the offers' primary
 * key and joins by hash, whatever it believes of the temporary table. For several vendors at once it either probed the
 * index pair by pair or read the offers of the whole chain.
 */
export async function applyToVendor(
  tx: Tx,
  chainId: string,
  target: Target,
  vendor: JudgedVendor,
  range: SkuRange,
  mostFeedback: number,
): Promise<VendorOutcome> {
  const rows = await tx.query<VendorOutcome>(
    `with ${judged}, gone as (
       delete from promotion_offers po using judged j
       where not j.is_active and po.chain_id = $1 and po.vendor_id = $2 and po.sku = j.sku and po.end_time = $7
         and po.promotion_id = $8
     ), written as (
       insert into promotion_offers as po (chain_id, vendor_id, sku, end_time, promotion_id, start_time, discount_subtype,
         discount_value, max_quantity)
       select $1, $2, j.sku, $7, $8, $9::timestamptz, j.discount_subtype, j.discount_value, j.max_quantity
       from judged j where j.is_active and j.code is null order by j.sku
       on conflict (chain_id, vendor_id, sku, end_time, promotion_id) do update set
         discount_subtype = excluded.discount_subtype, discount_value = excluded.discount_value,
         max_quantity = excluded.max_quantity
       where (po.discount_subtype, po.discount_value, po.max_quantity)
         is distinct from (excluded.discount_subtype, excluded.discount_value, excluded.max_quantity)
     ) ${summary}`,
    [...judgedValues(chainId, vendor, range, mostFeedback), target.end_time, target.promotion_id, target.start_time],
  );
  return rows[0] as VendorOutcome;
}

/**
 * The same for a promotion of all vendors, which has one row a SKU: it comes with the first vendor that can take it.
 * Nearly all vendors find it there, and pass over it by one look instead of running into it.
 */
export async function applyToAll(
  tx: Tx,
  chainId: string,
  target: Target,
  vendor: JudgedVendor,
  range: SkuRange,
  mostFeedback: number,
): Promise<VendorOutcome> {
  const rows = await tx.query<VendorOutcome>(
    `with ${judged}, gone as (
       delete from promotion_offers po using judged j
       where not j.is_active and po.chain_id = $1 and po.vendor_id = '*' and po.sku = j.sku and po.end_time = $7
         and po.promotion_id = $8
     ), written as (
       insert into promotion_offers (chain_id, vendor_id, sku, end_time, promotion_id, start_time, discount_subtype,
         discount_value, max_quantity)
       select $1, '*', j.sku, $7, $8, $9::timestamptz, j.discount_subtype, j.discount_value, j.max_quantity
       from judged j
       where j.is_active and j.code is null and not exists (
         select from promotion_offers po where po.chain_id = $1 and po.vendor_id = '*' and po.sku = j.sku
           and po.end_time = $7 and po.promotion_id = $8 and po.discount_subtype = j.discount_subtype
           and po.discount_value = j.discount_value and po.max_quantity is not distinct from j.max_quantity)
       order by j.sku
       on conflict (chain_id, vendor_id, sku, end_time, promotion_id) do update set
         discount_subtype = excluded.discount_subtype, discount_value = excluded.discount_value,
         max_quantity = excluded.max_quantity
     ) ${summary}`,
    [...judgedValues(chainId, vendor, range, mostFeedback), target.end_time, target.promotion_id, target.start_time],
  );
  return rows[0] as VendorOutcome;
}

/** Once a chunk has been applied to all vendors: what any of them took is an entry of the promotion. */
export async function writeEntries(tx: Tx, chainId: string, target: Target, vendorIds: string[]): Promise<void> {
  await tx.query(
    `insert into promotion_entries as e (chain_id, promotion_id, sku, discount_subtype, discount_value, max_quantity)
     select $1, $2, i.sku, i.discount_subtype, i.discount_value, i.max_quantity from incoming_entries i
     where i.is_active and exists (
       select from unnest($4::text[]) as v (vendor_id)
       join promotion_offers po on po.chain_id = $1 and po.vendor_id = v.vendor_id and po.sku = i.sku
         and po.end_time = $3 and po.promotion_id = $2 and po.discount_subtype = i.discount_subtype
         and po.discount_value = i.discount_value)
     order by i.sku
     on conflict (chain_id, promotion_id, sku) do update set
       discount_subtype = excluded.discount_subtype, discount_value = excluded.discount_value,
       max_quantity = excluded.max_quantity`,
    [chainId, target.promotion_id, target.end_time, vendorIds],
  );
}

export async function deleteEntries(tx: Tx, chainId: string, promotionId: string): Promise<void> {
  await tx.query(
    `delete from promotion_entries e using incoming_entries i
     where e.chain_id = $1 and e.promotion_id = $2 and e.sku = i.sku and not i.is_active`,
    [chainId, promotionId],
  );
}

/** The rule of `promotionalPrice` and `judgeDiscount` in rules/terms.ts, for an offer `o` and an entry `i`. */
const shownPrice = 'round(o.price, $3)';
const promotionalPrice = `round(case i.discount_subtype
  when 'FINAL_PRICE' then i.discount_value
  when 'PERCENTAGE' then ${shownPrice} * (100 - i.discount_value) / 100
  else greatest(${shownPrice} - i.discount_value, 0) end, $3)`;

const judged = `judged as materialized (
  select i.*, case
    when o.sku is null then 'product_not_found'
    when i.is_active and not ${promotionalPrice} < ${shownPrice} then 'discount_not_below_price' end as code
  from incoming_entries i
  left join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $4 and $5
)`;

function judgedValues(chainId: string, vendor: JudgedVendor, range: SkuRange, mostFeedback: number): unknown[] {
  return [chainId, vendor.vendor_id, vendor.digits, range.low, range.high, mostFeedback];
}

function firstOf(code: string): string {
  return `coalesce((
    select jsonb_agg(jsonb_build_object('row_no', f.row_no, 'sku', f.sku) order by f.row_no)
    from (select row_no, sku from judged where code = '${code}' order by row_no limit $6) f), '[]')`;
}

const summary = `
  select
    count(*) filter (where code is null)::int as applied,
    ${firstOf('product_not_found')} as missing,
    count(*) filter (where code = 'product_not_found')::int as missing_count,
    ${firstOf('discount_not_below_price')} as pointless,
    count(*) filter (where code = 'discount_not_below_price')::int as pointless_count,
    string_agg($2 || ',' || sku_cell || ',' || code || ',' || case code
      when 'product_not_found' then '"The vendor has no product with this SKU."'
      else '"The discounted price is not below the price."' end || E'\\n', '' order by row_no)
      filter (where code is not null) as log
  from judged`;
