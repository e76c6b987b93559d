import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the condition is true. After the timeout, fails with a message that contains `what`. */
export async function waitFor(
  what: string,
  holds: () => boolean | Promise<boolean>,
  seconds = 10,
  everyMs = 10,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `${what}: not within ${seconds} s`);
    await sleep(everyMs);
  }
}
