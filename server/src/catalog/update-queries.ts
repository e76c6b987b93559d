import { copyInto, createTemporary } from '../kernel/database/copy.ts';
import type { Tx } from '../kernel/database/db.ts';
import { maxListedSkus } from './change-queries.ts';

export async function fillIncomingUpdates(tx: Tx, lines: Buffer): Promise<void> {
  await createIncomingUpdates(tx);
  await copyInto(tx, 'incoming_updates', lines);
}

export async function createIncomingUpdates(tx: Tx): Promise<void> {
  await createTemporary(
    tx,
    'incoming_updates',
    `row_no integer, sku text collate "C", price numeric(10, 3), quantity integer, active boolean, maximum integer,
     barcode text`,
  );
}

/**
 * The job with its acceptance number, the number of items in the chunk, whether any of them has a barcode, and whether
 * the database is distributed.
 */
export type WriteTerms = {
  jobId: string;
  acceptanceNo: string;
  hasBarcodes: boolean;
  items: number;
  isSharded: boolean;
};

/** `returns_old` says whether the server can return the values before an update: PostgreSQL 18 and later. */
export type SkuRange = { low: string; high: string; returns_old: boolean };

/** The range of SKUs in a chunk. Requests are sorted before they are split into chunks, so ranges do not overlap. */
export async function findIncomingRange(tx: Tx): Promise<SkuRange> {
  const rows = await tx.query<SkuRange>(
    `select min(sku) as low, max(sku) as high, current_setting('server_version_num')::integer >= 180000 as returns_old
     from incoming_updates`,
  );
  return rows[0] as SkuRange;
}

/**
 * Writes the offers (and barcodes) that differ from incoming_updates, and records the old and new values in
 * job_changes. Returns how many items were written and, if that is not all of them, the row numbers of the written
 * items.
 *
 * With the range in the condition, the planner reads that range of the primary key in order and uses a hash join if the
 * chunk is a large part of the catalog: about 1 µs per item. An index probe per item, which the planner prefers without
 * the range or for a few items in a large catalog, takes 6 µs. IS DISTINCT FROM has no measurable cost if all items
 * change, and saves most of the work if nine in ten are unchanged. If a single update commits while this statement
 * runs, PostgreSQL checks the condition on single_update_no again, on the newest row version. The old values of that
 * version are available as `old` in PostgreSQL 18. Earlier versions need locks and a second join, which take as long as
 * the update itself.
 */
export async function writeIncomingUpdates(
  tx: Tx,
  chainId: string,
  vendorId: string,
  terms: WriteTerms,
  range: SkuRange,
): Promise<Written> {
  const values = [chainId, vendorId, terms.acceptanceNo, range.low, range.high];
  // Offers are locked before products, and both in SKU order, as in single updates and other vendors' jobs, so these
  // transactions cannot deadlock. The locks on the offers also keep single updates from running between the two writes.
  if (terms.hasBarcodes || !range.returns_old) await tx.query(lockOffers, values.toSpliced(2, 1));
  const write = terms.isSharded ? writeOnNode : writeAtOnce;
  const offers = await write(tx, range.returns_old ? offerUpdate : lockedOfferUpdate, values, terms);
  if (!terms.hasBarcodes) return offers;
  await tx.query(lockProducts, values);
  const barcodes = await write(tx, barcodeUpdate, values, terms);
  if (offers.rows === null || barcodes.rows === null) return { count: terms.items, rows: null };
  const rows = new Set([...offers.rows, ...barcodes.rows]);
  return { count: rows.size, rows: [...rows] };
}

/**
 * The same for the given SKUs only, after `compareIncomingUpdates`. If nine in ten items are unchanged, this takes half
 * the time.
 */
export async function writeChangedUpdates(
  tx: Tx,
  chainId: string,
  vendorId: string,
  terms: WriteTerms,
  range: SkuRange,
  changed: string[],
): Promise<Written> {
  if (changed.length === 0) return { count: 0, rows: [] };
  const values = [chainId, vendorId, terms.acceptanceNo, range.low, range.high];
  return writeAtOnce(tx, changedOfferUpdate, values, terms, changed);
}

