import { setTimeout as sleep } from 'node:timers/promises';

/** The deadline for a shutdown. The clock starts at the first call. */
export type ShutdownDeadline = {
  /** At least a second, even if earlier steps have used up the time. */
  leftMs(): number;
  /** Waits for the work until the deadline at the latest. Returns whether the work has finished. */
  waitFor(work: Promise<unknown>): Promise<boolean>;
};

export function createShutdownDeadline(seconds: number): ShutdownDeadline {
  let endsAt: number | undefined;
  const leftMs = () => {
    endsAt ??= performance.now() + seconds * 1000;
    return Math.max(1000, endsAt - performance.now());
  };
  return {
    leftMs,
    async waitFor(work) {
      const timer = new AbortController();
      const isLate = sleep(leftMs(), false, { signal: timer.signal }).catch(() => false);
      return Promise.race([work.then(() => true), isLate]).finally(() => timer.abort());
    },
  };
}
