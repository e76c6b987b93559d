import { lateAfterMinutes } from '@aisle/contract/sizes';
import { type Decimal, decimalText } from '../../kernel/values/decimal.ts';
import { readLine } from './line.ts';
import type { OrderRow } from './order-response.ts';
import { orderTally } from './order-tally.ts';
import { payFor } from './pricing.ts';

/** What a fulfilled order contributes to the statistics of its store, as stored in `order_numbers`. */
export type OrderNumbers = {
  fulfilled_at: Date;
  revenue: string;
  lines_ordered: number;
  lines_picked: number;
  lines_not_found: number;
  lines_replaced: number;
  pick_seconds: number | null;
  is_late: boolean;
};

type Counted = Pick<OrderRow, 'status' | 'items' | 'promised_for' | 'created_at'>;

/** The numbers of an order that the store has fulfilled. */
export function orderNumbers(row: Counted, fulfilledAt: Date): OrderNumbers {
  const { lines_ordered = 0, lines_picked = 0, lines_not_found = 0, lines_replaced = 0 } = orderTally(row);
  const { subTotal, discount } = payFor(row.items.map(readLine), 0n as Decimal);
  const tookMs = fulfilledAt.getTime() - row.created_at.getTime();
  const dueAt = row.promised_for?.getTime() ?? row.created_at.getTime() + lateAfterMinutes * 60_000;
  return {
    fulfilled_at: fulfilledAt,
    revenue: decimalText((subTotal - discount) as Decimal),
    lines_ordered,
    lines_picked,
    lines_not_found,
    lines_replaced,
    // The store starts to pick a preorder when it wants, so the time since it was placed says nothing.
    pick_seconds: row.promised_for === null ? Math.max(0, Math.round(tookMs / 1000)) : null,
    is_late: fulfilledAt.getTime() > dueAt,
  };
}
