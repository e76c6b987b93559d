import { runInNewContext } from 'node:vm';

/**
 * Runs work that needs some milliseconds, and fails if it does not end. With a million characters, a regular expression
 * that needs quadratic time would need hours.
 */
export function endsInTime<Result>(work: () => Result): Result {
  return runInNewContext('work()', { work }, { timeout: 30_000 }) as Result;
}

export const veryMany = 1_000_000;
