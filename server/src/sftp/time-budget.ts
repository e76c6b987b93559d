/**
 * The time that the process spends on parsing what clients send. Each chain, and each network of clients that have not
 * logged in, can use a fifth of it. What is not used is saved up, so a login does not have to wait.
 */
export type TimeBudget = {
  /** Counts the time, and returns how many milliseconds have to pass until the next use. */
  spend(who: string, ms: number): number;
};

const share = 0.2;
const savedMs = 200;
/** Beyond this number, entries that no longer matter are removed. */
const maxEntries = 1000;

export function createTimeBudget(now = () => performance.now()): TimeBudget {
  const used = new Map<string, { ms: number; at: number }>();
  const usedBy = (who: string) => {
    const entry = used.get(who);
    return entry ? Math.max(0, entry.ms - (now() - entry.at) * share) : 0;
  };
  return {
    spend(who, ms) {
      const total = usedBy(who) + ms;
      used.set(who, { ms: total, at: now() });
      if (used.size > maxEntries) for (const key of used.keys()) if (usedBy(key) === 0) used.delete(key);
      return Math.max(0, (total - savedMs) / share);
    },
  };
}
