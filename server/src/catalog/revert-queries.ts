import { createTemporary } from '../kernel/database/copy.ts';
import type { Tx } from '../kernel/database/db.ts';

/** What one slice of a job changed at one vendor. */
export type JobChange = { change_no: string; changed_at: string; has_barcodes: boolean };

/** A row of a change, and what can be done with it. */
export type RevertRow = {
  row_no: number;
  sku: string;
  /** Whether the row is in incoming_updates, because some of its old values can be restored. */
  is_filled: boolean;
  /** The fields that keep their values, because they have changed again, and by what. */
  kept: string;
  since: string | null;
};

/** The number of rows that the job changed at each vendor, optionally of these SKUs only. */
export function countChanges(
  tx: Tx,
  chainId: string,
  jobId: string,
  skus: string[] | undefined,
): Promise<{ vendor_id: string; items: number }[]> {
  return tx.query(
    `select vendor_id, sum(n.count)::int as items
     from job_changes c cross join lateral (
       select case when $3::text[] is null then cardinality(c.skus)
         else (select count(*) from unnest(c.skus) as u (sku) where u.sku = any ($3)) end as count) n
     where chain_id = $1 and job_id = $2 group by vendor_id having sum(n.count) > 0 order by vendor_id`,
    [chainId, jobId, skus],
  );
}

/**
 * How many items the recorded changes belong to. An item that changed both the offer and the barcode is in two changes
 * of the same slice.
 */
export async function countChangedItems(tx: Tx, chainId: string, jobId: string): Promise<number> {
  const rows = await tx.query<{ items: number }>(
    `select coalesce(sum(cardinality(c.skus) - coalesce(twice.count, 0)), 0)::int as items
     from job_changes c left join lateral (
       select sum((select count(*) from (select unnest(o.skus) intersect select unnest(c.skus)) both_skus)) as count
       from job_changes o
       where o.chain_id = $1 and o.vendor_id = c.vendor_id and o.changed_at = c.changed_at and o.job_id = $2
         and o.old_barcodes is null
     ) twice on c.old_barcodes is not null
     where c.chain_id = $1 and c.job_id = $2`,
    [chainId, jobId],
  );
  return rows[0]?.items ?? 0;
}

/** The SKUs that the job has not changed at any vendor. */
export async function findUnchangedSkus(tx: Tx, chainId: string, jobId: string, skus: string[]): Promise<string[]> {
  const rows = await tx.query<{ sku: string }>(
    `select sku from unnest($3::text[]) with ordinality as given (sku, position)
     where sku not in (select unnest(skus) from job_changes where chain_id = $1 and job_id = $2) order by position`,
    [chainId, jobId, skus],
  );
  return rows.map(({ sku }) => sku);
}

/** The last change of the job at the vendor, before the given one. */
export async function findChangeBefore(
  tx: Tx,
  chainId: string,
  vendorId: string,
  jobId: string,
  before: string | undefined,
): Promise<JobChange | undefined> {
  const rows = await tx.query<JobChange>(
    `select change_no, changed_at::text, old_barcodes is not null as has_barcodes from job_changes
     where chain_id = $1 and vendor_id = $2 and job_id = $3 and ($4::bigint is null or change_no < $4)
     order by change_no desc limit 1`,
    [chainId, vendorId, jobId, before],
  );
  return rows[0];
}

/** The next rows of a change, in SKU order, and optionally only those of some SKUs. */
export type SliceTerms = {
  jobId: string;
  changeNo: string;
  skus: string[] | undefined;
  /** The last SKU of the change in an earlier slice. */
  after: string | undefined;
  limit: number;
  /** The number of rows in all earlier slices. */
  rowsBefore: number;
};

