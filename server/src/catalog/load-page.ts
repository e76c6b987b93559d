import { type Database, limitStatements } from '../kernel/database/db.ts';
import { isTimeout } from '../kernel/database/errors.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { type CatalogFilter, countProducts, listProducts, type ProductRow } from './queries.ts';
import { isIndexed, searchPatterns } from './rules/search.ts';

export type ProductQuery = Omit<CatalogFilter, 'search'> & { term: string | undefined };

/** One page of a vendor's products, and the total number of products. */
export async function loadPage(
  db: Database,
  chainId: string,
  vendorId: string,
  { term, categories, active }: ProductQuery,
  page: PageRequest,
): Promise<{ rows: ProductRow[]; total: number }> {
  const filter = { search: term === undefined ? undefined : searchPatterns(term), categories, active };
  if (term === undefined || isIndexed(term)) {
    const [total, rows] = await Promise.all([
      countProducts(db, chainId, vendorId, filter),
      listProducts(db, chainId, vendorId, filter, page),
    ]);
    return { rows, total };
  }
  return db.transaction(async (tx) => {
    await limitStatements(tx, maxScanSeconds);
    try {
      const total = await countProducts(tx, chainId, vendorId, filter);
      return { rows: await listProducts(tx, chainId, vendorId, filter, page), total };
    } catch (error) {
      throw isTimeout(error) ? tooSlow() : error;
    }
  });
}

/** How long a search that cannot use an index is allowed to take. */
const maxScanSeconds = 2;

function tooSlow(): Failure {
  const detail = `The search took longer than ${maxScanSeconds} s. Use a query_term of at least 3 characters, which is faster.`;
  return new Failure('service_unavailable', detail, { headers: { 'retry-after': '5' } });
}
