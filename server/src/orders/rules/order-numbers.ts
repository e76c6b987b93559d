import { lateAfterMinutes } from '@aisle/contract/sizes';
import { type Decimal, decimalText } from '../../kernel/values/decimal.ts';
import { readLine } from './line.ts';
import type { OrderRow } from './order-response.ts';
import { orderTally } from './order-tally.ts';
import { payFor } from './pricing.ts';

/** What an order contributes to the statistics of its store, in the columns of `orders`. */
export type OrderNumbers = {
  revenue: string | null;
  lines_ordered: number | null;
  lines_picked: number | null;
  lines_not_found: number | null;
  lines_replaced: number | null;
  pick_seconds: number | null;
  is_late: boolean | null;
};

type Counted = Pick<OrderRow, 'status' | 'items' | 'promised_for' | 'created_at' | 'fulfilled_at'>;

/** All numbers are null unless the order is fulfilled. An order that is cancelled afterwards no longer counts. */
export function orderNumbers(row: Counted): OrderNumbers {
  const { lines_ordered, lines_picked, lines_not_found, lines_replaced } = orderTally(row);
  if (row.fulfilled_at === null || lines_ordered === undefined) return notCounted;
  const { subTotal, discount } = payFor(row.items.map(readLine), 0n as Decimal);
  const tookMs = row.fulfilled_at.getTime() - row.created_at.getTime();
  const dueAt = row.promised_for?.getTime() ?? row.created_at.getTime() + lateAfterMinutes * 60_000;
  return {
    revenue: decimalText((subTotal - discount) as Decimal),
    lines_ordered,
    lines_picked: lines_picked ?? 0,
    lines_not_found: lines_not_found ?? 0,
    lines_replaced: lines_replaced ?? 0,
    // The store starts to pick a preorder when it wants, so the time since it was placed says nothing.
    pick_seconds: row.promised_for === null ? Math.max(0, Math.round(tookMs / 1000)) : null,
    is_late: row.fulfilled_at.getTime() > dueAt,
  };
}

const notCounted: OrderNumbers = {
  revenue: null,
  lines_ordered: null,
  lines_picked: null,
  lines_not_found: null,
  lines_replaced: null,
  pick_seconds: null,
  is_late: null,
};
