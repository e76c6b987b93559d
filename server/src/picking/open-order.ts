import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { getVisible, isPickable, lockOrder, type OrderRow } from '../orders/index.ts';
import { type Caller, readChangedBy } from './read-picking.ts';

/**
 * Locks an order that can be picked. The lock also orders all changes to the picking state. With `revision`, fails if
 * the order has another one.
 */
export async function lockOpenOrder(
  tx: Tx,
  chainId: string,
  orderId: string,
  caller: Caller,
  revision?: number,
): Promise<OrderRow> {
  const order = getVisible(orderId, await lockOrder(tx, chainId, orderId), { ...caller, now: new Date() });
  if (isPickable(order) && (revision === undefined || revision === order.revision)) return order;
  const changedBy = await readChangedBy(tx, order);
  const problem = isPickable(order)
    ? `The order has revision ${order.revision}, not ${revision}`
    : `The order is ${order.status} and can no longer be picked`;
  throw new Failure('order_changed', `${problem}; the last change was made by ${changedBy}.`, {
    extra: { order_status: order.status, revision: order.revision, changed_by: changedBy },
  });
}