/** Whether `writeChangedUpdates` can be used. */
export function canWriteChanged({ hasBarcodes, isSharded }: WriteTerms, range: SkuRange): boolean {
  return !hasBarcodes && !isSharded && range.returns_old;
}

/** The number of written items and, if that is not all of them, their row numbers. */
type Written = { count: number; rows: number[] | null };

/** Updates the rows, and records the changes, in one statement. */
async function writeAtOnce(
  tx: Tx,
  update: Update,
  values: unknown[],
  { items, jobId }: WriteTerms,
  ...more: unknown[]
): Promise<Written> {
  const [written] = await tx.query<Written>(
    `with written as (${update.sql}
     ), recorded as (
       insert into offer_changes (chain_id, vendor_id, skus, low, high, at)
       select $1, ${update.isOfVendor ? '$2' : 'null'},
         case when n.count <= ${maxListedSkus} then array(select sku from written) end, $4, $5, now()
       from (select count(*) as count from written) n where n.count > 0
     ), kept as (
       insert into job_changes (chain_id, job_id, vendor_id, changed_at, ${Object.keys(update.kept).join(', ')})
       select $1, $7, $2, now(), ${Object.values(update.kept).join(', ')} from written having count(*) > 0
     )
     ${countWritten} from written`,
    [...values, items, jobId, ...more],
  );
  return written as Written;
}

/**
 * The same on a distributed database, in several statements (see decision 0139). The values are passed on as the text of
 * arrays, without being read here.
 */
async function writeOnNode(tx: Tx, update: Update, values: unknown[], { items, jobId }: WriteTerms): Promise<Written> {
  const kept = Object.entries(update.kept);
  const [row] = await tx.query<Written & Record<string, string>>(
    `with written as (${update.sql})
     ${countWritten}, ${kept.map(([name, value]) => `(${value})::text as ${name}`).join(', ')} from written`,
    [...values, items],
  );
  const { count, rows } = row as Written;
  if (count === 0) return { count, rows };
  const [chainId, vendorId, , low, high] = values;
  tx.send('insert into offer_changes (chain_id, vendor_id, skus, low, high, at) values ($1, $2, $3, $4, $5, now())', [
    chainId,
    update.isOfVendor ? vendorId : null,
    count <= maxListedSkus ? row?.['skus'] : null,
    low,
    high,
  ]);
  tx.send(
    `insert into job_changes (chain_id, job_id, vendor_id, changed_at, ${kept.map(([name]) => name).join(', ')})
     values ($1, $2, $3, now(), ${kept.map((_, index) => `$${index + 4}`).join(', ')})`,
    [chainId, jobId, vendorId, ...kept.map(([name]) => row?.[name])],
  );
  return { count, rows };
}

/** Items of incoming_updates. All others are equal to their offers. */
export type Compared = {
  /** The row numbers of items without an offer. */
  unknown: number[];
  /** The row numbers of items over which a newer single update takes precedence. */
  superseded: number[];
  /** The SKUs of items that differ from their offers. Barcodes are not compared. */
  changed: string[];
};

/** Compares incoming_updates with the offers. After `writeIncomingUpdates`, none is `changed`. */
export async function compareIncomingUpdates(
  tx: Tx,
  chainId: string,
  vendorId: string,
  acceptanceNo: string,
  range: SkuRange,
): Promise<Compared> {
  const list = (column: string, condition: string) =>
    `coalesce(array_agg(i.${column}) filter (where ${condition}), '{}')`;
  const rows = await tx.query<Compared>(
    `select ${list('row_no', 'o.sku is null')} as unknown,
       ${list('row_no', 'o.single_update_no >= $3')} as superseded,
       ${list('sku', `o.single_update_no < $3 and ${offerDiffers}`)} as changed
     from incoming_updates i
     left join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $4 and $5`,
    [chainId, vendorId, acceptanceNo, range.low, range.high],
  );
  return rows[0] as Compared;
}

