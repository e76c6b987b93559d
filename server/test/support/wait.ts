import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/kernel/database/db.ts';

/**
 * How many times longer tests wait than something takes on a quiet machine: other tests, or other programs, can use the
 * processors.
 */
export const patience = 5;

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
    assert.ok(waitedMs < patience * seconds * 1000, `timed out after ${patience * seconds} s waiting for ${what}`);
    await sleep(everyMs ?? pauseAfter(waitedMs));
  }
}

/** Polls less often the longer the wait, because a poll is often a request: the wait is at most a tenth longer. */
export function pauseAfter(waitedMs: number, minMs = 10): number {
  return Math.min(Math.max(minMs, waitedMs / 10), 200);
}

/** Rate limit windows are minutes of database time. Work that spans two windows is repeated from the start. */
export async function inOneMinute(db: Db, work: () => Promise<void>): Promise<void> {
  const minute = async () =>
    (await db.query<{ minute: Date }>("select date_trunc('minute', clock_timestamp()) as minute"))[0]?.minute;
  for (;;) {
    const before = await minute();
    const failure = await work().then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    if ((await minute())?.getTime() !== before?.getTime()) continue;
    if (failure) throw failure;
    return;
  }
}
