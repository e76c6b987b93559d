/**
 * Who waits for events of a chain. One notification of the database wakes them, however many wait: a waiting request
 * holds neither a connection nor a timer of its own beyond its deadline.
 */
export type FeedWaits = {
  /** Begins to listen; what happens from now on is not missed. */
  begin(chainId: string): Wait;
  /** Events of these chains (none named: of any) were published. */
  wake(chainIds: string[]): void;
  /** Every wait ends now, and those to come end at once. */
  end(): void;
};

export type Wait = {
  /** Until something is published, or time is up. */
  next(ms: number): Promise<void>;
  /** Nobody shall wait any longer. */
  hasEnded(): boolean;
  done(): void;
};

type Waiter = { isWoken: boolean; wake(): void };

export function createFeedWaits(): FeedWaits {
  const waiters = new Map<string, Set<Waiter>>();
  let hasEnded = false;
  return {
    begin(chainId) {
      const waiter: Waiter = { isWoken: false, wake: () => {} };
      const others = waiters.get(chainId) ?? new Set();
      waiters.set(chainId, others.add(waiter));
      return {
        async next(ms) {
          if (!waiter.isWoken && !hasEnded) await sleepUntilWoken(waiter, ms);
          waiter.isWoken = false;
        },
        hasEnded: () => hasEnded,
        done() {
          others.delete(waiter);
          if (others.size === 0) waiters.delete(chainId);
        },
      };
    },
    wake(chainIds) {
      const named = chainIds.length > 0 ? chainIds : [...waiters.keys()];
      for (const chainId of named) for (const waiter of waiters.get(chainId) ?? []) wakeUp(waiter);
    },
    end() {
      hasEnded = true;
      for (const chain of waiters.values()) for (const waiter of chain) wakeUp(waiter);
    },
  };
}

function wakeUp(waiter: Waiter): void {
  waiter.isWoken = true;
  waiter.wake();
}

function sleepUntilWoken(waiter: Waiter, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, ms));
    waiter.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
