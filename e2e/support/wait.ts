import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `find` until its result is not undefined. Fails after the timeout. `what` is used in the error message. */
export async function waitFor<Found>(
  seconds: number,
  what: string,
  find: () => Found | undefined | Promise<Found | undefined>,
  everyMs = 20,
): Promise<Found> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    assert.ok(performance.now() < deadline, `timed out after ${seconds} s waiting for ${what}`);
    await sleep(everyMs);
  }
}

/** Returns the result of `work`. Fails after the timeout. `what` is used in the error message. */
export async function within<Result>(seconds: number, what: string, work: Promise<Result>): Promise<Result> {
  const late = Symbol('late');
  const first = await Promise.race([work, sleep(seconds * 1000, late, { ref: false })]);
  assert.ok(first !== late, `timed out after ${seconds} s waiting for ${what}`);
  return first;
}
