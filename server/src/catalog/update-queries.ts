import type { Tx } from '../kernel/database/db.ts';
import { maxListedSkus } from './change-queries.ts';
import { type Compared, comparison, newValues, type SkuRange, valuesDiffer } from './incoming-queries.ts';

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
  /** See `canReturnOld`. */
  returnsOld: boolean;
};

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
  if (terms.isSharded && !terms.hasBarcodes) return writeOffersOnNode(tx, values, terms);
  // Offers are locked before products, and both in SKU order, as in single updates and other vendors' jobs, so these
  // transactions cannot deadlock. The locks on the offers also keep single updates from running between the two writes.
  if (terms.hasBarcodes || !terms.returnsOld) await tx.query(lockOffers, values.toSpliced(2, 1));
  const write = terms.isSharded ? writeOnNode : writeAtOnce;
  const offers = await write(tx, terms.returnsOld ? offerUpdate : lockedOfferUpdate, values, terms);
  if (!terms.hasBarcodes) return offers;
  await tx.query(lockProducts, values);
  const barcodes = await write(tx, barcodeUpdate, values, terms);
  if (offers.rows === null || barcodes.rows === null) return { count: terms.items, rows: null };
  const rows = new Set([...offers.rows, ...barcodes.rows]);
  return { count: rows.size, rows: [...rows] };
}

/**
 * The same for a chunk of which most items are unchanged: compares the items first, then finds those that differ with
 * the primary key. That takes two thirds of the time of writing them and finding out why the others were not written.
 * Returns what it has found out too. If another transaction has changed offers in between, `changed` is larger than the
 * number of written items, and the states have to be determined with `compareIncomingUpdates`.
 */
export async function writeDifferences(
  tx: Tx,
  chainId: string,
  vendorId: string,
  terms: WriteTerms,
  range: SkuRange,
): Promise<Written & Compared & { changed: number }> {
  const values = [chainId, vendorId, terms.acceptanceNo, range.low, range.high];
  const rowsWhere = (condition: string) =>
    `(select coalesce(array_agg(row_no), '{}') from compared where ${condition})`;
  return writeAtOnce(tx, differenceUpdate, values, terms, {
    with: `compared as materialized (
      select i.*, o.sku is null as is_unknown, o.single_update_no >= $3 as is_superseded from ${comparison}
      where o.sku is null or o.single_update_no >= $3 or ${valuesDiffer}
    ),`,
    select: `, ${rowsWhere('is_unknown')} as unknown, ${rowsWhere('is_superseded')} as superseded,
      (select count(*)::int from compared where not is_superseded) as changed`,
  });
}

/** Whether `writeDifferences` can be used. */
export function canWriteDifferences({ hasBarcodes, isSharded, returnsOld }: WriteTerms): boolean {
  return !hasBarcodes && !isSharded && returnsOld;
}

/** The number of written items and, if that is not all of them, their row numbers. */
type Written = { count: number; rows: number[] | null };

/** Updates the rows, and records the changes, in one statement. */
async function writeAtOnce<Found>(
  tx: Tx,
  update: Update,
  values: unknown[],
  { items, jobId }: WriteTerms,
  more = { with: '', select: '' },
): Promise<Written & Found> {
  const [written] = await tx.query<Written & Found>(
    `with ${more.with} written as (${update.sql}
     ), recorded as (
       insert into offer_changes (chain_id, vendor_id, skus, low, high, at)
       select $1, ${update.isOfVendor ? '$2' : 'null'},
         case when n.count <= ${maxListedSkus} then array(select sku from written) end, $4, $5, now()
       from (select count(*) as count from written) n where n.count > 0
     ), kept as (
       insert into job_changes (chain_id, job_id, vendor_id, changed_at, ${Object.keys(update.kept).join(', ')})
       select $1, $7, $2, now(), ${Object.values(update.kept).join(', ')} from written having count(*) > 0
     )
     ${countWritten} ${more.select} from written`,
    [...values, items, jobId],
  );
  return written as Written & Found;
}

/**
 * The same on a distributed database, in several statements (see decision 0139). The values are passed on as the text of
 * arrays, without being read here.
 */
async function writeOnNode(tx: Tx, update: Update, values: unknown[], terms: WriteTerms): Promise<Written> {
  const [row] = await tx.query<WrittenTexts>(
    `with written as (${update.sql}) ${countWritten}, ${textsOf(update)} from written`,
    [...values, terms.items],
  );
  if (row && row.count > 0) recordOnNode(tx, update, values, terms, row);
  return row as Written;
}

/**
 * The same for offers, whose old values are known once they are locked: what will be written is collected on their node,
 * so that only arrays leave it. What an UPDATE returns would be copied to the coordinator row by row.
 */
async function writeOffersOnNode(tx: Tx, values: unknown[], terms: WriteTerms): Promise<Written> {
  const range = values.toSpliced(2, 1);
  tx.send((await isDense(tx, range, terms.items)) ? lockRange : lockOffers, range);
  const [row] = await tx.query<WrittenTexts>(collectOffers, [...values, terms.items]);
  if (row && row.count > 0) {
    const [chainId, vendorId] = values;
    tx.send(changeCollected, [chainId, vendorId, row['low'], row['high'], ...collected.map((name) => row[name])]);
    recordOnNode(tx, offerUpdate, values, terms, row);
  }
  return row as Written;
}

