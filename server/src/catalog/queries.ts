import { formulaPattern } from '@aisle/contract/csv';
import type { Db, QueryOptions, Tx } from '../kernel/database/db.ts';
import { namedLock } from '../kernel/database/locks.ts';
import { type Bind, containsWords, escapeLike, resemblesWords } from '../kernel/database/text-search.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { countOffers } from './count-queries.ts';
import type { SearchTerm } from './rules/search.ts';

export type Texts = Record<string, string>;

/** A product with one vendor's offer. */
export type ProductRow = {
  sku: string;
  price: string;
  quantity: number | null;
  maximum_sales_quantity: number | null;
  active: boolean;
  product_id: string;
  titles: Texts;
  descriptions: Texts;
  barcodes: string[];
  images: string[];
  is_sold_by_weight: boolean;
  weight_specifications: Record<string, number> | null;
  categories: { global_id: string; name: Texts; description: Texts; active: boolean }[] | null;
  updated_at: Date;
};

export type CategoryRow = {
  global_id: string;
  parent_global_id: string | null;
  name: Texts;
  description: Texts;
  active: boolean;
};

export type CatalogFilter = {
  /** With `isSimilar`, finds titles with similar words. Then `setWordSimilarity` is required. */
  search: (SearchTerm & { isSimilar: boolean }) | undefined;
  categories: string[] | undefined;
  active: boolean | undefined;
  sort: 'sku' | 'relevance';
};

/** Columns of an offer `o` and its product `p`. */
export const productColumns = `
  o.sku, o.price, o.quantity, o.maximum_sales_quantity, o.active, greatest(o.updated_at, p.updated_at) as updated_at,
  p.product_id, p.titles, p.descriptions, p.barcodes, p.images, p.is_sold_by_weight, p.weight_specifications,
  case when p.categories <> '{}' then (
    select jsonb_agg(jsonb_build_object('global_id', c.global_id, 'name', c.name, 'description', c.description,
      'active', c.active) order by array_position(p.categories, c.global_id))
    from categories c where c.chain_id = p.chain_id and c.global_id = any (p.categories)) end as categories`;

/**
 * Returns one page of a vendor's products, sorted by SKU or relevance.
 *
 * Without a search term, even the last page is located using only the primary key of offers and then fetched. With a
 * term, the chain's matching products are found first, with the trigram indexes (which include the chain id, so other
 * chains' products are not scanned) or the SKU index, and then joined to the vendor's offers by primary key. The plan
 * with a million offers, 100 vendors and 10,000 products:
 *
 *   Bitmap Heap Scan on products
 *     -> BitmapOr
 *          -> Bitmap Index Scan on products_search_text   (chain_id = $1 and search_text ~~ '%milk%' and …)
 *          -> Bitmap Index Scan on products_lower_sku     (chain_id = $1 and lower(sku) ~>=~ 'milk' and ...)
 *          -> Bitmap Index Scan on products_barcodes      (chain_id = $1 and barcode_words(barcodes) ~~ '% milk%')
 *   -> Index Scan using offers_pkey on offers (once per match)
 *
 * A term of one or two characters contains no trigram, so all of the chain's products are scanned. `loadPage` limits
 * the time for that.
 */
export async function listProducts(
  db: Db,
  chainId: string,
  vendorId: string,
  filter: CatalogFilter,
  page: PageRequest,
): Promise<ProductRow[]> {
  const { source, values, bind } = offersSource(chainId, vendorId, filter);
  const isRanked = filter.search !== undefined && filter.sort === 'relevance';
  const rank = isRanked && filter.search ? rankOf(filter.search, bind) : '0';
  return db.query<ProductRow>(
    `with page as (
       select o.chain_id, o.vendor_id, o.sku, ${rank} as rank ${source}
       order by ${isRanked ? 'rank, ' : ''}o.sku limit ${bind(page.pageSize)} offset ${bind(page.offset)}
     )
     select ${productColumns} from page join offers o using (chain_id, vendor_id, sku)
     join products p on p.chain_id = o.chain_id and p.sku = o.sku order by rank, o.sku`,
    values,
    preparation(filter),
  );
}

