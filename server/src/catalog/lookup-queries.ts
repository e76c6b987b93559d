import type { Db } from '../kernel/database/db.ts';
import type { Bind } from '../kernel/database/text-search.ts';
import { productColumns, type ProductRow } from './queries.ts';

/** The vendor's products with these SKUs, or the first of them, in the order of the SKUs. */
export function findProducts(
  db: Db,
  chainId: string,
  vendorId: string,
  skus: readonly string[],
  limit?: number,
): Promise<ProductRow[]> {
  return db.query(
    `select ${productColumns} from unnest($3::text[]) with ordinality as wanted (sku, position)
     join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = wanted.sku
     join products p on p.chain_id = o.chain_id and p.sku = o.sku
     order by wanted.position limit $4`,
    [chainId, vendorId, skus, limit],
  );
}

/** The product at each of these vendors that offer it, sorted by vendor. */
export function listOffersOf(
  db: Db,
  chainId: string,
  vendorIds: readonly string[],
  sku: string,
): Promise<(ProductRow & { vendor_id: string })[]> {
  return db.query(
    `select o.vendor_id, ${productColumns} from offers o join products p on p.chain_id = o.chain_id and p.sku = o.sku
     where o.chain_id = $1 and o.vendor_id = any ($2) and o.sku = $3 order by o.vendor_id`,
    [chainId, vendorIds, sku],
  );
}

/** The titles of the chain's products with these SKUs, by SKU. */
export async function findTitles(
  db: Db,
  chainId: string,
  skus: readonly string[],
): Promise<Map<string, Record<string, string>>> {
  const rows = await db.query<{ sku: string; titles: Record<string, string> }>(
    'select sku, titles from products where chain_id = $1 and sku = any ($2)',
    [chainId, skus],
  );
  return new Map(rows.map(({ sku, titles }) => [sku, titles]));
}

/** Finds the vendor's products that have one of these codes as their SKU or as a barcode, each once. */
export function findSkusByCodes(
  db: Db,
  chainId: string,
  vendorId: string,
  codes: readonly string[],
  limit: number,
): Promise<{ sku: string; barcodes: string[] }[]> {
  return findByCodes(db, chainId, vendorId, { codes, byBarcode: () => ['p.barcodes && $3::text[]'] }, limit);
}

/** Finds the vendor's products that have one of these SKUs, or a barcode that begins with one of `starts`. */
export function findSkusByStarts(
  db: Db,
  chainId: string,
  vendorId: string,
  { skus, starts }: { skus: readonly string[]; starts: readonly string[] },
  limit: number,
): Promise<{ sku: string; barcodes: string[] }[]> {
  // Each start has its own condition, because the trigram index does not support `like any`.
  const byBarcode = (bind: Bind) => starts.map((start) => `barcode_words(p.barcodes) like ${bind(`% ${start}%`)}`);
  return findByCodes(db, chainId, vendorId, { codes: skus, byBarcode }, limit);
}

async function findByCodes(
  db: Db,
  chainId: string,
  vendorId: string,
  { codes, byBarcode }: { codes: readonly string[]; byBarcode(bind: Bind): string[] },
  limit: number,
): Promise<{ sku: string; barcodes: string[] }[]> {
  const values: unknown[] = [chainId, vendorId, codes, limit];
  const conditions = ['p.sku = any ($3::text[])', ...byBarcode((value) => `$${values.push(value)}`)];
  return db.query(
    `select p.sku, p.barcodes from products p join offers o on o.chain_id = p.chain_id and o.sku = p.sku
     where p.chain_id = $1 and o.vendor_id = $2 and (${conditions.join(' or ')})
     order by o.active desc, p.sku limit $4`,
    values,
  );
}

/** A product that may replace another one. `score` is higher for more shared categories, a similar title and a similar price. */
export type CandidateRow = {
  sku: string;
  active: boolean;
  quantity: number | null;
  maximum_sales_quantity: number | null;
  is_sold_by_weight: boolean;
  is_same_category: boolean;
  score: number;
};

/**
 * Lists products of the vendor that resemble the product `sku`, or are in `named`. Products of the same category come
 * first, best first; `named` are always included. To keep the time short in a category with very many products, only
 * `maxPool` of them are compared.
 *
 * The products are found with the indexes products_categories and products_search_text. The operator `%` is true if
 * the texts share at least 30% of their trigrams.
 */
export function listCandidates(
  db: Db,
  chainId: string,
  vendorId: string,
  { sku, named, limit }: { sku: string; named: readonly string[]; limit: number },
): Promise<CandidateRow[]> {
  return db.query(
    `with item as (
       select left(p.search_text, ${comparedLength}) as search_text, p.categories, o.price from products p
       left join offers o on o.chain_id = p.chain_id and o.sku = p.sku and o.vendor_id = $2
       where p.chain_id = $1 and p.sku = $3
     ), pool as (
       (select p.sku from item join products p on p.chain_id = $1 and p.categories && item.categories limit ${maxPool})
       union
       (select p.sku from item join products p on p.chain_id = $1 and p.search_text % item.search_text limit ${maxSimilar})
       union
       select unnest($4::text[])
     ), scored as (
       select o.sku, o.active, o.quantity, o.maximum_sales_quantity, p.is_sold_by_weight,
         coalesce(p.categories && item.categories, false) as is_same_category,
         (coalesce(similarity(left(p.search_text, ${comparedLength}), item.search_text), 0)
           + (select count(*) from unnest(p.categories) c where c = any (item.categories))
             / greatest(cardinality(item.categories), 1)::float8
           - coalesce(least(abs(o.price - item.price) / greatest(item.price, 0.01), 1), 1))::float8 as score
       from pool
       join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = pool.sku
       join products p on p.chain_id = $1 and p.sku = pool.sku
       left join item on true
       where o.sku <> $3 and o.active
     )
     select * from scored order by sku = any ($4::text[]) desc, is_same_category desc, score desc, sku limit $5`,
    [chainId, vendorId, sku, named, limit],
  );
}

const maxPool = 2000;
/** Comparing texts is slow, and a product can have long titles in many languages. */
const maxSimilar = 300;
const comparedLength = 300;
