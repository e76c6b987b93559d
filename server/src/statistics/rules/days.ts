import { type OrderStatus, orderStatuses } from '@aisle/contract/order';

export type OrdersOfDay = { day: string; status: OrderStatus; count: number };
export type ItemsOfDay = {
  day: string;
  ordered: number;
  picked: number;
  not_found: number;
  replaced: number;
  added: number;
};
export type AttemptsOfDay = { day: string; succeeded: number; failed: number };
export type JobsOfDay = { day: string; running: number; completed: number; failed: number };

const dayMs = 86_400_000;

/** Every day of the range as people at this place call it, the first and the last included. */
export function listDays(from: Date, to: Date, timezone: string): string[] {
  const nameOf = dayNames(timezone);
  const last = new Date(to.getTime() - 1);
  const days = new Set<string>();
  // Half days, so that none is stepped over when the clocks change.
  for (let time = from.getTime(); time <= last.getTime(); time += dayMs / 2) days.add(nameOf(new Date(time)));
  return [...days.add(nameOf(last < from ? from : last))];
}

export function orderStatistics(days: string[], orders: OrdersOfDay[], items: ItemsOfDay[]) {
  const sum = (of: keyof Omit<ItemsOfDay, 'day'>) => items.reduce((total, row) => total + row[of], 0);
  const ordered = sum('ordered');
  return {
    total: orders.reduce((total, row) => total + row.count, 0),
    by_status: byStatus(orders),
    fulfilment_rate: rate(sum('picked'), ordered),
    not_found_rate: rate(sum('not_found'), ordered),
    replacement_rate: rate(sum('replaced'), ordered),
    days: days.map((day) => {
      const { day: _, ...counted } = items.find((row) => row.day === day) ?? { ...noItems, day };
      return { day, by_status: byStatus(orders.filter((row) => row.day === day)), items: counted };
    }),
  };
}

export function webhookStatistics(
  days: string[],
  attempts: AttemptsOfDay[],
  rest: { median_ms: number | null; slow_ms: number | null; pending: number; exhausted: number },
) {
  const succeeded = attempts.reduce((total, row) => total + row.succeeded, 0);
  const all = attempts.reduce((total, row) => total + row.succeeded + row.failed, 0);
  return {
    attempts: all,
    success_rate: rate(succeeded, all),
    ...rest,
    days: days.map((day) => attempts.find((row) => row.day === day) ?? { day, succeeded: 0, failed: 0 }),
  };
}

export function jobStatistics(days: string[], jobs: JobsOfDay[]) {
  const sum = (of: keyof Omit<JobsOfDay, 'day'>) => jobs.reduce((total, row) => total + row[of], 0);
  return {
    running: sum('running'),
    completed: sum('completed'),
    failed: sum('failed'),
    days: days.map((day) => {
      const { completed = 0, failed = 0 } = jobs.find((row) => row.day === day) ?? {};
      return { day, completed, failed };
    }),
  };
}

const noItems = { ordered: 0, picked: 0, not_found: 0, replaced: 0, added: 0 };

function byStatus(orders: OrdersOfDay[]): Record<OrderStatus, number> {
  const counts = Object.fromEntries(orderStatuses.map((status) => [status, 0])) as Record<OrderStatus, number>;
  for (const { status, count } of orders) counts[status] += count;
  return counts;
}

function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

function dayNames(timezone: string): (time: Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  return (time) => format.format(time);
}
