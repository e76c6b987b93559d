/**
 * Limits how much time of this thread TLS handshakes can take. The endpoint chooses how many certificates have to be
 * verified, and how large their keys are. So a handshake that takes longer than others is paid from the budget of the
 * owner, who chose the endpoint's address. Once it is spent, the owner's handshakes fail until time has passed.
 */
export type HandshakeBudget = {
  /** Returns an error if the owner's budget is spent. */
  check(owner: string): Error | undefined;
  /** Counts what a piece of a handshake took; `beforeMs` is what the pieces before it took. */
  count(owner: string, beforeMs: number, ms: number): void;
};

/** Usual handshakes take a fifth of this, and are free. */
const freeMs = 10;
const maxSpentMs = 50;
/** What is not free takes at most a five-hundredth of the time. */
const refillFactor = 500;
/** A budget is full again after this, whatever was spent. */
const maxRefillMs = 300_000;
const maxOwners = 10_000;

/** The code makes it a failure of TLS (see `failureOf`). */
class HoldError extends Error {
  readonly code = 'ERR_TLS_HANDSHAKE_HOLD';
}

export function createHandshakeBudget(now = () => performance.now()): HandshakeBudget {
  /** When the budgets will be full. */
  const fullAt = new Map<string, number>();
  return {
    check(owner) {
      const missingMs = (fullAt.get(owner) ?? 0) - now();
      if (missingMs <= 0) fullAt.delete(owner);
      const holdMs = missingMs - maxSpentMs * refillFactor;
      if (holdMs <= 0) return undefined;
      const seconds = Math.ceil(holdMs / 1000);
      return new HoldError(`TLS handshakes took too long, so there are none for ${seconds} s`);
    },
    count(owner, beforeMs, ms) {
      const excessMs = Math.max(0, beforeMs + ms - freeMs) - Math.max(0, beforeMs - freeMs);
      if (excessMs === 0) return;
      if (fullAt.size >= maxOwners) fullAt.clear();
      const from = Math.max(now(), fullAt.get(owner) ?? 0);
      fullAt.set(owner, Math.min(from + excessMs * refillFactor, now() + maxRefillMs));
    },
  };
}
