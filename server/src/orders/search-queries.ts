import type { Db, Tx } from '../kernel/database/db.ts';
import { type Bind, containsWords, escapeLike, resemblesWords } from '../kernel/database/text-search.ts';
import type { OrderTerm } from './rules/search.ts';
import type { Range } from './rules/time-range.ts';

/** Null means all vendors. */
export type SearchScope = Range & { vendorIds: readonly string[] | null };

/** A search finds up to this many orders, the newest ones. */
export const maxFound = 1000;

/**
 * Finds orders by the beginning of the code, by id or external id, by the end of the phone number, or by all words of
 * the name. Each of these is a subquery with its own index:
 *
 *   Unique -> Sort -> Append
 *     -> Limit -> Sort -> Index Only Scan using order_search_code       (chain_id, order_code >= and <)
 *     -> Limit -> Sort -> Index Scan using order_search_external        (chain_id, external_order_id =)
 *     -> Limit -> Sort -> Index Scan using order_search_phone           (chain_id, phone >= and <)
 *     -> Limit -> Sort -> Bitmap Index Scan on order_search_name        (chain_id, name like)
 */
export function searchOrders(
  db: Db,
  chainId: string,
  scope: SearchScope,
  term: OrderTerm,
): Promise<{ order_id: string }[]> {
  const { values, bind, find } = statement(chainId, scope);
  // Uses ranges, because a prepared statement cannot use these indexes for a LIKE pattern that is a parameter.
  const startsWith = (column: string, start: string) =>
    `${column} >= ${bind(start)} and ${column} < ${bind(`${start}\u{10ffff}`)}`;
  const conditions = [
    startsWith('order_code', term.code),
    `external_order_id = ${bind(term.text)}`,
    ...(term.orderId === undefined ? [] : [`order_id = ${bind(term.orderId)}`]),
    ...(term.phone === undefined
      ? []
      : [startsWith('phone', term.phone), `phone = any (${bind(term.shorterPhones)}::text[])`]),
    ...(term.words.length === 0 ? [] : [hasWords(term.words, bind)]),
  ];
  return db.query(
    `select order_id from (${conditions.map((condition) => `(${find(condition)})`).join(' union ')}) found
     order by created_at desc, order_id desc limit ${maxFound}`,
    values,
    { prepare: false },
  );
}

/** Finds orders by words that resemble the customer's name. See `setWordSimilarity`. */
export function searchSimilarOrders(
  tx: Tx,
  chainId: string,
  scope: SearchScope,
  { words }: OrderTerm,
): Promise<{ order_id: string }[]> {
  const { values, bind, find } = statement(chainId, scope);
  return tx.query(find(resemblesWords('name', words, bind)), values, { prepare: false });
}

function statement(chainId: string, { vendorIds, from, to }: SearchScope) {
  const values: unknown[] = [chainId, from, to];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const ofVendors = vendorIds === null ? '' : `and vendor_id = any (${bind(vendorIds)}::text[])`;
  const find = (condition: string) =>
    `select order_id, created_at from order_search
     where chain_id = $1 and created_at >= $2 and created_at < $3 ${ofVendors} and ${condition}
     order by created_at desc, order_id desc limit ${maxFound}`;
  return { values, bind, find };
}

/** A part of one or two letters has no trigram, so short words must be at the beginning of a word in the name. */
function hasWords(words: readonly string[], bind: Bind): string {
  const isShort = (word: string) => !/[\p{L}\p{N}]{3}/u.test(word);
  const short = words.filter(isShort).map((word) => {
    const start = `${escapeLike(word)}%`;
    return `(name like ${bind(start)} or name like ${bind(`% ${start}`)})`;
  });
  const long = words.filter((word) => !isShort(word));
  return [...short, ...(long.length === 0 ? [] : [containsWords('name', long, bind)])].join(' and ');
}
