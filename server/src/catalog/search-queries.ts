import type { Db } from '../kernel/database/db.ts';
import { estimateRows } from '../kernel/database/estimate-rows.ts';
import { type Bind, containsWords, escapeLike, resemblesWords } from '../kernel/database/text-search.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { offerConditions, type OfferFilter, productColumns, type ProductRow } from './queries.ts';
import type { SearchTerm } from './rules/search.ts';

export type CatalogFilter = OfferFilter & {
  /** With `isSimilar`, finds titles with similar words. Then `setWordSimilarity` is required. */
  search: (SearchTerm & { isSimilar: boolean }) | undefined;
  categories: string[] | undefined;
  sort: 'sku' | 'relevance';
};

/**
 * Returns one page of the products that a vendor offers in categories or with a search term, sorted by SKU or relevance.
 *
 * The chain's matching products are found with the trigram indexes (which include the chain id, so other chains'
 * products are not scanned) or the SKU index and joined to the vendor's offers by primary key. If so many match that a
 * few products in the order of the SKUs contain a page of them, PostgreSQL reads these instead. Sorted by relevance, all
 * matching products are ranked before they are joined, so that the join ends with the page:
 *
 *   Limit -> Nested Loop
 *     -> Sort -> Bitmap Heap Scan on products
 *          -> BitmapOr
 *               -> Bitmap Index Scan on products_search_text   (chain_id = $1 and search_text ~~ '%milk%' and …)
 *               -> Bitmap Index Scan on products_lower_sku     (chain_id = $1 and lower(sku) ~>=~ 'milk' and ...)
 *     -> Index Scan using offers_pkey on offers
 *
 * A term of one or two characters contains no trigram, so all of the chain's products are scanned. `loadPage` limits
 * the time for that.
 */
export function listMatches(
  db: Db,
  chainId: string,
  vendorId: string,
  filter: CatalogFilter,
  page: PageRequest,
): Promise<ProductRow[]> {
  const { values, bind } = bindings(chainId, vendorId);
  const isRanked = filter.search !== undefined && filter.sort === 'relevance';
  const rank = isRanked && filter.search ? rankOf(filter.search, bind) : '0';
  const matching = matchingProducts(filter, bind);
  const sorted = isRanked
    ? `(select p.sku, ${rank} as rank from (${matching}) p order by rank, p.sku)`
    : `(${matching})`;
  return db.query(
    `with page as (
       select o.sku, ${isRanked ? 'm.rank' : '0'} as rank
       from ${sorted} m join offers o on ${isOffered(filter)}
       order by ${isRanked ? 'm.rank, ' : ''}m.sku limit ${bind(page.pageSize)} offset ${bind(page.offset)}
     )
     select ${productColumns} from page join offers o on o.chain_id = $1 and o.vendor_id = $2 and o.sku = page.sku
     join products p on p.chain_id = $1 and p.sku = page.sku order by page.rank, o.sku`,
    values,
    { prepare: false },
  );
}

/** The number of products on all pages of `listMatches`, or `limit` if it is larger. */
export async function countMatches(
  db: Db,
  chainId: string,
  vendorId: string,
  filter: CatalogFilter,
  limit: number,
): Promise<number> {
  const { values, bind } = bindings(chainId, vendorId);
  const rows = await db.query<{ total: number }>(
    `select count(*)::int as total from (select ${offeredMatches(filter, bind)} limit ${bind(limit)}) found`,
    values,
    { prepare: false },
  );
  return rows[0]?.total ?? 0;
}

/** An estimate of the number of products on all pages of `listMatches`. */
export function estimateMatches(db: Db, chainId: string, vendorId: string, filter: CatalogFilter): Promise<number> {
  const { values, bind } = bindings(chainId, vendorId);
  return estimateRows(db, `select ${offeredMatches(filter, bind)}`, values);
}

function bindings(chainId: string, vendorId: string): { values: unknown[]; bind: Bind } {
  const values: unknown[] = [chainId, vendorId];
  return { values, bind: (value) => `$${values.push(value)}` };
}

function offeredMatches(filter: CatalogFilter, bind: Bind): string {
  return `from (${matchingProducts(filter, bind)}) m join offers o on ${isOffered(filter)}`;
}

function matchingProducts(filter: CatalogFilter, bind: Bind): string {
  const { search, categories } = filter;
  const conditions: string[] = [];
  if (search !== undefined) conditions.push(`and (${matches(search, bind)})`);
  if (categories !== undefined) conditions.push(`and p.categories && array(${withDescendants(bind(categories))})`);
  const found = `select p.sku, p.search_text, p.barcodes from products p where p.chain_id = $1 ${conditions.join(' ')}`;
  if (!search?.isSimilar) return found;
  // Products of other vendors do not count. With `offset 0`, texts are found with the index before offers are joined.
  return `select m.* from (${found} offset 0) m join offers o on ${isOffered(filter)} limit ${maxSimilar}`;
}

function isOffered(filter: CatalogFilter): string {
  return `o.chain_id = $1 and o.vendor_id = $2 and o.sku = m.sku ${offerConditions(filter)}`;
}

/** Bounds the cost of ranking: a common word resembles the titles of many products. */
const maxSimilar = 1000;

function matches({ words, sku, barcodes, isSimilar }: NonNullable<CatalogFilter['search']>, bind: Bind): string {
  if (isSimilar) return resemblesWords('p.search_text', words, bind);
  const byTitle = words.length === 0 ? 'true' : `(${containsWords('p.search_text', words, bind)})`;
  const byBarcode = barcodes.map((barcode) => `or barcode_words(p.barcodes) like ${bind(barcode)}`);
  return `${byTitle} or lower(p.sku) like ${bind(sku)} ${byBarcode.join(' ')}`;
}

/** The lower, the better. See `sort` in the contract. */
function rankOf({ codes, lowerCode, words, isSimilar }: NonNullable<CatalogFilter['search']>, bind: Bind): string {
  if (isSimilar) return `-(${words.map((word) => `word_similarity(${bind(word)}, p.search_text)`).join(' + ')})`;
  const begins = (start: string, befores: string[]) => {
    const patterns = ['', ...befores].map((before) => `p.search_text like ${bind(`${before}${escapeLike(start)}%`)}`);
    return `(${patterns.join(' or ')})`;
  };
  const beginsWords = words.map((word) => begins(word, ['%\n', '% ']));
  return `case
    when lower(p.sku) = ${bind(lowerCode)} or p.barcodes && ${bind(codes)} then 0
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
