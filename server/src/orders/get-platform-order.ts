import type { Lookups } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { chainEndIn } from '../kernel/values/ids.ts';
import { findChainOfOrder, findOrder } from './queries.ts';
import type { OrderRow } from './rules/order-response.ts';

/**
 * Returns the order with this id, for the platform, which does not name the chain. The id of an order tells its chain,
 * except for orders that were placed by an earlier version. Those are looked for in all chains, which asks every node of
 * a distributed database.
 */
export async function getPlatformOrder(db: Db, lookups: Lookups, orderId: string): Promise<OrderRow> {
  for (const chainId of await lookups.chainsEndingIn(chainEndIn(orderId))) {
    const row = await findOrder(db, chainId, orderId);
    if (row) return row;
  }
  const chainId = await findChainOfOrder(db, orderId);
  const row = chainId === undefined ? undefined : await findOrder(db, chainId, orderId);
  if (!row) throw notFound('order_not_found', orderId, null);
  return row;
}
