import type { InputError } from '@aisle/contract/common';
import type { statisticsPeriods } from '@aisle/contract/store-statistics';
import { isTimeZone } from '../../kernel/values/time.ts';
import { dayNames } from './days.ts';

export type PeriodQuery = {
  period?: (typeof statisticsPeriods)[number];
  first_day?: string;
  last_day?: string;
  timezone?: string;
};

/** Days as dates, with the times at which they begin and end. */
export type Period = { firstDay: string; lastDay: string; from: Date; to: Date };

/** Returns what is wrong with the query, apart from how long ago the days are. */
export function checkPeriod(query: PeriodQuery): InputError | undefined {
  const { period, first_day: first, last_day: last, timezone } = query;
  if (timezone !== undefined && !isTimeZone(timezone)) {
    return {
      pointer: 'timezone',
      code: 'bad_format',
      message: 'must be the IANA name of a time zone, such as Asia/Dubai',
    };
  }
  if (first !== undefined && period !== undefined) {
    return { pointer: 'first_day', code: 'not_allowed', message: 'cannot be combined with period' };
  }
  if (first === undefined && last !== undefined) {
    return { pointer: 'first_day', code: 'missing', message: 'is required if last_day is given' };
  }
  for (const [pointer, day] of Object.entries({ first_day: first, last_day: last })) {
    if (day !== undefined && !isDay(day)) {
      return { pointer, code: 'bad_format', message: 'must be a date such as 2026-05-04' };
    }
  }
  if (first !== undefined && last !== undefined && last < first) {
    return { pointer: 'last_day', code: 'out_of_range', message: 'must not be before first_day' };
  }
  return undefined;
}

/** The days of a checked query in a time zone. Orders placed more than `readableDays` before `now` cannot be listed. */
export function periodIn(query: PeriodQuery, timezone: string, readableDays: number, now: Date): Period | InputError {
  const dayOf = dayNames(timezone);
  const today = dayOf(now);
  const { first_day: first } = query;
  const [firstDay, lastDay] =
    first === undefined
      ? [addDays(today, -lengths[query.period ?? 'LAST_7_DAYS']), addDays(today, -1)]
      : [first, query.last_day ?? first];
  if (firstDay <= addDays(today, -readableDays)) {
    const message = `must be at most ${readableDays - 1} days ago: ${addDays(today, 1 - readableDays)} or later`;
    return { pointer: 'first_day', code: 'out_of_range', message };
  }
  if (lastDay > today) {
    const pointer = query.last_day === undefined ? 'first_day' : 'last_day';
    return { pointer, code: 'out_of_range', message: `must not be after today, ${today} in ${timezone}` };
  }
  return { firstDay, lastDay, from: startOfDay(firstDay, dayOf), to: startOfDay(addDays(lastDay, 1), dayOf) };
}

const lengths = { YESTERDAY: 1, LAST_7_DAYS: 7, LAST_30_DAYS: 30 } as const;
const dayMs = 86_400_000;

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The first millisecond of the day. This is not midnight if a clock change skips midnight. */
function startOfDay(day: string, dayOf: (time: Date) => string): Date {
  const utc = Date.parse(`${day}T00:00:00Z`);
  // Time zones are at most 14 hours ahead of UTC and 12 hours behind.
  let [before, at] = [utc - 15 * 3_600_000, utc + 13 * 3_600_000];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (dayOf(new Date(middle)) < day) before = middle;
    else at = middle;
  }
  return new Date(at);
}
