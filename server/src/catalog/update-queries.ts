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
    `row_no integer, sku text collate "C", price numeric(10, 3), quantity integer, active boolean, maximum integer,
     barcode text, is_sound boolean, note jsonb`,
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
 * `seen` looks at each offer once. The items of a chunk lie within a range of SKUs (large requests are sorted), so for
 * a whole assortment the planner reads that range of the primary key in order and joins by hash: a tenth of the cost of
 * a probe per item. For a few items in a large assortment it probes. (`is_sound` is a column of its own because the
 * planner takes `… is null` on a table without statistics for rare, and would always probe.)
 *
 * `applied` writes only rows that really change: IS DISTINCT FROM costs nothing measurable when all change, and when
 * nine in ten are equal it saves most of the work. A row that was distinct when seen but was not written has meanwhile
 * been changed by a single update (the write re-checks the newest row), and that one wins: SUPERSEDED.
 */
export async function applyIncomingUpdates(
  tx: Tx,
  chainId: string,
  vendorId: string,
  job: { acceptanceNo: string; hasBarcodes: boolean; mostFeedback: number },
): Promise<SliceOutcome> {
  const range = await tx.query<{ low: string; high: string }>(
    'select min(sku) as low, max(sku) as high from incoming_updates where is_sound',
  );
  const rows = await tx.query<SliceOutcome>(job.hasBarcodes ? applyWithBarcodes : applyOffersOnly, [
    chainId,
    vendorId,
    job.acceptanceNo,
    job.mostFeedback,
    range[0]?.low,
    range[0]?.high,
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

/** Quantity and maximum: -1 leaves what is there. */
const wanted = `(
  coalesce(i.price, o.price),
  case when i.quantity = -1 then o.quantity else i.quantity end,
  coalesce(i.active, o.active),
  case when i.maximum = -1 then o.maximum_sales_quantity else i.maximum end)`;

const seen = `
  seen as materialized (
    select i.row_no, i.sku, i.note, i.barcode, i.is_sound, o.sku is not null as is_known,
      o.single_update_no >= $3 as is_beaten,
      ${wanted} is distinct from (o.price, o.quantity, o.active, o.maximum_sales_quantity) as is_change,
      i.price, i.quantity, i.active, i.maximum
    from incoming_updates i
    left join offers o on i.is_sound and o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku
      and o.sku between $5 and $6
  )`;

const applied = `
  applied as (
    update offers o set (price, quantity, active, maximum_sales_quantity) = row ${wanted}, updated_at = now()
    from seen i
    where i.is_known and i.is_change and not i.is_beaten
      and o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $5 and $6 and o.single_update_no < $3
    returning i.row_no
  )`;

const barcoded = `
  barcoded as (
    update products p set barcodes = array[i.barcode], updated_at = now()
    from seen i
    where i.is_known and not i.is_beaten and i.barcode is not null
      and p.chain_id = $1 and p.sku = i.sku and p.sku between $5 and $6 and p.barcodes is distinct from array[i.barcode]
    returning i.row_no
  )`;

const outcome = `
  verdict as (
    select s.row_no, s.sku, s.note, s.barcode,
      case when not s.is_sound then s.note ->> 'state'
           when w.row_no is not null then 'UPDATED'
           when not s.is_known then 'FAILED'
           when s.is_beaten or s.is_change then 'SUPERSEDED'
           else 'UNCHANGED' end as state
    from seen s left join written w on w.row_no = s.row_no
  ), outcome as materialized (
    select v.*,
      case when v.note ? 'code' then v.note ->> 'code'
           when v.state = 'FAILED' then 'product_not_found'
           when v.state = 'SUPERSEDED' then 'superseded_by_single_update' end as code,
      case when v.note ? 'message' then v.note ->> 'message'
           when v.state = 'FAILED' then 'The vendor has no product with this SKU.'
           when v.state = 'SUPERSEDED' then 'A single update of this SKU was accepted after this job.' end as message
    from verdict v
  )
  select
    count(*) filter (where state = 'UPDATED')::int as succeeded,
    count(*) filter (where state in ('UNCHANGED', 'SUPERSEDED'))::int as unchanged,
    count(*) filter (where state = 'FAILED')::int as failed,
    coalesce((
      select jsonb_agg(jsonb_build_object('status', 'FAILED', 'row_no', row_no, 'vendor_id', $2::text, 'sku', sku,
        'rejected_data', coalesce(note ->> 'rejected', sku), 'rejected_reason', message) order by row_no)
      from (select * from outcome where state = 'FAILED' order by row_no limit $4) f
    ), '[]') as feedback,
    string_agg(
      coalesce(note ->> 'sku_cell', sku, '') || ',' || coalesce(code, '') || ',' || state || ',' ||
      coalesce('"' || replace(message, '"', '""') || '"', '') || ',' || row_no || ',' ||
      coalesce(note ->> 'barcode_cell', barcode, '') || E'\\n', '' order by row_no) as log
  from outcome`;

const applyOffersOnly = `with ${seen}, ${applied}, written as (select row_no from applied), ${outcome}`;
const applyWithBarcodes = `with ${seen}, ${applied}, ${barcoded},
  written as (select row_no from applied union select row_no from barcoded), ${outcome}`;
