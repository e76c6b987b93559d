import type { Tx } from '../kernel/database/db.ts';
import { insertNumbers, insertSearchEntry, listUncounted, listUnsearchable } from './completion-queries.ts';
import { orderNumbers } from './rules/order-numbers.ts';
import { fulfilledStatuses } from './rules/order-tally.ts';
import { searchEntry } from './rules/search.ts';

/**
 * Adds what an earlier version, which runs at the same time during an upgrade, has not written: the entry by which an
 * order is found, and the numbers of a fulfilled one. Returns how many were added.
 */
export async function completeOrders(tx: Tx, hours: number, max: number): Promise<number> {
  const placed = await listUnsearchable(tx, hours, max);
  for (const row of placed) await insertSearchEntry(tx, row, searchEntry(row));
  const fulfilled = await listUncounted(tx, hours, max, fulfilledStatuses);
  for (const row of fulfilled) await insertNumbers(tx, row, orderNumbers(row, row.fulfilled_at));
  return placed.length + fulfilled.length;
}
