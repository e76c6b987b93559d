import type { Database } from '../kernel/database/db.ts';
import { searchInTime } from '../kernel/database/search-in-time.ts';
import { canResemble, setWordSimilarity } from '../kernel/database/text-search.ts';
import { readTerm } from './rules/search.ts';
import { searchOrders, searchSimilarOrders, type SearchScope } from './search-queries.ts';

/** The ids of the orders that match the term; if there are none, of those whose customer's name resembles it. */
export async function findOrders(db: Database, chainId: string, scope: SearchScope, text: string): Promise<string[]> {
  const term = readTerm(text);
  const found = await searchInTime(db, chainId, (tx) => searchOrders(tx, chainId, scope, term));
  if (found.length > 0 || !canResemble(term.words)) return found.map(({ order_id }) => order_id);
  const similar = await searchInTime(db, chainId, async (tx) => {
    setWordSimilarity(tx);
    return searchSimilarOrders(tx, chainId, scope, term);
  });
  return similar.map(({ order_id }) => order_id);
}
