/**
 * Remembers which events were handled. `webhook-id` and `event_id` are the same, so one store can serve webhooks and
 * the feed. With several processes, or to survive a restart, implement it with your database.
 */
export type SeenIds = {
  has(id: string): boolean | Promise<boolean>;
  add(id: string): void | Promise<void>;
};

/** Keeps the last ids in memory. */
export function createSeenIds(max = 10_000): SeenIds {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > max && oldest !== undefined) ids.delete(oldest);
    },
  };
}
