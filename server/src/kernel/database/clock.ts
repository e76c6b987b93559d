import type { Db } from './db.ts';

/**
 * Due times and expiry are computed with the database's clock, because a process's clock can be wrong. Returns a
 * SQL expression for the seconds until a time, which the caller counts down with a monotonic clock.
 */
export function secondsLeft(column: string): string {
  return `extract(epoch from ${column} - now())::float8`;
}

/** The current time by the database's clock. */
export async function readTime(db: Db): Promise<Date> {
  const rows = await db.query<{ now: Date }>('select now() as now');
  return rows[0]?.now ?? new Date();
}

/** Whether the time is in the future by the database's clock. */
export async function isFuture(db: Db, time: Date): Promise<boolean> {
  const rows = await db.query<{ is_future: boolean }>('select $1::timestamptz > now() as is_future', [time]);
  return rows[0]?.is_future ?? false;
}

/** Compares this process's clock with the database's. Resolves to `ok`, or to a warning. */
export async function checkClock(db: Db): Promise<string> {
  const before = Date.now();
  const rows = await db.query<{ now: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as now');
  const after = Date.now();
  const now = rows[0]?.now ?? before;
  // The database read its clock between `before` and `after`, so the clocks differ only if `now` is outside of them.
  const behind = now - after;
  const ahead = before - now;
  if (Math.max(behind, ahead) <= maxDifferenceMs) return 'ok';
  const [seconds, direction] = ahead > 0 ? [ahead / 1000, 'ahead of'] : [behind / 1000, 'behind'];
  return `the clock of this process is ${seconds.toFixed(1)} s ${direction} the database's; synchronize both with NTP`;
}

const maxDifferenceMs = 1000;
