import { type Database, type Db, limitStatements, type Tx } from '../kernel/database/db.ts';
import { isTimeout } from '../kernel/database/errors.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { canResemble, setWordSimilarity } from '../kernel/database/text-search.ts';
import { type CatalogFilter, countProducts, listProducts, type ProductRow } from './queries.ts';
import { isIndexed, searchTerm } from './rules/search.ts';

export type ProductQuery = Omit<CatalogFilter, 'search'> & { term: string | undefined };

/** One page of a vendor's products, and the total number of products. If none match the term, those that resemble it. */
export async function loadPage(
  db: Database,
  chainId: string,
  vendorId: string,
  { term, ...filter }: ProductQuery,
  page: PageRequest,
): Promise<{ rows: ProductRow[]; total: number }> {
  if (term === undefined) return loadMatching(db, chainId, vendorId, { ...filter, search: undefined }, page);
  const search = searchTerm(term);
  const exact = { ...filter, search: { ...search, isSimilar: false } };
  const found = isIndexed(term)
    ? await loadMatching(db, chainId, vendorId, exact, page)
    : await loadInTime(db, (tx) => loadMatching(tx, chainId, vendorId, exact, page));
  if (found.total > 0 || !canResemble(search.words)) return found;
  return loadInTime(db, async (tx) => {
    await setWordSimilarity(tx);
    return loadMatching(tx, chainId, vendorId, { ...filter, search: { ...search, isSimilar: true } }, page);
  });
}

async function loadMatching(db: Db, chainId: string, vendorId: string, filter: CatalogFilter, page: PageRequest) {
  const [total, rows] = await Promise.all([
    countProducts(db, chainId, vendorId, filter),
    listProducts(db, chainId, vendorId, filter, page),
  ]);
  return { rows, total };
}

async function loadInTime<Result>(db: Database, load: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    limitStatements(tx, maxScanSeconds);
    try {
      return await load(tx);
    } catch (error) {
      throw isTimeout(error) ? tooSlow() : error;
    }
  });
}

/** How long a search that cannot use an index, or that tolerates typos, is allowed to take. */
const maxScanSeconds = 2;

function tooSlow(): Failure {
  const detail = `The search took longer than ${maxScanSeconds} s. Use a query_term with a word of at least 3 characters, which is faster.`;
  return new Failure('service_unavailable', detail, { headers: { 'retry-after': '5' } });
}
