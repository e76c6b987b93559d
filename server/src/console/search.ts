import { platformId } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { isUuid } from '../kernel/values/ids.ts';
import { readOrderTerm } from '../orders/index.ts';
import {
  findChains,
  findDeliveries,
  findJobs,
  findOrders,
  findProducts,
  findRequests,
  findStores,
  findUsers,
  type Found,
  type Term,
} from './search-queries.ts';

/** Finds anything in all chains by an id or another text that identifies it. */
export async function search(db: Db, query: string): Promise<Found[]> {
  const text = query.trim();
  const { code, phone } = readOrderTerm(text);
  const term: Term = { text, uuid: isUuid(text) ? text : null, code, phone: phone ?? null };
  const found: Found[] = [];
  // One after the other: a search must not take many of the connections that requests need.
  for (const find of finders) found.push(...(await find(db, term)));
  return found.slice(0, maxResults);
}

const maxResults = 50;
const finders: ((db: Db, term: Term) => Promise<Found[]>)[] = [
  findOrders,
  (db, term) => findChains(db, term, platformId),
  findStores,
  findProducts,
  ifId(findDeliveries),
  ifId(findJobs),
  findRequests,
  (db, term) => findUsers(db, term, platformId),
];

function ifId(find: (db: Db, term: Term) => Promise<Found[]>): (db: Db, term: Term) => Promise<Found[]> {
  return async (db, term) => (term.uuid === null ? [] : find(db, term));
}
