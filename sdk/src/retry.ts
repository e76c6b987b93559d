import { ApiError, ConnectionError, UnexpectedResponseError } from './errors.ts';
import type { OperationRow } from './operation.ts';

const temporary = new Set([408, 429, 500, 502, 503, 504]);
/** With these errors the API has changed nothing. With `service_unavailable`, it may have. */
const rejected = new Set<string>(['request_timeout', 'rate_limited']);
const failed = new Set<string>(['internal_error', 'service_unavailable']);

/**
 * How long to wait before the request is sent again: what the server asks for in `Retry-After`, otherwise an
 * exponential delay with jitter, so that clients that failed together do not all come back at once. Undefined if the
 * request must not be repeated, or if the server asks for more than `maxMs`. `attempt` is the number of the attempt that
 * failed, and `random` is between 0 and 1.
 */
export function retryDelayMs(
  retry: OperationRow['retry'],
  error: unknown,
  attempt: number,
  random: number,
  maxMs = Infinity,
): number | undefined {
  if (!isRepeatable(retry, error)) return undefined;
  const asked = retryAfterMs(error);
  const backoff = Math.min(8000, 250 * 2 ** attempt) * (0.5 + random / 2);
  if (asked !== undefined && asked > maxMs) return undefined;
  return Math.min(maxMs, asked === undefined ? backoff : asked + 250 * random);
}

type Failed = ConnectionError | ApiError | UnexpectedResponseError;

function isRepeatable(retry: OperationRow['retry'], error: unknown): error is Failed {
  if (error instanceof ApiError) {
    if (rejected.has(error.code)) return true;
    if (error.code === 'idempotency_in_progress') return retry === 'keyed';
    return retry !== 'rejected' && failed.has(error.code);
  }
  if (retry === 'rejected') return false;
  return error instanceof ConnectionError || (error instanceof UnexpectedResponseError && temporary.has(error.status));
}

/** What the response asks for with `Retry-After`: a number of seconds or a date. */
export function retryAfterMs(error: Error): number | undefined {
  const value = 'headers' in error && error.headers instanceof Headers ? error.headers.get('retry-after') : null;
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // A date starts with the day of the week. `Date.parse` also reads "-5" and "1.5" as dates.
  const ms = /^[A-Z]/i.test(value) ? Date.parse(value) - Date.now() : NaN;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
