import { copyInto, createTemporary } from '../kernel/database/copy.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { maxListedSkus } from './change-queries.ts';
import { type ProductRow, productColumns } from './queries.ts';
import type { UpdateItem } from './rules/update-item.ts';

export async function fillIncomingUpdates(tx: Tx, lines: Buffer): Promise<void> {
  await createTemporary(
    tx,
    'incoming_updates',
    `row_no integer, sku text collate "C", price numeric(10, 3), quantity integer, active boolean, maximum integer,
     barcode text`,
  );
  await copyInto(tx, 'incoming_updates', lines);
}

/** The job's acceptance number, the number of items in the chunk, and whether any of them has a barcode. */
export type WriteTerms = { acceptanceNo: string; hasBarcodes: boolean; items: number };

export type SkuRange = { low: string; high: string };

/** The range of SKUs in a chunk. Requests are sorted before they are split into chunks, so ranges do not overlap. */
export async function findIncomingRange(tx: Tx): Promise<SkuRange> {
  const rows = await tx.query<SkuRange>('select min(sku) as low, max(sku) as high from incoming_updates');
  return rows[0] as SkuRange;
}

/**
 * Writes the offers (and barcodes) that differ from incoming_updates. Returns how many items were written and, if that
 * is not all of them, the row numbers of the written items.
 *
 * With the range in the condition, the planner reads that range of the primary key in order and uses a hash join if the
 * chunk is a large part of the catalog: about 1 µs per item. An index probe per item, which the planner prefers without
 * the range or for a few items in a large catalog, takes 6 µs. IS DISTINCT FROM has no measurable cost if all items
 * change, and saves most of the work if nine in ten are unchanged. If a single update commits while this statement
 * runs, PostgreSQL checks the condition on single_update_no again, on the newest row version.
 */
export async function writeIncomingUpdates(
  tx: Tx,
  chainId: string,
  vendorId: string,
  terms: WriteTerms,
  range: SkuRange,
): Promise<{ count: number; rows: number[] | null }> {
  const values = [chainId, vendorId, terms.acceptanceNo, range.low, range.high];
  if (!terms.hasBarcodes) return writeOffers(tx, terms.items, values);
  // Offers are locked before products, and both in SKU order, as in single updates and other vendors' jobs, so these
  // transactions cannot deadlock. The locks on the offers also keep single updates from running between the two writes.
  await tx.query(lockOffers, values.toSpliced(2, 1));
  const offers = await writeOffers(tx, terms.items, values);
  await tx.query(lockProducts, values);
  const barcodes = await tx.query<{ row_no: number }>(writeBarcodes, values);
  if (offers.rows === null) return offers;
  const rows = new Set([...offers.rows, ...barcodes.map((row) => row.row_no)]);
  return { count: rows.size, rows: [...rows] };
}

async function writeOffers(tx: Tx, items: number, values: string[]): Promise<{ count: number; rows: number[] | null }> {
  const written = await tx.query<{ count: number; rows: number[] | null }>(writeOffersSql, [...values, items]);
  const { count = 0, rows = [] } = written[0] ?? {};
  return { count, rows: count === items ? null : (rows ?? []) };
}

/**
 * Returns one character per row in incoming_updates: `N` if the offer does not exist, `S` if a newer single update
 * takes precedence, and `=` otherwise.
 */
export async function readIncomingStates(
  tx: Tx,
  chainId: string,
  vendorId: string,
  acceptanceNo: string,
  range: SkuRange,
): Promise<string> {
  const rows = await tx.query<{ states: string }>(
    `select string_agg(case when o.sku is null then 'N' when o.single_update_no >= $3 then 'S' else '=' end, ''
       order by i.row_no) as states
     from incoming_updates i
     left join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $4 and $5`,
    [chainId, vendorId, acceptanceNo, range.low, range.high],
  );
  return rows[0]?.states ?? '';
}

export function findIncomingSkus(tx: Tx, rowNos: number[]): Promise<{ row_no: number; sku: string }[]> {
  return tx.query('select row_no, sku from incoming_updates where row_no = any ($1) order by row_no', [rowNos]);
}

