import { addDecimals, type Decimal, decimal, decimalNumber } from '../../kernel/values/decimal.ts';
import type { StoreSums } from '../../orders/index.ts';
import { rate } from './rate.ts';

/** The numbers of one store or of several, from the sums of their orders in each currency. */
export function storeNumbers(sums: readonly StoreSums[]) {
  const sum = (of: Exclude<keyof StoreSums, 'vendor_id' | 'currency' | 'revenue'>) =>
    sums.reduce((total, row) => total + row[of], 0);
  const [orders, fulfilled, ordered, timed] = [sum('orders'), sum('fulfilled'), sum('lines_ordered'), sum('timed')];
  return {
    revenue: revenueByCurrency(sums),
    orders,
    cancelled_orders: sum('cancelled'),
    cancelled_rate: rate(sum('cancelled'), orders),
    fulfilled_orders: fulfilled,
    ordered_items: ordered,
    found_items: sum('lines_picked'),
    found_rate: rate(sum('lines_picked'), ordered),
    orders_with_missing_items: sum('missing'),
    replaced_items: sum('lines_replaced'),
    replaced_rate: rate(sum('lines_replaced'), ordered),
    orders_with_replaced_items: sum('replaced'),
    timed_orders: timed,
    pick_minutes: timed === 0 ? null : Math.round(sum('pick_seconds') / timed / 6) / 10,
    late_orders: sum('late'),
    late_rate: rate(sum('late'), fulfilled),
  };
}

function revenueByCurrency(sums: readonly StoreSums[]): { currency: string; amount: number }[] {
  const amounts = new Map<string, Decimal>();
  for (const { currency, revenue, fulfilled } of sums) {
    if (fulfilled === 0) continue;
    amounts.set(currency, addDecimals(amounts.get(currency) ?? (0n as Decimal), decimal(revenue)));
  }
  const sorted = [...amounts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([currency, amount]) => ({ currency, amount: decimalNumber(amount) }));
}