/** Fills `reverting` with rows of the change. */
export async function fillReverting(tx: Tx, chainId: string, terms: SliceTerms): Promise<void> {
  await createTemporary(
    tx,
    'reverting',
    `row_no integer, sku text collate "C", old_price numeric(10, 3), new_price numeric(10, 3), old_quantity integer,
     new_quantity integer, old_active boolean, new_active boolean, old_maximum integer, new_maximum integer,
     old_barcodes text, new_barcodes text, seen_at timestamptz, newer_price boolean not null default false,
     newer_quantity boolean not null default false, newer_active boolean not null default false,
     newer_maximum boolean not null default false, newer_at timestamptz, newer_label text`,
  );
  await tx.query(
    `insert into reverting
     select $4 + row_number() over (order by s.sku), s.*
     from (
       select u.sku collate "C" as sku, u.op, u.np, u.oq, u.nq, u.oa, u.na, u.om, u.nm, u.ob, u.nb
       from job_changes c cross join lateral unnest(${arrays('c')}) as u (sku, op, np, oq, nq, oa, na, om, nm, ob, nb)
       where c.chain_id = $1 and c.job_id = $2 and c.change_no = $3 and ($5::text[] is null or u.sku = any ($5))
         and ($6::text is null or u.sku collate "C" > $6)
       order by 1 limit $7) s`,
    [chainId, terms.jobId, terms.changeNo, terms.rowsBefore, terms.skus, terms.after, terms.limit],
  );
  // The planner knows little about temporary tables. With a nested loop, a slice would compare every offer of the store
  // with every row of the change, which takes a minute instead of a fraction of a second.
  tx.send('set local enable_nestloop = off');
}

/**
 * Notes when the offers were last updated, and returns the SKUs of those that have been updated since the reverted
 * change. The others need no further check: an offer whose updated_at is the time of the job's slice has not changed
 * since.
 */
export async function seeOffers(tx: Tx, chainId: string, vendorId: string, changedAt: string): Promise<string[]> {
  const rows = await tx.query<{ sku: string }>(
    `update reverting r set seen_at = o.updated_at from offers o
     where o.chain_id = $1 and o.vendor_id = $2 and o.sku = any (${ownSkus}) and o.sku = r.sku
     returning case when o.updated_at <> $3 then r.sku end as sku`,
    [chainId, vendorId, changedAt],
  );
  return rows.flatMap(({ sku }) => sku ?? []);
}

/** The same for products. */
export async function seeProducts(tx: Tx, chainId: string, changedAt: string): Promise<string[]> {
  const rows = await tx.query<{ sku: string }>(
    `update reverting r set seen_at = p.updated_at from products p
     where p.chain_id = $1 and p.sku = any (${ownSkus}) and p.sku = r.sku
     returning case when p.updated_at <> $2 then r.sku end as sku`,
    [chainId, changedAt],
  );
  return rows.flatMap(({ sku }) => sku ?? []);
}

/** Locks the offers in SKU order. */
export async function lockRevertedOffers(tx: Tx, chainId: string, vendorId: string): Promise<void> {
  await tx.query(
    `select from offers o where o.chain_id = $1 and o.vendor_id = $2 and o.sku = any (${ownSkus})
     order by o.sku for no key update`,
    [chainId, vendorId],
  );
}

/** Locks the products in SKU order. Offers are locked before products. */
export async function lockRevertedProducts(tx: Tx, chainId: string): Promise<void> {
  await tx.query(
    `select from products p where p.chain_id = $1 and p.sku = any (${ownSkus}) order by p.sku for no key update`,
    [chainId],
  );
}

/** The SKUs of locked offers that were updated between `seeOffers` and the lock. */
export async function listOffersSince(tx: Tx, chainId: string, vendorId: string): Promise<string[]> {
  const rows = await tx.query<{ sku: string }>(
    `select r.sku from reverting r join offers o on o.sku = r.sku
     where o.chain_id = $1 and o.vendor_id = $2 and o.sku = any (${ownSkus}) and o.updated_at is distinct from r.seen_at`,
    [chainId, vendorId],
  );
  return rows.map(({ sku }) => sku);
}