/**
 * Updates one offer. The update takes precedence over all jobs accepted before it. Returns undefined if the vendor does
 * not have the product.
 */
export async function updateOffer(
  db: Db,
  chainId: string,
  vendorId: string,
  item: UpdateItem,
): Promise<ProductRow | undefined> {
  const rows = await db.query<ProductRow>(
    `with o as (
       update offers set
         price = coalesce($4::numeric, price),
         quantity = case when $5 then $6::integer else quantity end,
         active = coalesce($7::boolean, active),
         maximum_sales_quantity = case when $8 then $9::integer else maximum_sales_quantity end,
         single_update_no = nextval('acceptance_numbers'),
         updated_at = now()
       where chain_id = $1 and vendor_id = $2 and sku = $3
       returning *
     ), recorded as (
       insert into offer_changes (chain_id, vendor_id, skus, at) select chain_id, vendor_id, array[sku], updated_at from o
     )
     select ${productColumns} from o join products p on p.chain_id = o.chain_id and p.sku = o.sku`,
    [
      chainId,
      vendorId,
      item.sku,
      item.price,
      item.quantity !== undefined,
      item.quantity,
      item.active,
      item.maximum !== undefined,
      item.maximum,
    ],
  );
  return rows[0];
}

export async function updateBarcode(tx: Tx, chainId: string, sku: string, barcode: string): Promise<void> {
  await tx.query(
    `with changed as (
       update products set barcodes = array[$3], updated_at = now()
       where chain_id = $1 and sku = $2 and barcodes is distinct from array[$3] returning updated_at
     )
     insert into offer_changes (chain_id, skus, at) select $1, array[$2], updated_at from changed`,
    [chainId, sku, barcode],
  );
}

/** For quantity and maximum, -1 keeps the stored value. */
const newValues = `(
  coalesce(i.price, o.price),
  case when i.quantity = -1 then o.quantity else i.quantity end,
  coalesce(i.active, o.active),
  case when i.maximum = -1 then o.maximum_sales_quantity else i.maximum end)`;

/** Records that the SKUs in `written` have changed. All of them are between $4 and $5. */
function recordRange(vendor: string, written: string): string {
  return `
    insert into offer_changes (chain_id, vendor_id, skus, low, high, at)
    select $1, ${vendor}, case when n.count <= ${maxListedSkus} then array(select sku from ${written}) end, $4, $5, now()
    from (select count(*) as count from ${written}) n where n.count > 0`;
}

const writeOffersSql = `
  with written as (
    update offers o set (price, quantity, active, maximum_sales_quantity) = row ${newValues}, updated_at = now()
    from incoming_updates i
    where o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $4 and $5
      and o.single_update_no < $3
      and ${newValues} is distinct from (o.price, o.quantity, o.active, o.maximum_sales_quantity)
    returning i.row_no, i.sku
  ), recorded as (${recordRange('$2', 'written')})
  select count(*)::int as count, case when count(*) < $6 then array_agg(row_no) end as rows from written`;

const lockOffers = `
  select from offers o join incoming_updates i on i.sku = o.sku
  where o.chain_id = $1 and o.vendor_id = $2 and o.sku between $3 and $4
  order by o.sku for no key update of o`;

const barcodeChanges = `
  incoming_updates i join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku
    and o.sku between $4 and $5 and o.single_update_no < $3`;
const differs = `p.chain_id = $1 and p.sku = i.sku and p.sku between $4 and $5
  and i.barcode is not null and p.barcodes is distinct from array[i.barcode]`;

const lockProducts = `
  select from products p, ${barcodeChanges} where ${differs} order by p.sku for no key update of p`;

const writeBarcodes = `
  with written as (
    update products p set barcodes = array[i.barcode], updated_at = now()
    from ${barcodeChanges} where ${differs} returning i.row_no, i.sku
  ), recorded as (${recordRange('null', 'written')})
  select row_no from written`;
