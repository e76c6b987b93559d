/**
 * The number of concurrent attempts that a sender allows for an endpoint, based on the endpoint's results. A new
 * endpoint gets one attempt at a time. A success doubles the number, and a failure halves it. After five failures in a
 * row, the endpoint gets one attempt at a time with pauses of up to a second. This is frequent enough to detect that
 * the endpoint has recovered, but too infrequent for ten thousand pending events to slow down other endpoints.
 */
export type Pace = {
  running: number;
  /** Attempts that wait until one of the running ones has ended. */
  queued: number;
  limit: number;
  /** Consecutive failures. */
  failures: number;
  /** Whether the last attempt succeeded. */
  isProven: boolean;
  /** Whether the last success took so long that the endpoint occupies many slots for few messages. */
  isSlow: boolean;
  /** Whether the last success was so quick that the endpoint soon needs more messages. */
  isQuick: boolean;
  pausedUntilMs: number;
};

export const newPace: Pace = {
  running: 0,
  queued: 0,
  limit: 1,
  failures: 0,
  isProven: false,
  isSlow: false,
  isQuick: false,
  pausedUntilMs: 0,
};

/** Working endpoints come first; failing ones get the smallest share. */
export const reliabilityLevels = ['proven', 'unknown', 'failing', 'slow'] as const;
export type Reliability = (typeof reliabilityLevels)[number];

export function reliabilityOf(pace: Pace): Reliability {
  if (pace.isProven) return pace.isSlow ? 'slow' : 'proven';
  return pace.failures > 0 ? 'failing' : 'unknown';
}

const maxFailures = 5;
const maxPauseMs = 1000;
const slowMs = 2000;
const quickMs = 200;
const maxQueueFailures = 3;

export function afterSuccess(pace: Pace, maxSlots: number, durationMs: number): Pace {
  const limit = Math.min(maxSlots, pace.limit * 2);
  const speed = { isSlow: durationMs > slowMs, isQuick: durationMs <= quickMs };
  return { ...pace, ...speed, limit, failures: 0, isProven: true, pausedUntilMs: 0 };
}

export function afterFailure(pace: Pace, nowMs: number): Pace {
  const failures = pace.failures + 1;
  if (failures < maxFailures) return { ...pace, failures, limit: Math.max(1, pace.limit >> 1), isProven: false };
  const pause = Math.min(maxPauseMs, 50 * 2 ** (failures - maxFailures));
  return { ...pace, failures, limit: 1, isProven: false, pausedUntilMs: nowMs + pause };
}

/** `ahead` is how many times its limit can be queued for an endpoint that works and is quick. */
export function freeSlots(pace: Pace, maxSlots: number, nowMs: number, ahead = 0): number {
  if (nowMs < pace.pausedUntilMs) return 0;
  const limit = Math.min(maxSlots, pace.limit);
  const allowed = pace.isProven && pace.isQuick ? limit * (1 + ahead) : limit;
  return Math.max(0, allowed - pace.running - pace.queued);
}

/** Whether queued attempts are given up, because the endpoint no longer works. */
export function isQueueGivenUp({ failures }: Pace): boolean {
  return failures >= maxQueueFailures;
}
