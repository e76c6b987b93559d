import { copyInto } from '../kernel/copy.ts';
import type { Db, Tx } from '../kernel/db.ts';
import type { Counts, Feedback } from '../jobs/index.ts';
import { type ProductRow, productColumns } from './queries.ts';
import type { UpdateItem } from './rules/update-item.ts';

/** What a slice of a bulk update did: the counts, the first failures, and the lines of the log. */
export type SliceOutcome = Counts & { feedback: Feedback[]; log: string };

export async function fillIncomingUpdates(tx: Tx, lines: Buffer): Promise<void> {
  await createTemporary(
    tx,
    'incoming_updates',
    `row_no integer, sku text collate "C", price numeric(10, 3), quantity integer, sets_quantity boolean, active boolean,
     maximum integer, sets_maximum boolean, barcode text,
     state text, code text, message text, rejected text, sku_cell text, barcode_cell text`,
  );
  await copyInto(tx, 'incoming_updates', lines);
}

/** An empty table of this connection only, which the end of the transaction empties again. */
export async function createTemporary(tx: Tx, name: string, columns: string): Promise<void> {
  const rows = await tx.query<{ present: boolean }>(`select to_regclass('pg_temp.${name}') is not null as present`);
  if (rows[0]?.present) await tx.client.query(`truncate ${name}`);
  else await tx.client.query(`create temporary table ${name} (${columns}) on commit delete rows`);
}

/**
 * Applies what is in incoming_updates and says what became of each row, in one statement.
 *
 * `applied` writes only rows that really change: IS DISTINCT FROM costs nothing measurable when all change, and when
 * nine in ten are equal it is the difference between 50k and 120k rows/s. The offers of a chunk are found by primary key.
 * `outcome` needs to look again only at rows that were not written: its join key is null for the others. It sees offers
 * as they were when the statement began, which settles a race, too: a row that was distinct then but was not written
 * has meanwhile been changed by a single update (the write re-checks the newest row), and that one wins.
 */
export async function applyIncomingUpdates(
  tx: Tx,
  chainId: string,
  vendorId: string,
  job: { acceptanceNo: string; hasBarcodes: boolean; mostFeedback: number },
): Promise<SliceOutcome> {
  const rows = await tx.query<SliceOutcome>(job.hasBarcodes ? applyWithBarcodes : applyOffersOnly, [
    chainId,
    vendorId,
    job.acceptanceNo,
    job.mostFeedback,
  ]);
  return rows[0] as SliceOutcome;
}

/** One product at once; it wins over every job accepted before it. Undefined if the vendor does not have it. */
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

/** The barcode is the chain's; only a vendor that has the product may set it. */
export async function updateBarcode(tx: Tx, chainId: string, vendorId: string, sku: string, barcode: string) {
  await tx.query(
    `update products p set barcodes = array[$4], updated_at = now()
     where chain_id = $1 and sku = $3 and barcodes is distinct from array[$4]
       and exists (select from offers o where o.chain_id = $1 and o.vendor_id = $2 and o.sku = $3)`,
    [chainId, vendorId, sku, barcode],
  );
}

const wanted = `(
  coalesce(i.price, o.price),
  case when i.sets_quantity then i.quantity else o.quantity end,
  coalesce(i.active, o.active),
  case when i.sets_maximum then i.maximum else o.maximum_sales_quantity end)`;
const stored = '(o.price, o.quantity, o.active, o.maximum_sales_quantity)';

const applied = `
  applied as (
    update offers o set (price, quantity, active, maximum_sales_quantity) = row ${wanted}, updated_at = now()
    from incoming_updates i
    where i.state is null and o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku
      and o.single_update_no < $3 and ${wanted} is distinct from ${stored}
    returning i.row_no
  )`;

const barcoded = `
  barcoded as (
    update products p set barcodes = array[i.barcode], updated_at = now()
    from incoming_updates i join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku
    where i.state is null and i.barcode is not null and o.single_update_no < $3
      and p.chain_id = $1 and p.sku = i.sku and p.barcodes is distinct from array[i.barcode]
    returning i.row_no
  )`;

const summary = `
  outcome as materialized (
    select i.row_no, i.sku, i.rejected, i.sku_cell, coalesce(i.barcode_cell, i.barcode) as barcode_cell,
      case when i.state is not null then i.state
           when w.row_no is not null then 'UPDATED'
           when o.sku is null then 'FAILED'
           when o.single_update_no >= $3 or ${wanted} is distinct from ${stored} then 'SUPERSEDED'
           else 'UNCHANGED' end as state,
      case when i.state is not null then i.code
           when w.row_no is not null then null
           when o.sku is null then 'product_not_found'
           when o.single_update_no >= $3 or ${wanted} is distinct from ${stored} then 'superseded_by_single_update'
           end as code,
      case when i.state is not null then i.message
           when w.row_no is not null then null
           when o.sku is null then 'The vendor has no product with this SKU.'
           when o.single_update_no >= $3 or ${wanted} is distinct from ${stored}
             then 'A single update of this SKU was accepted after this job.'
           end as message
    from incoming_updates i
    left join written w on w.row_no = i.row_no
    left join offers o on o.chain_id = $1 and o.vendor_id = $2
      and o.sku = case when w.row_no is null and i.state is null then i.sku end
  )
  select
    count(*) filter (where state = 'UPDATED')::int as succeeded,
    count(*) filter (where state in ('UNCHANGED', 'SUPERSEDED'))::int as unchanged,
    count(*) filter (where state = 'FAILED')::int as failed,
    coalesce((
      select jsonb_agg(jsonb_build_object('status', 'FAILED', 'row_no', row_no, 'vendor_id', $2::text, 'sku', sku,
        'rejected_data', coalesce(rejected, sku), 'rejected_reason', message) order by row_no)
      from (select * from outcome where state = 'FAILED' order by row_no limit $4) f
    ), '[]') as feedback,
    string_agg(
      coalesce(sku_cell, sku, '') || ',' || coalesce(code, '') || ',' || state || ',' ||
      coalesce('"' || replace(message, '"', '""') || '"', '') || ',' || row_no || ',' || coalesce(barcode_cell, '') ||
      E'\\n', '' order by row_no) as log
  from outcome`;

const applyOffersOnly = `with ${applied}, written as (select row_no from applied), ${summary}`;
const applyWithBarcodes = `with ${applied}, ${barcoded},
  written as (select row_no from applied union select row_no from barcoded), ${summary}`;
