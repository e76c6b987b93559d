/** Seconds from one attempt to the next: thirteen attempts over almost three days. */
export const retryDelays = [10, 10, 10, 10, 60, 300, 1800, 7200, 21_600, 43_200, 86_400, 86_400] as const;

const maxRetryAfter = 3600;
const jitter = 0.2;

/**
 * Returns the seconds until the next attempt after `tries` attempts, or null if there are none left. The delay is never
 * shorter than scheduled and at most a fifth longer, so that deliveries that failed together are not retried together.
 * `random` is a number from 0 to 1. `now` is needed only for a Retry-After header with a date.
 */
export function retryDelay(tries: number, now: Date, random: number, retryAfter?: string): number | null {
  const delay = retryDelays[tries - 1];
  if (delay === undefined) return null;
  const requested = Math.min(maxRetryAfter, secondsOf(retryAfter, now));
  return Math.max(delay * (1 + jitter * random), requested);
}

/** Parses Retry-After, which is a number of seconds or a date. Anything else is ignored. */
function secondsOf(retryAfter: string | undefined, now: Date): number {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : (date - now.getTime()) / 1000;
}
