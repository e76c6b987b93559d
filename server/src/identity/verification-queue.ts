import { createWaitingRoom } from './waiting-room.ts';

/**
 * Runs only a few slow password checks at a time, so that a flood of sign-ins does not use up the process's threads and
 * memory. The others wait; see `waiting-room.ts` for their turns and limits.
 */
export type VerificationQueue = {
  /** If `signal` is aborted before the work has started, the work does not run. */
  run<Result>(network: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
};

export function createVerificationQueue(
  limits = { running: 2, waiting: 100, waitingPerNetwork: 10 },
): VerificationQueue {
  const room = createWaitingRoom({ total: limits.waiting, perNetwork: limits.waitingPerNetwork });
  let running = 0;
  return {
    async run(network, work, signal) {
      if (running >= limits.running) await room.enter(network, signal).started;
      else running += 1;
      try {
        return await work();
      } finally {
        // A finished check passes its slot on to a waiting one.
        if (!room.startNext()) running -= 1;
      }
    },
  };
}
