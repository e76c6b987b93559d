import type { Tx } from '../kernel/database/db.ts';

/**
 * These statements mark the rows of `reverting` whose values have changed since the reverted job (`newer_…`), whether or
 * not they have changed back. Singles are found by SKU. The changes of jobs are stored in arrays, so all of the store's
 * changes since then have to be searched, which takes seconds in a busy store: no locks may be held.
 */
export type NewerTerms = {
  /** When the reverted values were written. */
  changedAt: string;
  /** The reverted job, because a file can contain a SKU twice, and the job that reverts it. */
  ownJobs: string[];
};

/** A position in the changes of jobs, which are searched from the newest to the oldest. */
export type ChangePosition = { changed_at: string; change_no: string };

/** Marks changes of these SKUs by single updates and orders. */
export async function markNewerSingles(
  tx: Tx,
  chainId: string,
  vendorId: string,
  { changedAt }: NewerTerms,
  skus: string[],
): Promise<void> {
  await tx.query(
    `with later as (
       select h.sku, h.changed_at, ${labelOfSingle} as label, h.old_price is distinct from h.new_price as price,
         h.old_quantity is distinct from h.new_quantity as quantity, h.old_active is distinct from h.new_active as active,
         h.old_maximum is distinct from h.new_maximum as maximum
       from offer_history h
       where h.chain_id = $1 and h.vendor_id = $2 and h.sku = any ($4::text[]) and h.changed_at > $3
     ) ${markLater}`,
    [chainId, vendorId, changedAt, skus],
  );
}

/**
 * Marks changes by up to 100 jobs before the position. Only SKUs for which an earlier change can still make a difference
 * are searched. Returns the next position, or undefined if there is nothing more to search.
 */
export async function markNewerJobs(
  tx: Tx,
  chainId: string,
  vendorId: string,
  { changedAt, ownJobs }: NewerTerms,
  before: ChangePosition | undefined,
): Promise<ChangePosition | undefined> {
  const rows = await tx.query<ChangePosition>(
    `with undecided as materialized (
       select sku from reverting where seen_at <> $3 and (newer_at is null
         or (not newer_price and old_price is distinct from new_price)
         or (not newer_quantity and old_quantity is distinct from new_quantity)
         or (not newer_active and old_active is distinct from new_active)
         or (not newer_maximum and old_maximum is distinct from new_maximum))
     ), changes as materialized (
       select c.* from job_changes c
       where c.chain_id = $1 and c.vendor_id = $2 and c.changed_at > $3 and c.old_barcodes is null
         and c.job_id <> all ($4::uuid[]) and ($5::timestamptz is null or (c.changed_at, c.change_no) < ($5, $6::bigint))
         and c.low <= (select max(sku) from undecided) and c.high >= (select min(sku) from undecided)
       order by c.changed_at desc, c.change_no desc limit 100
     ), relevant as materialized (
       select distinct c.change_no
       from changes c cross join lateral unnest(c.skus) as s (sku) join undecided d on d.sku = s.sku
     ), later as (
       select u.sku, c.changed_at, 'job ' || c.job_id as label, u.op is distinct from u.np as price,
         u.oq is distinct from u.nq as quantity, u.oa is distinct from u.na as active, u.om is distinct from u.nm as maximum
       from relevant join changes c using (change_no)
       cross join lateral unnest(c.skus, c.old_prices, c.new_prices, c.old_quantities, c.new_quantities, c.old_active,
         c.new_active, c.old_maximums, c.new_maximums) as u (sku, op, np, oq, nq, oa, na, om, nm)
       join undecided d on d.sku = u.sku
     ), marked as (${markLater})
     select changed_at::text, change_no from changes order by changes.changed_at, change_no limit 1`,
    [chainId, vendorId, changedAt, ownJobs, before?.changed_at, before?.change_no],
  );
  return rows[0];
}

/** Marks changes of these products' barcodes by jobs at any vendor. Single updates of barcodes are not recorded. */
export async function markNewerBarcodes(
  tx: Tx,
  chainId: string,
  { changedAt, ownJobs }: NewerTerms,
  skus: string[],
): Promise<void> {
  await tx.query(
    `with touched as materialized (
       select sku collate "C" as sku from unnest($4::text[]) as t (sku)
     ), newer as (
       select s.sku, max(c.changed_at) as at, (array_agg('job ' || c.job_id order by c.changed_at desc))[1] as label
       from job_changes c cross join lateral unnest(c.skus) as s (sku) join touched t on t.sku = s.sku
       where c.chain_id = $1 and c.changed_at > $2 and c.old_barcodes is not null and c.job_id <> all ($3::uuid[])
         and c.low <= (select max(sku) from touched) and c.high >= (select min(sku) from touched)
       group by s.sku
     )
     update reverting r set newer_at = n.at, newer_label = n.label from newer n where n.sku = r.sku`,
    [chainId, changedAt, ownJobs, skus],
  );
}

const labelOfSingle = `case when h.order_id is not null then 'order ' || h.order_id
  else coalesce(nullif(h.changed_by, ''), 'a client') end`;

const markLater = `
  update reverting r set newer_price = r.newer_price or n.price, newer_quantity = r.newer_quantity or n.quantity,
    newer_active = r.newer_active or n.active, newer_maximum = r.newer_maximum or n.maximum,
    newer_label = case when r.newer_at > n.at then r.newer_label else n.label end, newer_at = greatest(r.newer_at, n.at)
  from (
    select sku, bool_or(price) as price, bool_or(quantity) as quantity, bool_or(active) as active,
      bool_or(maximum) as maximum, max(changed_at) as at, (array_agg(label order by changed_at desc))[1] as label
    from later group by sku
  ) n where n.sku = r.sku`;
