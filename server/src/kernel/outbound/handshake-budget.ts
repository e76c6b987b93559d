/**
 * Limits how much time of this thread TLS handshakes can take. The endpoint chooses how many certificates have to be
 * verified, and how large their keys are. So a handshake that takes longer than others is paid from the budget of the
 * owner, who chose the endpoint's address. Once it is spent, the owner's handshakes fail until time has passed.
 *
 * Someone who may choose the address of only one endpoint could stop the owner's other endpoints in this way. So those
 * whose last handshake was usual are not held. They can become slow, too, but each of them only once in a hold, and only
 * two in total: after that, all endpoints of the owner are held.
 */
export type HandshakeBudget = {
  /** Returns an error if the owner's budget is spent. */
  check(payer: Payer): Error | undefined;
  /** Counts what a piece of a handshake took; `beforeMs` is what the pieces before it took. */
  count(payer: Payer, beforeMs: number, ms: number): void;
  /** The handshake has succeeded; `beforeMs` is what its pieces took that were counted. */
  succeed(payer: Payer, beforeMs: number): void;
};

/** `endpoint` must stay the same if its address is changed. */
export type Payer = { owner: string; endpoint: string };

/** Usual handshakes take a fifth of this, and are free. */
const freeMs = 10;
const maxSpentMs = 50;
/** What is not free takes at most a five-hundredth of the time. */
const refillFactor = 500;
/** A budget is full again after this, whatever was spent. */
const maxRefillMs = 300_000;
const maxOwners = 10_000;
/** What endpoints that are not held can take. A single handshake counts as `maxSpentMs` at most. */
const maxExemptMs = 2 * maxSpentMs;
const maxEndpoints = 50_000;

/** The code makes it a failure of TLS (see `failureOf`). */
class HoldError extends Error {
  readonly code = 'ERR_TLS_HANDSHAKE_HOLD';
}

/** `fullAt` is when the budget will be full, and `exemptMs` what endpoints that are not held have taken in this hold. */
type Spent = { fullAt: number; exemptMs: number };
const none: Spent = { fullAt: 0, exemptMs: 0 };

export function createHandshakeBudget(now = () => performance.now()): HandshakeBudget {
  const spent = new Map<string, Spent>();
  /** The endpoints whose last handshake was usual, the newest last. */
  const usual = new Set<string>();
  const holdMsOf = (fullAt: number) => fullAt - now() - maxSpentMs * refillFactor;
  return {
    check({ owner, endpoint }) {
      const { fullAt, exemptMs } = spent.get(owner) ?? none;
      if (fullAt <= now()) spent.delete(owner);
      const holdMs = holdMsOf(fullAt);
      if (holdMs <= 0 || (usual.has(endpoint) && exemptMs < maxExemptMs)) return undefined;
      const seconds = Math.ceil(holdMs / 1000);
      return new HoldError(`TLS handshakes took too long, so there are none for ${seconds} s`);
    },
    count({ owner, endpoint }, beforeMs, ms) {
      const excessMs = Math.max(0, beforeMs + ms - freeMs) - Math.max(0, beforeMs - freeMs);
      if (excessMs === 0) return;
      usual.delete(endpoint);
      const { fullAt, exemptMs } = spent.get(owner) ?? none;
      const isHeld = holdMsOf(fullAt) > 0;
      if (spent.size >= maxOwners) spent.clear();
      spent.set(owner, {
        fullAt: Math.min(Math.max(now(), fullAt) + excessMs * refillFactor, now() + maxRefillMs),
        exemptMs: isHeld ? exemptMs + Math.min(excessMs, maxSpentMs) : 0,
      });
    },
    succeed({ endpoint }, beforeMs) {
      usual.delete(endpoint);
      if (beforeMs > freeMs) return;
      usual.add(endpoint);
      const [oldest] = usual;
      if (usual.size > maxEndpoints && oldest !== undefined) usual.delete(oldest);
    },
  };
}
