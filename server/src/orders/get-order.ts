import type { Db } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { findOrder } from './queries.ts';
import type { OrderRow } from './rules/order-response.ts';
import { oldestReadable } from './rules/time-range.ts';

/** Which orders a partner may see; a null `vendorIds` means the orders of all vendors in the chain. */
export type Visibility = { vendorIds: readonly string[] | null; readableDays: number; now: Date };

export async function getVisibleOrder(
  db: Db,
  chainId: string,
  orderId: string,
  visibility: Visibility,
): Promise<OrderRow> {
  return getVisible(orderId, await findOrder(db, chainId, orderId), visibility);
}

/** To the caller, orders of other vendors and orders older than the readable days do not exist. */
export function getVisible(
  orderId: string,
  row: OrderRow | undefined,
  { vendorIds, readableDays, now }: Visibility,
): OrderRow {
  const isVisible = row && (vendorIds === null || vendorIds.includes(row.vendor_id));
  if (!isVisible || row.created_at < oldestReadable(readableDays, now)) throw notFound('order_not_found', orderId);
  return row;
}
