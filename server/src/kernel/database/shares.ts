import { Failure } from '../failures/failure.ts';
import type { Database } from './database.ts';

/**
 * Limits how many connections one chain's requests can hold, so that requests that wait for the same locked row, or run
 * slow reads, leave connections for other chains. Requests over the limit wait. They start in turns by caller, and those
 * of a caller in the order in which they arrived.
 */
export type Shares = {
  run<Result>(chainId: string, work: () => Promise<Result>, caller?: string): Promise<Result>;
  /** The same database for one request, whose statements and transactions count toward the chain's limit. */
  limit(db: Database, chainId: string, caller?: string): Database;
};

/** The connections that a chain holds, and the requests that wait for one, by caller in the order of their turns. */
type Share = { held: number; waiting: Map<string, Set<() => void>> };

export function createShares(maxHeld: number, waitSeconds: number): Shares {
  const shares = new Map<string, Share>();
  const take = (chainId: string, caller: string): Share | Promise<Share> => {
    let share = shares.get(chainId);
    if (!share) shares.set(chainId, (share = { held: 0, waiting: new Map() }));
    if (share.held >= maxHeld) return waitForTurn(share, caller, waitSeconds);
    share.held += 1;
    return share;
  };
  const release = (chainId: string, share: Share) => {
    if (startNext(share)) return;
    if (--share.held === 0) shares.delete(chainId);
  };
  const run: Shares['run'] = async (chainId, work, caller = '') => {
    const taken = take(chainId, caller);
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
    limit(db, chainId, caller) {
      let transactions = 0;
      return {
        pool: db.pool,
        replica: db.replica,
        // A statement beside the request's own transaction must not wait for connections that are held like that one.
        query: (...statement) =>
          transactions > 0 ? db.reserved.query(...statement) : run(chainId, () => db.query(...statement), caller),
        transaction: (work) =>
          run(
            chainId,
            async () => {
              transactions += 1;
              return db.transaction(work).finally(() => void (transactions -= 1));
            },
            caller,
          ),
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

/** Starts the request whose turn it is. Returns false if none waits. */
function startNext({ waiting }: Share): boolean {
  const [next] = waiting;
  if (!next) return false;
  const [caller, own] = next;
  const [start] = own;
  // The caller's next request waits for those of all others.
  waiting.delete(caller);
  waiting.set(caller, own);
  start?.();
  return true;
}

/** Resolves when a request of the chain ends and passes on its connection. */
function waitForTurn(share: Share, caller: string, seconds: number): Promise<Share> {
  return new Promise((resolve, reject) => {
    const own = share.waiting.get(caller) ?? new Set();
    const leave = () => {
      clearTimeout(timer);
      own.delete(start);
      if (own.size === 0) share.waiting.delete(caller);
    };
    const start = () => {
      leave();
      resolve(share);
    };
    const giveUp = () => {
      leave();
      const detail = 'Too many requests from this chain are being processed at the same time; nothing was changed.';
      reject(new Failure('service_unavailable', detail, { headers: { 'retry-after': '1' } }));
    };
    const timer = setTimeout(giveUp, seconds * 1000);
    share.waiting.set(caller, own.add(start));
  });
}
