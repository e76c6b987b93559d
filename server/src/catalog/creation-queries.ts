import { copyInto, createTemporary } from '../kernel/database/copy.ts';
import { quoteCell } from '@aisle/contract/csv';
import type { Tx } from '../kernel/database/db.ts';
import { maxListedSkus } from './change-queries.ts';
import { countCreated, storeCount } from './count-queries.ts';
import type { Counts, Feedback } from '../jobs/index.ts';

/** The result of a slice: the counts, the first failures and duplicates, and the log lines. */
export type SliceOutcome = Counts & { feedback: Feedback[]; log: string };

export async function fillIncomingProducts(tx: Tx, lines: Buffer): Promise<void> {
  await createTemporary(
    tx,
    'incoming_products',
    `sku text collate "C", titles jsonb, descriptions jsonb, search_text text, barcodes text[], images text[],
     categories text[], is_sold_by_weight boolean, weight_specifications jsonb`,
  );
  await copyInto(tx, 'incoming_products', lines);
}

export async function fillIncomingOffers(tx: Tx, lines: Buffer): Promise<void> {
  await createTemporary(
    tx,
    'incoming_offers',
    `row_no integer, sku text collate "C", price numeric(10, 3), quantity integer, active boolean, maximum integer,
     categories text[], state text, code text, message text, rejected text, sku_cell text, barcode_cell text`,
  );
  await copyInto(tx, 'incoming_offers', lines);
}

/** Empties the temporary tables, so that they can be filled again in the same transaction. */
export async function emptyIncoming(tx: Tx): Promise<void> {
  tx.send('truncate incoming_products, incoming_offers');
}

/** Sets each product's image to `<SKU>.svg` in the folder. Used for seeding. */
export async function setPictures(tx: Tx, chainId: string, folder: string): Promise<void> {
  await tx.query("update products set images = array[$2 || sku || '.svg'] where chain_id = $1", [chainId, folder]);
}

/**
 * Inserts products that the chain does not have; existing ones are not changed. A title without a locale is stored
 * under `locale`.
 */
export async function insertIncomingProducts(tx: Tx, chainId: string, locale: string): Promise<void> {
  await tx.query(
    `insert into products (chain_id, sku, titles, descriptions, search_text, barcodes, images, categories,
       is_sold_by_weight, weight_specifications)
     select $1, i.sku, ${withLocale('i.titles')}, ${withLocale('i.descriptions')}, i.search_text, i.barcodes, i.images,
       i.categories, i.is_sold_by_weight, i.weight_specifications
     from incoming_products i
     where i.categories <@ array(select global_id from categories where chain_id = $1)
     order by i.sku
     on conflict (chain_id, sku) do nothing`,
    [chainId, locale],
  );
}

/** How offers are created, the maximum number of failures to return, and whether the database is distributed. */
type CreationOptions = {
  isLimited: boolean;
  /** The maximum number of products of the chain, if the new products were not inserted because of it. */
  reachedMax: number | null;
  maxFeedback: number;
  isSharded: boolean;
};

/**
 * Inserts one vendor's offers and returns the outcome; existing offers are not changed. If `isLimited` is true or
 * the maximum number of products is reached, the products were not inserted before, so items whose product the chain does
 * not have are rejected.
 */
export async function insertIncomingOffers(
  tx: Tx,
  chainId: string,
  vendorId: string,
  { isLimited, reachedMax, maxFeedback, isSharded }: CreationOptions,
): Promise<SliceOutcome> {
  // The plan for the foreign key check is cached for the lifetime of the connection. A plan made while there are few
  // products would use a sequential scan for every offer, even when there are many products later.
  tx.send('set local enable_seqscan = off');
  storeCount(tx, chainId, vendorId);
  const write = isSharded ? createOnNode : createAtOnce;
  const [outcome] = await write(tx, [chainId, vendorId, isLimited, reachedMax, maxFeedback, quoteCell(vendorId)]);
  return outcome as SliceOutcome;
}

type CreationValues = [
  chainId: string,
  vendorId: string,
  isLimited: boolean,
  reachedMax: number | null,
  maxFeedback: number,
  cell: string,
];

function createAtOnce(tx: Tx, values: CreationValues): Promise<SliceOutcome[]> {
  return tx.query(
    `with ${checked}, created as (${insertOffers}
     ), recorded as (${recordCreated('created')}
     ), counted as (${countCreated('(select count(*) as created from created)')}
     ), ${outcomeOf('(select sku from created)')} ${summary('$5')}`,
    values,
  );
}

/** The same on a distributed database, in several statements (see decision 0139). */
async function createOnNode(tx: Tx, values: CreationValues): Promise<SliceOutcome[]> {
  const [chainId, vendorId] = values;
  const rows = await tx.query<{ sku: string }>(`with ${checked} ${insertOffers}`, values.slice(0, 4));
  const skus = rows.map(({ sku }) => sku);
  const created = 'unnest($3::text[]) as created (sku)';
  if (skus.length > 0) {
    tx.send(recordCreated(created), [chainId, vendorId, skus]);
    tx.send(countCreated('(select $3::int as created)'), [chainId, vendorId, skus.length]);
  }
  return tx.query(`with ${checked}, ${outcomeOf('(select unnest($7::text[]))')} ${summary('$5')}`, [...values, skus]);
}

