import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience, pauseAfter } from '../../server/test/support/wait.ts';

/** Calls `find` until its result is not undefined. Fails after the timeout. `what` is used in the error message. */
export async function waitFor<Found>(
  seconds: number,
  what: string,
  find: () => Found | undefined | Promise<Found | undefined>,
  everyMs?: number,
): Promise<Found> {
  const started = performance.now();
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    const waitedMs = performance.now() - started;
    assert.ok(waitedMs < patience * seconds * 1000, `timed out after ${patience * seconds} s waiting for ${what}`);
    await sleep(everyMs ?? pauseAfter(waitedMs, 20));
  }
}

/** Returns the result of `work`. Fails after the timeout. `what` is used in the error message. */
export async function within<Result>(seconds: number, what: string, work: Promise<Result>): Promise<Result> {
  const late = Symbol('late');
  const first = await Promise.race([work, sleep(patience * seconds * 1000, late, { ref: false })]);
  assert.ok(first !== late, `timed out after ${patience * seconds} s waiting for ${what}`);
  return first;
}
