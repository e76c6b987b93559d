import type { Db } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { findOrder } from './queries.ts';
import type { OrderRow } from './rules/order-response.ts';
import { oldestReadable } from './rules/range.ts';

/** Which orders a partner may see; `vendorIds` null: the orders of all vendors of the chain. */
export type Reach = { vendorIds: readonly string[] | null; readableDays: number; now: Date };

export async function getVisibleOrder(db: Db, chainId: string, orderId: string, reach: Reach): Promise<OrderRow> {
  return getVisible(orderId, await findOrder(db, chainId, orderId), reach);
}

/** Another vendor's order, or one too old to be read, does not exist for the caller. */
export function getVisible(
  orderId: string,
  row: OrderRow | undefined,
  { vendorIds, readableDays, now }: Reach,
): OrderRow {
  const isReachable = row && (vendorIds === null || vendorIds.includes(row.vendor_id));
  if (!isReachable || row.created_at < oldestReadable(readableDays, now)) throw notFound('order_not_found', orderId);
  return row;
}
