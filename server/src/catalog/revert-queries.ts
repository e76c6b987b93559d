import { createTemporary } from '../kernel/database/copy.ts';
import type { Tx } from '../kernel/database/db.ts';

/** What one slice of a job changed at one vendor. */
export type JobChange = { change_no: string; has_barcodes: boolean };

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
    `select change_no, old_barcodes is not null as has_barcodes from job_changes
     where chain_id = $1 and vendor_id = $2 and job_id = $3 and ($4::bigint is null or change_no < $4)
     order by change_no desc limit 1`,
    [chainId, vendorId, jobId, before],
  );
  return rows[0];
}

/** Fills `reverting` with the rows of the change, and locks their offers in SKU order. */
export async function fillReverting(
  tx: Tx,
  chainId: string,
  vendorId: string,
  terms: { jobId: string; changeNo: string; skus: string[] | undefined; rowsBefore: number },
): Promise<void> {
  await createTemporary(
    tx,
    'reverting',
    `row_no integer, sku text collate "C", old_price numeric(10, 3), new_price numeric(10, 3), old_quantity integer,
     new_quantity integer, old_active boolean, new_active boolean, old_maximum integer, new_maximum integer,
     old_barcodes text, new_barcodes text`,
  );
  await tx.query(
    `insert into reverting
     select $4 + row_number() over (order by u.position), u.sku, u.op, u.np, u.oq, u.nq, u.oa, u.na, u.om, u.nm, u.ob, u.nb
     from job_changes c cross join lateral unnest(${arrays('c')}) with ordinality
       as u (sku, op, np, oq, nq, oa, na, om, nm, ob, nb, position)
     where c.chain_id = $1 and c.job_id = $2 and c.change_no = $3 and ($5::text[] is null or u.sku = any ($5))`,
    [chainId, terms.jobId, terms.changeNo, terms.rowsBefore, terms.skus],
  );
  // The planner knows little about temporary tables. With a nested loop, a slice would compare every offer of the store
  // with every row of the change, which takes a minute instead of a fraction of a second.
  await tx.client.query('set local enable_nestloop = off');
  await tx.query(
    `select from offers o join reverting r on r.sku = o.sku
     where o.chain_id = $1 and o.vendor_id = $2 order by o.sku for no key update of o`,
    [chainId, vendorId],
  );
}

type CheckTerms = { jobId: string; revertedId: string; changeNo: string };

/**
 * Decides which old values can be restored, and adds them to incoming_updates. A value can be restored if it is still
 * the one that the job wrote, and if no other change of it has been recorded since then: it can have changed and
 * changed back. An offer whose updated_at is the time of the job's slice has not been changed since, so its history is
 * not read. The changes of the reverted job itself do not count, because a file can contain a SKU twice.
 */
export function fillRevertedOffers(tx: Tx, chainId: string, vendorId: string, terms: CheckTerms): Promise<RevertRow[]> {
  return tx.query(
    `with ${reverted}, touched as materialized (
       select r.sku from reverting r
       join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = r.sku cross join reverted
       where o.updated_at <> reverted.changed_at
     ), later as (
       select h.sku, h.changed_at, ${labelOfSingle} as label, ${differences('h', ['price', 'quantity', 'active', 'maximum'])}
       from offer_history h cross join reverted
       where h.chain_id = $1 and h.vendor_id = $2 and h.sku in (select sku from touched)
         and h.changed_at > reverted.changed_at
       union all
       select u.sku, c.changed_at, 'job ' || c.job_id, u.op is distinct from u.np, u.oq is distinct from u.nq,
         u.oa is distinct from u.na, u.om is distinct from u.nm
       from reverted cross join job_changes c cross join lateral unnest(${arrays('c')})
         as u (sku, op, np, oq, nq, oa, na, om, nm, ob, nb)
       where c.chain_id = $1 and c.vendor_id = $2 and c.changed_at > reverted.changed_at and c.old_barcodes is null
         and c.job_id not in ($3, $4) and exists (select from touched) and u.sku in (select sku from touched)
     ), newer as materialized (
       select sku, bool_or(price) as price, bool_or(quantity) as quantity, bool_or(active) as active,
         bool_or(maximum) as maximum, (array_agg(label order by changed_at desc))[1] as label
       from later group by sku
     ), checked as materialized (
       select r.*, n.label, f.*
       from reverting r left join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = r.sku
       left join newer n on n.sku = r.sku
       cross join lateral (select ${differences('r', ['had_price', 'had_quantity', 'had_active', 'had_maximum'])}) d
       cross join lateral (select
         had_price, had_price and o.price = r.new_price and n.price is not true as price,
         had_quantity, had_quantity and o.quantity is not distinct from r.new_quantity and n.quantity is not true as quantity,
         had_active, had_active and o.active = r.new_active and n.active is not true as active,
         had_maximum, had_maximum and o.maximum_sales_quantity is not distinct from r.new_maximum
           and n.maximum is not true as maximum) f
     ), filled as (
       insert into incoming_updates (row_no, sku, price, quantity, active, maximum)
       select row_no, sku, case when price then old_price end, case when quantity then old_quantity else -1 end,
         case when active then old_active end, case when maximum then old_maximum else -1 end
       from checked where price or quantity or active or maximum
     )
     select row_no, sku, price or quantity or active or maximum as is_filled, label as since,
       concat_ws(', ', case when had_price and not price then 'price' end,
         case when had_quantity and not quantity then 'quantity' end, case when had_active and not active then 'active' end,
         case when had_maximum and not maximum then 'maximum_sales_quantity' end) as kept
     from checked order by row_no`,
    [chainId, vendorId, terms.revertedId, terms.jobId, terms.changeNo],
  );
}

/** The same for barcodes, which belong to the chain's product. Their single updates are not recorded. */
export function fillRevertedBarcodes(
  tx: Tx,
  chainId: string,
  vendorId: string,
  terms: CheckTerms,
): Promise<RevertRow[]> {
  return tx.query(
    `with ${reverted}, later as materialized (
       select u.sku, (array_agg('job ' || c.job_id order by c.changed_at desc))[1] as label
       from reverted cross join job_changes c cross join lateral unnest(c.skus) as u (sku)
       where c.chain_id = $1 and c.changed_at > reverted.changed_at and c.old_barcodes is not null
         and c.job_id not in ($3, $4) group by u.sku
     ), checked as materialized (
       select r.*, n.label, p.barcodes = string_to_array(r.new_barcodes, ',') and n.label is null as is_filled
       from reverting r left join products p on p.chain_id = $1 and p.sku = r.sku left join later n on n.sku = r.sku
       where $2::text is not null
     ), filled as (
       insert into incoming_updates (row_no, sku, quantity, maximum, barcode)
       select row_no, sku, -1, -1, old_barcodes from checked where is_filled
     )
     select row_no, sku, is_filled, label as since, case when is_filled then '' else 'barcode' end as kept
     from checked order by row_no`,
    [chainId, vendorId, terms.revertedId, terms.jobId, terms.changeNo],
  );
}

const reverted = `reverted as materialized (
  select changed_at from job_changes where chain_id = $1 and job_id = $3 and change_no = $5)`;

const labelOfSingle = `case when h.order_id is not null then 'order ' || h.order_id
  else coalesce(nullif(h.changed_by, ''), 'a client') end`;

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
