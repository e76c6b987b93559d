import type { Database, Db } from '../kernel/database/db.ts';
import { estimateTotal, type PageRequest, type Total } from '../kernel/http/page.ts';
import { searchInTime } from '../kernel/database/search-in-time.ts';
import { canResemble, setWordSimilarity } from '../kernel/database/text-search.ts';
import { countFiltered, countOffers, estimateFiltered } from './count-queries.ts';
import { listProducts, type ProductRow } from './queries.ts';
import { searchTerm } from './rules/search.ts';
import { type CatalogFilter, countMatches, estimateMatches, listMatches } from './search-queries.ts';

export type ProductQuery = Omit<CatalogFilter, 'search'> & { term: string | undefined };
export type ProductPage = { rows: ProductRow[]; total: Total };

/** One page of a vendor's products, and the total number of products. If none match the term, those that resemble it. */
export async function loadPage(
  db: Database,
  chainId: string,
  vendorId: string,
  { term, ...filter }: ProductQuery,
  page: PageRequest,
): Promise<ProductPage> {
  if (term === undefined) return loadMatching(db, chainId, vendorId, { ...filter, search: undefined }, page);
  const search = searchTerm(term);
  const exact = { ...filter, search: { ...search, isSimilar: false } };
  const found = await searchInTime(db, chainId, (tx) => loadMatching(tx, chainId, vendorId, exact, page));
  if (found.total.items > 0 || !canResemble(search.words)) return found;
  return searchInTime(db, chainId, async (tx) => {
    setWordSimilarity(tx);
    return loadMatching(tx, chainId, vendorId, { ...filter, search: { ...search, isSimilar: true } }, page);
  });
}

async function loadMatching(
  db: Db,
  chainId: string,
  vendorId: string,
  filter: CatalogFilter,
  page: PageRequest,
): Promise<ProductPage> {
  if (filter.search !== undefined || filter.categories !== undefined) {
    const limit = filter.search === undefined ? maxInCategories : maxFound;
    const [counted, rows] = await Promise.all([
      countMatches(db, chainId, vendorId, filter, limit + 1),
      listMatches(db, chainId, vendorId, filter, page),
    ]);
    if (counted <= limit) return { rows, total: exactly(counted) };
    const estimate = await estimateMatches(db, chainId, vendorId, filter);
    return { rows, total: estimateTotal(Math.max(estimate, counted), page, rows.length) };
  }
  const isWhole = filter.active === undefined && filter.salesBuffer === undefined;
  const [counted, rows] = await Promise.all([
    isWhole ? countOffers(db, chainId, vendorId) : countFiltered(db, chainId, vendorId, filter, maxFiltered + 1),
    listProducts(db, chainId, vendorId, filter, page),
  ]);
  if (isWhole || counted <= maxFiltered) return { rows, total: exactly(counted) };
  const estimate = await estimateFiltered(db, chainId, vendorId, filter);
  return { rows, total: estimateTotal(Math.max(estimate, counted), page, rows.length) };
}

const exactly = (items: number): Total => ({ items, isEstimate: false });

/** If more products match, their number is estimated. In a large store, a search takes half of its time to count 1,000. */
const maxFound = 200;
const maxInCategories = 1000;
const maxFiltered = 10_000;