/**
 * The items, and why they are rejected. `in (select …)` is used because the planner always uses a hash for it. With a
 * join, it expected few rows and used a nested loop.
 */
const checked = `
  known as materialized (
    select array(select global_id from categories where chain_id = $1) as categories
  ), existing as materialized (
    select sku from products where chain_id = $1 and sku = any (array(select sku from incoming_offers))
  ), checked as materialized (
    select i.*, i.state is null and i.categories is not null and not (
      i.categories <@ known.categories
      -- If the category was added after the first vendor was processed, the product was not created.
      and i.sku in (select sku from existing)) as has_unknown_category,
      ($3 or $4::bigint is not null) and i.state is null and i.sku not in (select sku from existing) as lacks_product
    from incoming_offers i cross join known
  )`;

const insertOffers = `
  insert into offers (chain_id, vendor_id, sku, price, quantity, active, maximum_sales_quantity)
  select $1, $2, j.sku, j.price, j.quantity, j.active, j.maximum
  from checked j where j.state is null and not j.has_unknown_category and not j.lacks_product
  order by j.sku
  on conflict (chain_id, vendor_id, sku) do nothing
  returning sku`;

function recordCreated(created: string): string {
  return `
  insert into offer_changes (chain_id, vendor_id, skus, low, high, at)
  select $1, $2, case when count(*) <= ${maxListedSkus} then array_agg(sku) end, min(sku collate "C"),
    max(sku collate "C"), now()
  from ${created} having count(*) > 0`;
}

function outcomeOf(created: string): string {
  return `outcome as materialized (
    select 1 as vendor_no, $2::text as vendor_id, $6::text as vendor_cell, j.row_no, j.sku, j.sku_cell, j.barcode_cell,
      case when j.has_unknown_category and not j.lacks_product then array_to_string(j.categories, ', ') else j.rejected end as rejected,
      case when j.state is not null then j.state
           when j.lacks_product then 'FAILED'
           when j.has_unknown_category then 'FAILED'
           when j.is_created then 'CREATED' else 'DUPLICATED' end as state,
      case when j.state is not null then j.code
           when j.lacks_product then case when $3 then 'requires_all_vendors' else 'catalog_limit_reached' end
           when j.has_unknown_category then 'category_not_found'
           when not j.is_created then 'already_exists' end as code,
      case when j.state is not null then j.message
           when j.lacks_product and not $3 then 'The chain can have at most ' || $4 || ' products, and the new ones that were checked with this one do not fit.'
           when j.lacks_product then 'The chain does not have this product yet; creating it requires a credential that is not limited to some vendors.'
           when j.has_unknown_category then 'categories must contain only global ids of categories in the chain.'
           when not j.is_created then 'The vendor already has this SKU; the product was not changed.' end as message
    from (select checked.*, sku in ${created} as is_created from checked) j
  )`;
}

/** Rejects all rows, because these vendors do not belong to the chain. */
export async function rejectIncomingOffers(tx: Tx, vendorIds: string[], maxFeedback: number): Promise<SliceOutcome> {
  const rows = await tx.query<SliceOutcome>(
    `with outcome as (
       select v.vendor_no, v.vendor_id, v.vendor_cell, i.row_no, i.sku, i.sku_cell, i.barcode_cell,
         v.vendor_id as rejected, 'FAILED' as state, 'vendor_not_found' as code,
         'The chain has no vendor ' || v.vendor_id || '.' as message
       from incoming_offers i
       cross join unnest($1::text[], $2::text[]) with ordinality as v (vendor_id, vendor_cell, vendor_no)
     ) ${summary('$3')}`,
    [vendorIds, vendorIds.map(quoteCell), maxFeedback],
  );
  return rows[0] as SliceOutcome;
}

/** `max` limits the number of failures in the feedback and, separately, the number of duplicates. */
function summary(max: string): string {
  return `
  select
    count(*) filter (where state = 'CREATED')::int as succeeded,
    count(*) filter (where state = 'DUPLICATED')::int as unchanged,
    count(*) filter (where state = 'FAILED')::int as failed,
    coalesce((
      select jsonb_agg(jsonb_build_object('status', state, 'row_no', row_no, 'vendor_id', vendor_id, 'sku', sku,
        'code', code, 'rejected_data', coalesce(rejected, sku), 'rejected_reason', message) order by row_no)
      from (
        (select * from outcome where state = 'FAILED' order by vendor_no, row_no limit ${max})
        union all
        (select * from outcome where state = 'DUPLICATED' order by vendor_no, row_no limit ${max})
      ) f
    ), '[]') as feedback,
    coalesce(string_agg(
      coalesce(sku_cell, '') || ',' || coalesce(code, '') || ',' || state || ',' ||
      coalesce('"' || replace(message, '"', '""') || '"', '') || ',' || row_no || ',' || coalesce(barcode_cell, '') ||
      ',' || vendor_cell || E'\\n', '' order by vendor_no, row_no), '') as log
  from outcome`;
}

function withLocale(column: string): string {
  return `case when ${column} ? '' then (${column} - '') || jsonb_build_object($2::text, ${column} -> '') else ${column} end`;
}
