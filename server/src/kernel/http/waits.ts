/**
 * Requests that are waiting for a change (long polling), by what they wait for. One database notification wakes them
 * all, so a waiting request needs no database connection, and no timer except its deadline.
 */
export type Waits = {
  /** Registers a reader. It is woken for every change of the subject from now on. */
  begin(subject: string): Wait;
  /** Call this when these subjects have changed. An empty list means any subject. */
  wake(subjects: string[]): void;
  /** Ends all current waits. Later waits end immediately. */
  end(): void;
};

export type Wait = {
  /** Resolves when the subject has changed or after the timeout. */
  next(ms: number): Promise<void>;
  /** Whether the server is stopping. */
  hasEnded(): boolean;
  done(): void;
};

type Waiter = { isWoken: boolean; wake(): void };

export function createWaits(): Waits {
  const waiters = new Map<string, Set<Waiter>>();
  let hasEnded = false;
  return {
    begin(subject) {
      const waiter: Waiter = { isWoken: false, wake: () => {} };
      const others = waiters.get(subject) ?? new Set();
      waiters.set(subject, others.add(waiter));
      return {
        async next(ms) {
          if (!waiter.isWoken && !hasEnded) await sleepUntilWoken(waiter, ms);
          waiter.isWoken = false;
        },
        hasEnded: () => hasEnded,
        done() {
          others.delete(waiter);
          if (others.size === 0) waiters.delete(subject);
        },
      };
    },
    wake(subjects) {
      const targets = subjects.length > 0 ? subjects : [...waiters.keys()];
      for (const subject of targets) for (const waiter of waiters.get(subject) ?? []) wakeUp(waiter);
    },
    end() {
      hasEnded = true;
      for (const group of waiters.values()) for (const waiter of group) wakeUp(waiter);
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
