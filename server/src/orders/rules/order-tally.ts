import type { OrderStatus } from '@aisle/contract/order';
import type { Tally } from '../../tallies/index.ts';
import type { Line } from './line.ts';

/** Orders whose lines tell how picking went. */
const fulfilled = new Set<OrderStatus>(['READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'PICKED_UP']);

type Counted = { status: OrderStatus; items: readonly Pick<Line, 'status' | 'replacedId'>[] };

/** What an order counts for in the figures: its state, and once it is fulfilled what became of its lines. */
export function orderTally({ status, items }: Counted): Tally {
  const stands = { [status.toLowerCase()]: 1 };
  if (!fulfilled.has(status)) return stands;
  const original = items.filter((line) => line.status !== 'ADDITION' && line.replacedId === null);
  const count = (wanted: Line['status'], lines = items) => lines.filter((line) => line.status === wanted).length;
  return {
    ...stands,
    lines_ordered: original.length,
    lines_picked: count('IN_CART', original),
    lines_not_found: count('NOT_FOUND'),
    lines_replaced: count('REPLACED'),
    lines_added: count('ADDITION'),
  };
}
