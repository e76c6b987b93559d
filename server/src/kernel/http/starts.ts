import { Failure } from '../failures/failure.ts';

/**
 * Decides when requests start to be handled. Handling uses the process's only thread, and a request that takes long there
 * delays all others. So while the event loop is late, the chains take turns: in each turn of the loop, a chain starts one
 * request, and more of them if they take little time. A chain with many expensive requests delays its own, and those of
 * others by one of them per turn. As long as the loop is on time, all requests start at once.
 *
 * This bounds what the other limits do not know: the processor time that a request needs. Only the time until it first
 * waits, for example for the database, is measured. Node cannot tell which request has used the rest.
 */
export type Starts = {
  /** Undefined if the request can start at once. Otherwise, the promise resolves when it is the chain's turn. */
  waitForTurn(owner: string): Promise<void> | undefined;
};

type Waiting = { since: number; start(): void; giveUp(error: Failure): void };

/** How long a turn of the event loop can take before the loop is late. The chains share this time. */
const turnMs = 20;
/** A request that waits longer is rejected, so that the queue of a chain that sends too much stays short. */
const maxWaitMs = 5000;

export function createStarts(
  now = () => performance.now(),
  schedule: (end: () => void) => void = setImmediate,
): Starts {
  /** By chain. No list is empty. */
  const waiting = new Map<string, Waiting[]>();
  let turnStartedAt: number | undefined;
  const beginTurn = () => {
    turnStartedAt = now();
    schedule(endTurn);
  };
  /** Called when all events of this turn of the loop have been handled. */
  const endTurn = async () => {
    turnStartedAt = undefined;
    if (waiting.size > 0) beginTurn();
    const shareMs = turnMs / waiting.size;
    for (const [owner, own] of waiting) {
      while (own[0] && now() - own[0].since > maxWaitMs) own.shift()?.giveUp(tooManyRequests());
      const until = now() + shareMs;
      do {
        own.shift()?.start();
        await untilItWaits();
      } while (own.length > 0 && now() < until);
      if (own.length === 0) waiting.delete(owner);
    }
  };
  return {
    waitForTurn(owner) {
      if (turnStartedAt === undefined) beginTurn();
      const own = waiting.get(owner);
      if (!own && now() - (turnStartedAt ?? 0) <= turnMs) return undefined;
      return new Promise((start, giveUp) => {
        const entry = { since: now(), start, giveUp };
        if (own) own.push(entry);
        else waiting.set(owner, [entry]);
      });
    },
  };
}

/** Until the request that has just started waits for something, in the same turn of the event loop. */
function untilItWaits(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}

function tooManyRequests(): Failure {
  const detail = 'The server is busy with other requests from this chain; nothing was changed. Try again in 1 s.';
  return new Failure('service_unavailable', detail, { headers: { 'retry-after': '1' } });
}