/** The number of products on all pages of `listProducts`. */
export async function countProducts(db: Db, chainId: string, vendorId: string, filter: CatalogFilter): Promise<number> {
  const isWhole = filter.search === undefined && filter.categories === undefined && filter.active === undefined;
  if (isWhole) return countOffers(db, chainId, vendorId);
  const { source, values } = offersSource(chainId, vendorId, filter);
  const rows = await db.query<{ total: number }>(
    `select count(*)::int as total ${source}`,
    values,
    preparation(filter),
  );
  return rows[0]?.total ?? 0;
}

/** A search has a condition for each word and each of its variants. */
function preparation({ search }: CatalogFilter): QueryOptions | undefined {
  return search === undefined ? undefined : { prepare: false };
}

export async function findProduct(
  db: Db,
  chainId: string,
  vendorId: string,
  sku: string,
): Promise<ProductRow | undefined> {
  const rows = await db.query<ProductRow>(
    `select ${productColumns} from offers o join products p on p.chain_id = o.chain_id and p.sku = o.sku
     where o.chain_id = $1 and o.vendor_id = $2 and o.sku = $3`,
    [chainId, vendorId, sku],
  );
  return rows[0];
}

/** Parents come before children; siblings keep the order in which they were sent. */
export function listCategories(db: Db, chainId: string): Promise<CategoryRow[]> {
  return db.query(
    `with recursive tree as (
       select c.*, array[position] as path from categories c where chain_id = $1 and parent_global_id is null
       union all
       select c.*, tree.path || c.position from categories c
       join tree on c.chain_id = tree.chain_id and c.parent_global_id = tree.global_id
     )
     select global_id, parent_global_id, name, description, active from tree order by path`,
    [chainId],
  );
}

/**
 * Counts the vendor's products in each category and its descendants. A product in several of these categories is
 * counted once. Products are first grouped by their set of categories, because there are few such sets, however many
 * products there are.
 */
export function countProductsByCategory(
  db: Db,
  chainId: string,
  vendorId: string,
): Promise<{ global_id: string; count: number }[]> {
  return db.query(
    `with recursive above as (
       select global_id as below, global_id, parent_global_id from categories where chain_id = $1
       union all
       select above.below, c.global_id, c.parent_global_id from above
       join categories c on c.chain_id = $1 and c.global_id = above.parent_global_id
     ), sets as (
       select p.categories, count(*) as count from offers o
       join products p on p.chain_id = o.chain_id and p.sku = o.sku
       where o.chain_id = $1 and o.vendor_id = $2
       group by p.categories
     )
     select reached.global_id, sum(sets.count)::int as count from sets, lateral (
       select distinct above.global_id from above where above.below = any (sets.categories)
     ) reached
     group by reached.global_id`,
    [chainId, vendorId],
  );
}

/** Prevents changes to the tree until this transaction ends. */
export async function lockCategoriesShared(tx: Tx, chainId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock_shared(${namedLock('categories')})`, [`categories ${chainId}`]);
}

/** Waits for all transactions that hold the shared lock. */
export async function lockCategories(tx: Tx, chainId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${namedLock('categories')})`, [`categories ${chainId}`]);
}

/** Finds categories that contain products but are not in `kept`. */
export function findUsedCategories(tx: Tx, chainId: string, kept: string[]): Promise<{ global_id: string }[]> {
  return tx.query(
    `select c.global_id from categories c
     where c.chain_id = $1 and not c.global_id = any ($2)
       and exists (select from products p where p.chain_id = $1 and p.categories @> array[c.global_id])
     order by c.global_id`,
    [chainId, kept],
  );
}

