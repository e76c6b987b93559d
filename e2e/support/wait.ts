import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `find` until its result is not undefined. After the timeout, fails with a message that contains `what`. */
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
    assert.ok(performance.now() < deadline, `${what}: not within ${seconds} s`);
    await sleep(everyMs);
  }
}

/** Returns the result of `work`. After the timeout, fails with a message that contains `what`. */
export async function within<Result>(seconds: number, what: string, work: Promise<Result>): Promise<Result> {
  const late = Symbol('late');
  const first = await Promise.race([work, sleep(seconds * 1000, late, { ref: false })]);
  assert.ok(first !== late, `${what}: not within ${seconds} s`);
  return first;
}
