import { Failure } from '../failures/failure.ts';
import type { Database } from './database.ts';

/**
 * Limits how many connections one chain's requests can hold, so that requests that wait for the same locked row, or run
 * slow reads, leave connections for other chains. Requests over the limit wait in the order in which they arrived.
 */
export type Shares = {
  run<Result>(chainId: string, work: () => Promise<Result>): Promise<Result>;
  /** The same database for one request, whose statements and transactions count toward the chain's limit. */
  limit(db: Database, chainId: string): Database;
};

/** The connections that a chain holds, and the requests that wait for one. */
type Share = { held: number; waiting: Set<() => void> };

export function createShares(maxHeld: number, waitSeconds: number): Shares {
  const shares = new Map<string, Share>();
  const take = (chainId: string): Share | Promise<Share> => {
    let share = shares.get(chainId);
    if (!share) shares.set(chainId, (share = { held: 0, waiting: new Set() }));
    if (share.held >= maxHeld) return waitForTurn(share, waitSeconds);
    share.held += 1;
    return share;
  };
  const release = (chainId: string, share: Share) => {
    const [next] = share.waiting;
    if (next) next();
    else if (--share.held === 0) shares.delete(chainId);
  };
  const run: Shares['run'] = async (chainId, work) => {
    const taken = take(chainId);
    // Skips the `await` if the chain has connections left, which is nearly always the case.
    const share = taken instanceof Promise ? await taken : taken;
    try {
      return await work();
    } finally {
      release(chainId, share);
    }
  };
  return {
    run,
    limit(db, chainId) {
      let transactions = 0;
      return {
        pool: db.pool,
        replica: db.replica,
        // A statement beside the request's own transaction must not wait for connections that are held like that one.
        query: (...statement) =>
          transactions > 0 ? db.reserved.query(...statement) : run(chainId, () => db.query(...statement)),
        transaction: (work) =>
          run(chainId, async () => {
            transactions += 1;
            return db.transaction(work).finally(() => void (transactions -= 1));
          }),
        runSlow: db.runSlow,
        reserved: db.reserved,
        onNotified: db.onNotified,
        watchNodes: db.watchNodes,
        openNode: db.openNode,
        forgetPlans: db.forgetPlans,
        withoutTimeout: db.withoutTimeout,
        withIdleLimit: db.withIdleLimit,
        forTasks: db.forTasks,
        abandon: db.abandon,
        close: db.close,
      };
    },
  };
}

/** Resolves when a request of the chain ends and passes on its connection. */
function waitForTurn(share: Share, seconds: number): Promise<Share> {
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer);
      share.waiting.delete(start);
      resolve(share);
    };
    const giveUp = () => {
      share.waiting.delete(start);
      const detail = 'Too many requests from this chain are being processed at the same time; nothing was changed.';
      reject(new Failure('service_unavailable', detail, { headers: { 'retry-after': '1' } }));
    };
    const timer = setTimeout(giveUp, seconds * 1000);
    share.waiting.add(start);
  });
}
