import type { Static } from 'typebox';
import type { Attempt, Delivery } from '@aisle/contract/deliveries';
import type { Db } from '../kernel/database/db.ts';
import { pageOf } from '../kernel/http/page.ts';
import { type AttemptRow, type DeliveryRow, listDeliveries } from './queries.ts';

/** Does not include the receiver's response body. */
export function deliveryResponse(row: DeliveryRow): Static<typeof Delivery> {
  return {
    delivery_id: row.delivery_id,
    type: row.type as Static<typeof Delivery>['type'],
    status: row.status,
    vendor_id: row.vendor_id,
    order_id: row.order_id,
    job_id: row.job_id,
    attempt_count: row.attempt_count,
    last_outcome: row.last_outcome,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function attemptResponse(row: AttemptRow): Static<typeof Attempt> {
  return { ...row, started_at: row.started_at.toISOString() };
}

/** Lists all deliveries for an order, oldest first. */
export async function listOrderDeliveries(
  db: Db,
  chainId: string,
  orderId: string,
): Promise<Static<typeof Delivery>[]> {
  const rows = await listDeliveries(
    db,
    chainId,
    { vendorIds: null, types: null },
    { order_id: orderId },
    pageOf({ page_size: 500 }),
  );
  return rows.map(deliveryResponse).toReversed();
}
