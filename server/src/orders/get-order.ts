import type { Db } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { findOrder } from './queries.ts';
import type { OrderRow } from './rules/order-response.ts';
import { oldestReadable } from './rules/time-range.ts';

/**
 * Which orders a partner can see. Null `vendorIds` means all vendors in the chain, and null `readableDays` means any
 * age.
 */
export type Visibility = { vendorIds: readonly string[] | null; readableDays: number | null; now: Date };

export async function getVisibleOrder(
  db: Db,
  chainId: string,
  orderId: string,
  visibility: Visibility,
): Promise<OrderRow> {
  return getVisible(orderId, await findOrder(db, chainId, orderId), visibility);
}

/** An order that is not visible to the caller is reported as not found. */
export function getVisible(
  orderId: string,
  row: OrderRow | undefined,
  { vendorIds, readableDays, now }: Visibility,
): OrderRow {
  const isVisible = row && (vendorIds === null || vendorIds.includes(row.vendor_id));
  const isTooOld = row && readableDays !== null && row.created_at < oldestReadable(readableDays, now);
  if (!isVisible || isTooOld) throw notFound('order_not_found', orderId);
  return row;
}
