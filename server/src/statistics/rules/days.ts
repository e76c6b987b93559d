import { type OrderStatus, orderStatuses } from '@aisle/contract/order';
import type { DailyTally, TimeTaken } from '../../tallies/index.ts';
import { rate } from './rate.ts';

export type JobsOfDay = { day: string; running: number; completed: number; failed: number };

const dayMs = 86_400_000;
const quarterMs = 900_000;

/** Widens the range to full quarter hours, the resolution of the counts. */
export function alignToQuarterHours({ from, to }: { from: Date; to: Date }): { from: Date; to: Date } {
  return {
    from: new Date(Math.floor(from.getTime() / quarterMs) * quarterMs),
    to: new Date(Math.ceil(to.getTime() / quarterMs) * quarterMs),
  };
}

/** Lists every calendar day in the range, including the first and the last, in the given time zone. */
export function listDays(from: Date, to: Date, timezone: string): string[] {
  const nameOf = dayNames(timezone);
  const last = new Date(to.getTime() - 1);
  const days = new Set<string>();
  // Steps by half a day, so that no day is skipped when the clocks change.
  for (let time = from.getTime(); time <= last.getTime(); time += dayMs / 2) days.add(nameOf(new Date(time)));
  return [...days.add(nameOf(last < from ? from : last))];
}

export function orderStatistics(days: string[], tallies: DailyTally[]) {
  const sum = (of: keyof Omit<DailyTally, 'day'>) => tallies.reduce((total, row) => total + row[of], 0);
  const by_status = byStatus(tallies);
  return {
    total: orderStatuses.reduce((total, status) => total + by_status[status], 0),
    by_status,
    fulfilment_rate: rate(sum('lines_picked'), sum('lines_ordered')),
    not_found_rate: rate(sum('lines_not_found'), sum('lines_ordered')),
    replacement_rate: rate(sum('lines_replaced'), sum('lines_ordered')),
    days: days.map((day) => {
      const row = tallies.find((tally) => tally.day === day);
      return {
        day,
        by_status: byStatus(row ? [row] : []),
        items: {
          ordered: row?.lines_ordered ?? 0,
          picked: row?.lines_picked ?? 0,
          not_found: row?.lines_not_found ?? 0,
          replaced: row?.lines_replaced ?? 0,
          added: row?.lines_added ?? 0,
        },
      };
    }),
  };
}

/** `times` must be sorted by duration. */
export function webhookStatistics(
  days: string[],
  tallies: DailyTally[],
  times: TimeTaken[],
  open: { pending: number; exhausted: number },
) {
  const succeeded = tallies.reduce((total, row) => total + row.attempts_succeeded, 0);
  const failed = tallies.reduce((total, row) => total + row.attempts_failed, 0);
  return {
    attempts: succeeded + failed,
    success_rate: rate(succeeded, succeeded + failed),
    median_ms: percentile(times, 0.5),
    slow_ms: percentile(times, 0.95),
    ...open,
    days: days.map((day) => {
      const row = tallies.find((tally) => tally.day === day);
      return { day, succeeded: row?.attempts_succeeded ?? 0, failed: row?.attempts_failed ?? 0 };
    }),
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

function byStatus(tallies: DailyTally[]): Record<OrderStatus, number> {
  const count = (status: OrderStatus) =>
    tallies.reduce((total, row) => total + row[status.toLowerCase() as Lowercase<OrderStatus>], 0);
  return Object.fromEntries(orderStatuses.map((status) => [status, count(status)])) as Record<OrderStatus, number>;
}

/** Returns the duration within which this share of the attempts finished. */
function percentile(times: TimeTaken[], share: number): number | null {
  const target = share * times.reduce((total, { attempts }) => total + attempts, 0);
  let reached = 0;
  return times.find(({ attempts }) => (reached += attempts) >= target)?.took_ms ?? null;
}

/** Returns a function that names the calendar day, such as `2026-05-04`, in the time zone. */
export function dayNames(timezone: string): (time: Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  return (time) => format.format(time);
}