/** The same for products. */
export async function listProductsSince(tx: Tx, chainId: string): Promise<string[]> {
  const rows = await tx.query<{ sku: string }>(
    `select r.sku from reverting r join products p on p.sku = r.sku
     where p.chain_id = $1 and p.sku = any (${ownSkus}) and p.updated_at is distinct from r.seen_at`,
    [chainId],
  );
  return rows.map(({ sku }) => sku);
}

/**
 * Decides which old values can be restored, and adds them to incoming_updates. A value can be restored if it is still
 * the one that the job wrote, and if no other change of it has been marked (newer-queries.ts): it can have changed and
 * changed back. The caller has locked the offers.
 */
export function fillRevertedOffers(tx: Tx, chainId: string, vendorId: string): Promise<RevertRow[]> {
  return tx.query(
    `with checked as materialized (
       select r.*, f.*
       from reverting r left join (
         select * from offers where chain_id = $1 and vendor_id = $2 and sku = any (${ownSkus})) o on o.sku = r.sku
       cross join lateral (select ${differences('r', ['had_price', 'had_quantity', 'had_active', 'had_maximum'])}) d
       cross join lateral (select
         had_price, had_price and o.price = r.new_price and not r.newer_price as price,
         had_quantity, had_quantity and o.quantity is not distinct from r.new_quantity and not r.newer_quantity as quantity,
         had_active, had_active and o.active = r.new_active and not r.newer_active as active,
         had_maximum, had_maximum and o.maximum_sales_quantity is not distinct from r.new_maximum
           and not r.newer_maximum as maximum) f
     ), filled as (
       insert into incoming_updates (row_no, sku, price, quantity, active, maximum)
       select row_no, sku, case when price then old_price end, case when quantity then old_quantity else -1 end,
         case when active then old_active end, case when maximum then old_maximum else -1 end
       from checked where price or quantity or active or maximum
     )
     select row_no, sku, price or quantity or active or maximum as is_filled, newer_label as since,
       concat_ws(', ', case when had_price and not price then 'price' end,
         case when had_quantity and not quantity then 'quantity' end, case when had_active and not active then 'active' end,
         case when had_maximum and not maximum then 'maximum_sales_quantity' end) as kept
     from checked order by row_no`,
    [chainId, vendorId],
  );
}

/** The same for barcodes, which belong to the chain's product. The caller has locked the products. */
export function fillRevertedBarcodes(tx: Tx, chainId: string): Promise<RevertRow[]> {
  return tx.query(
    `with checked as materialized (
       select r.*, p.barcodes = string_to_array(r.new_barcodes, ',') and r.newer_label is null as is_filled
       from reverting r left join (
         select * from products where chain_id = $1 and sku = any (${ownSkus})) p on p.sku = r.sku
     ), filled as (
       insert into incoming_updates (row_no, sku, quantity, maximum, barcode)
       select row_no, sku, -1, -1, old_barcodes from checked where is_filled
     )
     select row_no, sku, is_filled, newer_label as since, case when is_filled then '' else 'barcode' end as kept
     from checked order by row_no`,
    [chainId],
  );
}

/** Used with `= any`, so that the rows are found through the index, however large the catalog is. */
const ownSkus = 'array(select sku from reverting)';

function arrays(from: string): string {
  const names = ['prices', 'quantities', 'active', 'maximums', 'barcodes'];
  return [`${from}.skus`, ...names.flatMap((name) => [`${from}.old_${name}`, `${from}.new_${name}`])].join(', ');
}

/** Whether each field of a row with old and new values has changed, as columns with these names. */
function differences(row: string, names: string[]): string {
  const fields = ['price', 'quantity', 'active', 'maximum'];
  const pairs = fields.map(
    (field, index) => `${row}.old_${field} is distinct from ${row}.new_${field} as ${names[index]}`,
  );
  return pairs.join(', ');
}
