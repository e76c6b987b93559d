import { Failure } from '../kernel/failures/failure.ts';

/**
 * Runs only a few slow password checks at a time, so that a flood of sign-ins does not use up the process's threads and
 * memory. Waiting checks are taken from each network in turn, so that a flood from one network does not delay the
 * others. A network with too many waiting checks gets 429, and 503 is returned if too many wait in total.
 */
export type VerificationQueue = { run<Result>(network: string, work: () => Promise<Result>): Promise<Result> };

export function createVerificationQueue(
  limits = { running: 2, waiting: 100, waitingPerNetwork: 10 },
): VerificationQueue {
  /** In the order in which the networks take turns. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  let total = 0;
  return {
    async run(network, work) {
      if (running >= limits.running) await wait(network);
      else running += 1;
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };

  function wait(network: string): Promise<void> {
    const own = waiting.get(network) ?? [];
    if (own.length >= limits.waitingPerNetwork) throw busy('rate_limited', 'from this address ');
    if (total >= limits.waiting) throw busy('service_unavailable', '');
    total += 1;
    waiting.set(network, own);
    return new Promise((resolve) => own.push(resolve));
  }

  /** Passes the slot of a finished check on to a waiting one. */
  function startNext(): void {
    const [first] = waiting;
    if (!first) {
      running -= 1;
      return;
    }
    const [network, own] = first;
    const next = own.shift();
    total -= 1;
    waiting.delete(network);
    if (own.length > 0) waiting.set(network, own);
    next?.();
  }
}

function busy(code: 'rate_limited' | 'service_unavailable', where: string): Failure {
  const detail = `Too many sign-ins ${where}are being checked at the moment; try again in 5 s.`;
  return new Failure(code, detail, { headers: { 'retry-after': '5' } });
}
