/**
 * How much a sender gives an endpoint at the same time, from what it saw of it. A newcomer gets one try, success doubles
 * it, failure halves it. After five failures in a row it is one try at a time with a rest of up to a second between
 * them: enough to notice that it is back, and little enough that ten thousand waiting events cost nobody else anything.
 */
export type Pace = {
  underWay: number;
  limit: number;
  /** In a row. */
  failures: number;
  /** Its last try succeeded. */
  isProven: boolean;
  restsUntilMs: number;
};

export const newcomer: Pace = { underWay: 0, limit: 1, failures: 0, isProven: false, restsUntilMs: 0 };

/** What is known to work comes first; what is known to fail takes the least from the others. */
export const standings = ['proven', 'unknown', 'failing'] as const;
export type Standing = (typeof standings)[number];

export function standingOf(pace: Pace): Standing {
  if (pace.isProven) return 'proven';
  return pace.failures > 0 ? 'failing' : 'unknown';
}

const ailing = 5;
const longestRestMs = 1000;

export function afterSuccess(pace: Pace, most: number): Pace {
  return { ...pace, limit: Math.min(most, pace.limit * 2), failures: 0, isProven: true, restsUntilMs: 0 };
}

export function afterFailure(pace: Pace, nowMs: number): Pace {
  const failures = pace.failures + 1;
  if (failures < ailing) return { ...pace, failures, limit: Math.max(1, pace.limit >> 1), isProven: false };
  const rest = Math.min(longestRestMs, 50 * 2 ** (failures - ailing));
  return { ...pace, failures, limit: 1, isProven: false, restsUntilMs: nowMs + rest };
}

export function freeSlots(pace: Pace, most: number, nowMs: number): number {
  return nowMs < pace.restsUntilMs ? 0 : Math.max(0, Math.min(most, pace.limit) - pace.underWay);
}
