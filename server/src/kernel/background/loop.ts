import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../monitoring/log.ts';

/** Polls for work: when woken, and otherwise at a fixed interval. */
export type Loop = {
  wake(): void;
  /** Whether a round has succeeded recently. */
  isAlive(): boolean;
  /** Prevents further rounds and waits for the current one to finish. */
  stop(): Promise<void>;
};

export type LoopOptions = {
  name: string;
  pollMs: number;
  /**
   * The minimum time between the starts of two rounds, so that under load each round finds a larger batch of work. Work
   * that arrives after a quiet moment does not wait.
   */
  gapMs?: number;
  log: Log;
  /** Runs one round. Returns true if there may be more work, so that the next round starts immediately. */
  run(): Promise<boolean>;
};

const stalledMs = 15_000;

export function startLoop({ name, pollMs, gapMs = 0, log, run }: LoopOptions): Loop {
  let lastSuccess = performance.now();
  let isStopping = false;
  let isWoken = false;
  let endPause = () => {};

  const round = async (): Promise<boolean> => {
    try {
      const again = await run();
      lastSuccess = performance.now();
      return again;
    } catch (error) {
      log.warn({ event: `${name}.failed`, error: String((error as Error).cause ?? error) });
      return false;
    }
  };
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = async () => {
    while (!isStopping) {
      isWoken = false;
      const started = performance.now();
      const again = await round();
      // If the loop was woken during the round, the round may have missed the new work.
      if (!again && !isWoken && !isStopping) await pause();
      const rest = gapMs - (performance.now() - started);
      if (rest > 0 && !isStopping) await sleep(rest);
    }
  };

  const looping = loop();
  return {
    wake() {
      isWoken = true;
      endPause();
    },
    isAlive: () => performance.now() - lastSuccess < stalledMs,
    async stop() {
      isStopping = true;
      endPause();
      await looping;
    },
  };
}
