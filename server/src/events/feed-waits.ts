/**
 * Feed requests that are waiting for new events, by chain. One database notification wakes them all, so a waiting
 * request needs no database connection, and no timer except its deadline.
 */
export type FeedWaits = {
  /** Registers a reader. It is woken for every event published from now on. */
  begin(chainId: string): Wait;
  /** Call this when events for these chains have been published. An empty list means any chain. */
  wake(chainIds: string[]): void;
  /** Ends all current waits. Later waits end immediately. */
  end(): void;
};

export type Wait = {
  /** Resolves when an event is published or after the timeout. */
  next(ms: number): Promise<void>;
  /** Whether the server is stopping. */
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
      const targets = chainIds.length > 0 ? chainIds : [...waiters.keys()];
      for (const chainId of targets) for (const waiter of waiters.get(chainId) ?? []) wakeUp(waiter);
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
