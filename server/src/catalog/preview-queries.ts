import { previewNameLength } from '@aisle/contract/preview-row';
import type { Db, Tx } from '../kernel/database/db.ts';
import type { Diff } from './rules/diff.ts';
import { newValues, type SkuRange } from './incoming-queries.ts';

type DiffTerms = {
  jobId: string;
  /** The language of the names. */
  locale: string;
  /** Whether other chunks can have the same SKUs. */
  findsRepeats: boolean;
  /** Whether any item has a barcode. Otherwise, barcodes are not compared. */
  hasBarcodes: boolean;
};

/**
 * Compares incoming_updates with the catalog, in the order of the rows. The result is one text with separators that
 * names cannot contain, because reading ten thousand rows with 15 columns one by one takes longer than the query. Names
 * are shortened, because whole titles of ten thousand products can have hundreds of megabytes.
 */
export async function readDiff(
  tx: Tx,
  chainId: string,
  vendorId: string,
  range: SkuRange,
  { jobId, locale, findsRepeats, hasBarcodes }: DiffTerms,
): Promise<Diff> {
  const repeated = findsRepeats ? 'case when n.sku is null then 1 end' : 'null';
  const rows = await tx.query<Diff>(
    `with recorded as (${findsRepeats ? recordSkus : 'select null as sku'}), compared as (
       select i.row_no, i.sku, o.sku is not null as is_known, ${nameIn('$5')} as title, ${repeated} as repeated,
         o.price as old_price, o.quantity as old_quantity, o.active as old_active, o.maximum_sales_quantity as old_maximum,
         b.*, v.*
       from incoming_updates i
       left join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $3 and $4
       left join products p on p.chain_id = $1 and p.sku = o.sku and p.sku between $3 and $4
       ${findsRepeats ? 'left join recorded n on n.sku = i.sku' : ''}
       cross join lateral (select ${hasBarcodes ? "array_to_string(p.barcodes, ',')" : 'null'}::text) as b (old_barcode)
       cross join lateral (select coalesce(i.barcode, old_barcode), ${newValues.join(', ')}) as
         v (new_barcode, new_price, new_quantity, new_active, new_maximum)
     ), decided as (
       select *, ${comparedFields.map(changeOf).join(', ')} from compared order by row_no
     ), stated as (
       select *, case when not is_known then 'N' when coalesce(${comparedFields.join(', ')}) is null then '=' else 'U' end
         as state from decided
     )
     select coalesce(string_agg(state, ''), '') as states,
       count(*) filter (where is_known and quantity is not null)::int as "stockChanges",
       count(*) filter (where new_quantity = 0 and old_quantity > 0)::int as emptied,
       coalesce(string_agg(concat(${diffColumns.join(`, ${separator}, `)}), ${rowSeparator}), '') as text
     from stated`,
    [chainId, vendorId, range.low, range.high, locale, ...(findsRepeats ? [jobId] : [])],
  );
  return rows[0] as Diff;
}

const comparedFields = ['price', 'quantity', 'active', 'maximum', 'barcode'] as const;
const separator = "E'\\x1f'";
const rowSeparator = "E'\\x1e'";

/** The old and the new value, or null if they are the same. Prices have no trailing zeros. */
function changeOf(field: (typeof comparedFields)[number]): string {
  const textOf = (value: string) => (field === 'price' ? `trim_scale(${value})` : value);
  return `case when new_${field} is distinct from old_${field}
    then concat(${textOf(`old_${field}`)}, ${separator}, ${textOf(`new_${field}`)}) end as ${field}`;
}

/** The columns of a row in the text of a diff. `replace` is faster than `translate` if there is nothing to replace. */
const diffColumns = [
  'row_no',
  'state',
  ...['sku', 'title'].map((text) => `replace(replace(${text}, ${separator}, ''), ${rowSeparator}, '')`),
  ...comparedFields.map((field) => `coalesce(${field}, ${separator})`),
  'repeated',
];

/** The names of these products at these vendors, each in its locale. Vendors that do not have the product are left out. */
export function listNames(
  db: Db,
  chainId: string,
  wanted: readonly { vendorId: string; sku: string; locale: string }[],
): Promise<{ vendor_id: string; sku: string; name: string | null }[]> {
  return db.query(
    `select o.vendor_id, o.sku, ${nameIn('wanted.locale')} as name
     from (select distinct * from unnest($2::text[], $3::text[], $4::text[])) as wanted (vendor_id, sku, locale)
     join offers o on o.chain_id = $1 and o.vendor_id = wanted.vendor_id and o.sku = wanted.sku
     join products p on p.chain_id = $1 and p.sku = o.sku`,
    [chainId, wanted.map(({ vendorId }) => vendorId), wanted.map(({ sku }) => sku), wanted.map(({ locale }) => locale)],
  );
}

/** The product's title in the locale, or else in the first one that it has, shortened. */
function nameIn(locale: string): string {
  const any = '(select value from jsonb_each_text(p.titles) order by key limit 1)';
  return `left(coalesce(p.titles ->> ${locale}, ${any}), ${previewNameLength})`;
}

/** Deletes the SKUs of a preview, optionally of one vendor only. They are needed only while other chunks are compared. */
export async function deletePreviewSkus(tx: Tx, chainId: string, jobId: string, vendorId?: string): Promise<void> {
  await tx.query(
    'delete from preview_skus where chain_id = $1 and job_id = $2 and ($3::text is null or vendor_id = $3)',
    [chainId, jobId, vendorId],
  );
}

/** Inserts the SKUs of the chunk that the vendor has, and returns those that no earlier chunk has. */
const recordSkus = `
  insert into preview_skus (chain_id, job_id, vendor_id, sku)
  select $1, $6, $2, i.sku from incoming_updates i
  join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = i.sku and o.sku between $3 and $4
  on conflict do nothing returning sku`;