export function findIncomingSkus(tx: Tx, rowNos: number[]): Promise<{ row_no: number; sku: string }[]> {
  return tx.query('select row_no, sku from incoming_updates where row_no = any ($1) order by row_no', [rowNos]);
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

/**
 * The price, quantity, active and maximum of an offer `o` after the item `i` is applied. For quantity and maximum, -1
 * keeps the stored value.
 */
export const newValues = [
  'coalesce(i.price, o.price)',
  'case when i.quantity = -1 then o.quantity else i.quantity end',
  'coalesce(i.active, o.active)',
  'case when i.maximum = -1 then o.maximum_sales_quantity else i.maximum end',
];

const offerDiffers = `(${newValues.join(', ')}) is distinct from (o.price, o.quantity, o.active, o.maximum_sales_quantity)`;

const countWritten =
  "select count(*)::int as count, case when count(*) < $6 then coalesce(array_agg(row_no), '{}') end as rows";

/**
 * A statement that writes what differs from incoming_updates and returns the SKUs with their old and new values, whether
 * it changes a vendor's offers rather than products, and what is kept of the returned rows in job_changes, by column.
 */
type Update = { sql: string; isOfVendor: boolean; kept: Record<string, string> };

const keptRange = { low: 'min(sku)', high: 'max(sku)', skus: 'array_agg(sku)' };

/** `before` is the row before the update. All of the rows in `locked` have been locked by an earlier statement. */
function updateOffersFrom(before: 'old' | 'locked', condition = ''): Update {
  const locked =
    before === 'old'
      ? ''
      : 'join offers locked on locked.chain_id = $1 and locked.vendor_id = $2 and locked.sku = i.sku';
  const sql = `
    update offers o set (price, quantity, active, maximum_sales_quantity) = row (${newValues.join(', ')}), updated_at = now()
    from incoming_updates i ${locked}
    where o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $4 and $5
      and o.single_update_no < $3
      and ${offerDiffers} ${condition}
    returning i.row_no, i.sku, ${before}.price as old_price, o.price as new_price, ${before}.quantity as old_quantity,
      o.quantity as new_quantity, ${before}.active as old_active, o.active as new_active,
      ${before}.maximum_sales_quantity as old_maximum, o.maximum_sales_quantity as new_maximum`;
  const kept = {
    ...keptRange,
    old_prices: 'array_agg(old_price)',
    new_prices: 'array_agg(new_price)',
    old_quantities: 'array_agg(old_quantity)',
    new_quantities: 'array_agg(new_quantity)',
    old_active: 'array_agg(old_active)',
    new_active: 'array_agg(new_active)',
    old_maximums: 'array_agg(old_maximum)',
    new_maximums: 'array_agg(new_maximum)',
  };
  return { sql, isOfVendor: true, kept };
}

const offerUpdate = updateOffersFrom('old');
const lockedOfferUpdate = updateOffersFrom('locked');
const changedOfferUpdate = updateOffersFrom('old', 'and o.sku = any ($8)');

const lockOffers = `
  select from offers o join incoming_updates i on i.sku = o.sku
  where o.chain_id = $1 and o.vendor_id = $2 and o.sku between $3 and $4
  order by o.sku for no key update of o`;

/** A revert restores several barcodes, which are separated by commas. */
const newBarcodes = "string_to_array(i.barcode, ',')";
const barcodeChanges = `
  incoming_updates i join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku
    and o.sku between $4 and $5 and o.single_update_no < $3`;
const differs = `p.chain_id = $1 and p.sku = i.sku and p.sku between $4 and $5
  and i.barcode is not null and p.barcodes is distinct from ${newBarcodes}`;

const lockProducts = `
  select from products p, ${barcodeChanges} where ${differs} order by p.sku for no key update of p`;

const barcodeUpdate: Update = {
  sql: `
    update products p set barcodes = ${newBarcodes}, updated_at = now()
    from ${barcodeChanges} join products locked on locked.chain_id = $1 and locked.sku = i.sku where ${differs}
    returning i.row_no, i.sku, locked.barcodes as old_barcodes, i.barcode as new_barcodes`,
  isOfVendor: false,
  kept: {
    ...keptRange,
    old_barcodes: "array_agg(array_to_string(old_barcodes, ','))",
    new_barcodes: 'array_agg(new_barcodes)',
  },
};
