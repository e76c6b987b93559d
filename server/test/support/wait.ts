import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the condition is true. Fails after the timeout. `what` is used in the error message. */
export async function waitFor(
  what: string,
  holds: () => boolean | Promise<boolean>,
  seconds = 10,
  everyMs = 10,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `timed out after ${seconds} s waiting for ${what}`);
    await sleep(everyMs);
  }
}