/**
 * Whether nearly all offers in the range are in the chunk. Then the whole range is locked, without sending the chunk's
 * SKUs to the node.
 */
async function isDense(tx: Tx, range: unknown[], items: number): Promise<boolean> {
  const atMost = Math.ceil(items * 1.1);
  const [found] = await tx.query<{ count: number }>(countRange, [...range, atMost + 1]);
  return (found?.count ?? 0) <= atMost;
}

/** The number of written items and what is kept of them, as the texts of arrays. */
type WrittenTexts = Written & Record<string, string>;

function textsOf({ kept }: Update): string {
  return Object.entries(kept)
    .map(([name, value]) => `(${value})::text as ${name}`)
    .join(', ');
}

function recordOnNode(tx: Tx, update: Update, values: unknown[], { jobId }: WriteTerms, row: WrittenTexts): void {
  const kept = Object.keys(update.kept);
  const [chainId, vendorId, , low, high] = values;
  tx.send('insert into offer_changes (chain_id, vendor_id, skus, low, high, at) values ($1, $2, $3, $4, $5, now())', [
    chainId,
    update.isOfVendor ? vendorId : null,
    row.count <= maxListedSkus ? row['skus'] : null,
    low,
    high,
  ]);
  // A quarter less work than INSERT … VALUES, whose values would become a part of the text that the node parses.
  tx.send(
    `insert into job_changes (chain_id, job_id, vendor_id, changed_at, ${kept.join(', ')})
     select $1, $2, $3, now(), ${kept.map((_, index) => `$${index + 4}`).join(', ')}`,
    [chainId, jobId, vendorId, ...kept.map((name) => row[name])],
  );
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

const countWritten =
  "select count(*)::int as count, case when count(*) < $6 then coalesce(array_agg(row_no), '{}') end as rows";

/**
 * A statement that writes what differs from incoming_updates and returns the SKUs with their old and new values, whether
 * it changes a vendor's offers rather than products, and what is kept of the returned rows in job_changes, by column.
 */
type Update = { sql: string; isOfVendor: boolean; kept: Record<string, string> };

const keptRange = { low: 'min(sku)', high: 'max(sku)', skus: 'array_agg(sku)' };

const offerColumns = ['o.price', 'o.quantity', 'o.active', 'o.maximum_sales_quantity'];
const offerDiffers = `o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $4 and $5
  and o.single_update_no < $3 and ${valuesDiffer}`;

const changeOffersFrom = (items: string) => `
  update offers o set (price, quantity, active, maximum_sales_quantity) = row (${newValues.join(', ')}), updated_at = now()
  from ${items} where ${offerDiffers}`;

/** `before` is the row before the update. All of the rows in `locked` have been locked by an earlier statement. */
function updateOffersFrom(items: string, before: 'old' | 'locked', condition = ''): Update {
  const sql = `${changeOffersFrom(items)} ${condition}
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

/** A flat statement, because a distributed database executes subqueries about a temporary table on the coordinator. */
const collectOffers = `${countWritten}, min(o.sku) as low, max(o.sku) as high, array_agg(o.sku)::text as skus, ${[
  'prices',
  'quantities',
  'active',
  'maximums',
]
  .flatMap((name, index) => [
    `array_agg(${offerColumns[index]})::text as old_${name}`,
    `array_agg(${newValues[index]})::text as new_${name}`,
  ])
  .join(', ')} from incoming_updates i, offers o where ${offerDiffers}`;

const collected = ['skus', 'new_prices', 'new_quantities', 'new_active', 'new_maximums'];

/** Writes what was collected. The arrays are sent to the node in a third of the time that the items of the chunk take. */
const changeCollected = `
  update offers o set (price, quantity, active, maximum_sales_quantity) = row (i.price, i.quantity, i.active, i.maximum),
    updated_at = now()
  from unnest($5::text[], $6::numeric[], $7::integer[], $8::boolean[], $9::integer[])
    as i (sku, price, quantity, active, maximum)
  where o.chain_id = $1 and o.vendor_id = $2 and o.sku between $3 and $4 and o.sku = i.sku`;

const offerUpdate = updateOffersFrom('incoming_updates i', 'old');
const lockedOfferUpdate = updateOffersFrom(
  'incoming_updates i join offers locked on locked.chain_id = $1 and locked.vendor_id = $2 and locked.sku = i.sku',
  'locked',
);
/** The planner expects an array to be short, and looks for each SKU in the index. */
const differenceUpdate = updateOffersFrom(
  'compared i',
  'old',
  'and o.sku = any (array(select sku from compared where not is_superseded))',
);

const lockOffers = `
  select from offers o join incoming_updates i on i.sku = o.sku
  where o.chain_id = $1 and o.vendor_id = $2 and o.sku between $3 and $4
  order by o.sku for no key update of o`;

const inRange = 'from offers where chain_id = $1 and vendor_id = $2 and sku between $3 and $4';
const countRange = `select count(*)::int as count from (select ${inRange} limit $5) o`;
/** Counted, so that the node returns one row. */
const lockRange = `select count(*) from (select ${inRange} order by sku for no key update) o`;

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