export async function replaceCategories(tx: Tx, chainId: string, categories: CategoryRow[]): Promise<void> {
  await tx.query('delete from categories where chain_id = $1', [chainId]);
  await tx.query(
    `insert into categories (chain_id, global_id, parent_global_id, position, name, description, active)
     select $1, c.global_id, c.parent_global_id, c.position, c.name, c.description, c.active
     from jsonb_to_recordset($2) as c (
       global_id text, parent_global_id text, position integer, name jsonb, description jsonb, active boolean)`,
    [chainId, JSON.stringify(categories.map((category, position) => ({ ...category, position })))],
  );
}

/** The query contains the ids as literals, because COPY takes no parameters. Both ids come from our own tables. */
export function exportQuery(chainId: string, vendorId: string): string {
  return `select ${escapeFormulaSql('o.sku')}, p.barcodes[1], trim_scale(o.price), o.active::int, o.maximum_sales_quantity, o.quantity
    from offers o join products p on p.chain_id = o.chain_id and p.sku = o.sku
    where o.chain_id = '${chainId}' and o.vendor_id = '${vendorId.replaceAll("'", "''")}' order by o.sku`;
}

/** The SQL version of `escapeFormula`; COPY adds the quotes. */
export function escapeFormulaSql(column: string): string {
  return `case when ${column} ~ '${formulaPattern.replaceAll("'", "''")}' then '''' || ${column} else ${column} end`;
}

/** Each combination of filters is a separate statement, so that each gets its own plan. */
function offersSource(chainId: string, vendorId: string, { search, categories, active }: CatalogFilter) {
  const values: unknown[] = [chainId, vendorId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const activeOnly = active === undefined ? '' : `and o.active = ${bind(active)}`;
  const conditions: string[] = [];
  if (search !== undefined) conditions.push(`and (${matches(search, bind)})`);
  if (categories !== undefined) conditions.push(`and p.categories && array(${withDescendants(bind(categories))})`);
  if (conditions.length === 0) {
    return { source: `from offers o where o.chain_id = $1 and o.vendor_id = $2 ${activeOnly}`, values, bind };
  }
  const source = `
    from (
      select p.chain_id, p.sku, p.search_text, p.barcodes from products p where p.chain_id = $1 ${conditions.join(' ')}
      ${search?.isSimilar ? `limit ${maxSimilar}` : ''}
    ) m
    join offers o on o.chain_id = m.chain_id and o.vendor_id = $2 and o.sku = m.sku ${activeOnly}`;
  return { source, values, bind };
}

/** Bounds the cost of ranking: a common word resembles the titles of many products. */
const maxSimilar = 1000;

function matches({ words, sku, barcode, isSimilar }: NonNullable<CatalogFilter['search']>, bind: Bind): string {
  if (isSimilar) return resemblesWords('p.search_text', words, bind);
  const byTitle = words.length === 0 ? 'true' : `(${containsWords('p.search_text', words, bind)})`;
  return `${byTitle} or lower(p.sku) like ${bind(sku)} or barcode_words(p.barcodes) like ${bind(barcode)}`;
}

/** The lower, the better. See `sort` in the contract. */
function rankOf({ code, lowerCode, words, isSimilar }: NonNullable<CatalogFilter['search']>, bind: Bind): string {
  if (isSimilar) return `-(${words.map((word) => `word_similarity(${bind(word)}, m.search_text)`).join(' + ')})`;
  const begins = (start: string, befores: string[]) => {
    const patterns = ['', ...befores].map((before) => `m.search_text like ${bind(`${before}${escapeLike(start)}%`)}`);
    return `(${patterns.join(' or ')})`;
  };
  const beginsWords = words.map((word) => begins(word, ['%\n', '% ']));
  return `case
    when lower(m.sku) = ${bind(lowerCode)} or ${bind(code)} = any (m.barcodes) then 0
    when ${begins(words.join(' '), ['%\n'])} then 1
    when ${beginsWords.join(' and ') || 'true'} then 2
    else 3 end`;
}

function withDescendants(ids: string): string {
  return `with recursive below as (
      select global_id from categories where chain_id = $1 and global_id = any (${ids})
      union
      select c.global_id from categories c join below on c.chain_id = $1 and c.parent_global_id = below.global_id
    ) select global_id from below`;
}
