import { Failure } from '../kernel/failures/failure.ts';

/** Limits how often a chain does something at the same time in this process. */
export type ChainLimit = {
  /** Returns a function to call at the end. Fails with 503 if the limit has been reached. */
  enter(chainId: string): () => void;
};

/** `what` completes the sentence "The chain … already". */
export function createChainLimit(max: number, what: string): ChainLimit {
  const running = new Map<string, number>();
  return {
    enter(chainId) {
      const count = running.get(chainId) ?? 0;
      if (count >= max) throw tooMany(max, what);
      running.set(chainId, count + 1);
      return () => {
        const left = (running.get(chainId) ?? 1) - 1;
        if (left > 0) running.set(chainId, left);
        else running.delete(chainId);
      };
    },
  };
}

function tooMany(max: number, what: string): Failure {
  return new Failure('service_unavailable', `The chain ${what} ${max} times already; try again in 5 s.`, {
    // A body that is not read leaves the connection unusable.
    headers: { 'retry-after': '5', connection: 'close' },
  });
}
