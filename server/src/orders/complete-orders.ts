import type { Tx } from '../kernel/database/db.ts';
import {
  insertNumbers,
  insertSearchEntry,
  listUncounted,
  listUnsearchable,
  lockFulfilled,
} from './completion-queries.ts';
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
  let added = placed.length;
  for (const { chain_id, order_id } of await listUncounted(tx, hours, max, fulfilledStatuses)) {
    const row = await lockFulfilled(tx, chain_id, order_id, fulfilledStatuses);
    if (!row) continue;
    await insertNumbers(tx, row, orderNumbers(row, row.fulfilled_at));
    added += 1;
  }
  return added;
}
