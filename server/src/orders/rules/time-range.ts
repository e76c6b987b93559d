import type { InputError } from '@aisle/contract/common';

const dayMs = 86_400_000;

/** An order is in the lists of all processes at once, even if the clock of the one that placed it is ahead. */
const maxAheadMs = dayMs;

export type Range = { from: Date; to: Date };

/**
 * Returns the time range for a list of orders. The start is inclusive and the end exclusive. Orders older than
 * `readableDays` are never in the range.
 */
export function resolveRange(
  query: { start_time: Date | undefined; end_time: Date | undefined },
  profile: 'strict' | 'tolerant',
  readableDays: number,
  now: Date,
): Range | InputError {
  const end = query.end_time ?? now;
  const earliest = oldestReadable(readableDays, end);
  const from = query.start_time ?? earliest;
  if (end < from) return { pointer: 'end_time', code: 'out_of_range', message: 'must not be before start_time' };
  const isWide = from < earliest;
  if (isWide && profile === 'strict') {
    const message = `the range from start_time to end_time must be at most ${readableDays} days`;
    return { pointer: 'start_time', code: 'out_of_range', message };
  }
  return {
    from: latest(isWide ? earliest : from, oldestReadable(readableDays, now)),
    to: query.end_time ?? new Date(now.getTime() + maxAheadMs),
  };
}

/** Orders created before this time are not readable. */
export function oldestReadable(readableDays: number, now: Date): Date {
  return new Date(now.getTime() - readableDays * dayMs);
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}
