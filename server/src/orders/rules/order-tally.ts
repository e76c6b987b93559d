import type { OrderStatus } from '@aisle/contract/order';
import type { Tally } from '../../tallies/index.ts';
import type { Line } from './line.ts';

type Counted = { status: OrderStatus; items: readonly Pick<Line, 'status' | 'replacedId'>[] };

/** Counts an order by its status and, once it is fulfilled, its lines by their outcome. */
export function orderTally({ status, items }: Counted): Tally {
  const byStatus = { [status.toLowerCase()]: 1 };
  if (!isFulfilled(status)) return byStatus;
  const original = items.filter((line) => line.status !== 'ADDITION' && line.replacedId === null);
  const count = (status: Line['status'], lines = items) => lines.filter((line) => line.status === status).length;
  return {
    ...byStatus,
    lines_ordered: original.length,
    lines_picked: count('IN_CART', original),
    lines_not_found: count('NOT_FOUND'),
    lines_replaced: count('REPLACED'),
    lines_added: count('ADDITION'),
  };
}

/** The statuses of an order that the store has picked. */
export const fulfilledStatuses: readonly OrderStatus[] = ['READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'PICKED_UP'];

/** Whether the store has picked the order. */
export function isFulfilled(status: OrderStatus): boolean {
  return fulfilled.has(status);
}

const fulfilled = new Set<OrderStatus>(fulfilledStatuses);
