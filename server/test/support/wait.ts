import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the condition is true. Fails after the timeout. `what` is used in the error message. */
export async function waitFor(
  what: string,
  holds: () => boolean | Promise<boolean>,
  seconds = 10,
  everyMs?: number,
): Promise<void> {
  const started = performance.now();
  while (!(await holds())) {
    const waitedMs = performance.now() - started;
    assert.ok(waitedMs < seconds * 1000, `timed out after ${seconds} s waiting for ${what}`);
    await sleep(everyMs ?? pauseAfter(waitedMs));
  }
}

/** Polls less often the longer the wait, because a poll is often a request: the wait is at most a tenth longer. */
export function pauseAfter(waitedMs: number, minMs = 10): number {
  return Math.min(Math.max(minMs, waitedMs / 10), 200);
}
