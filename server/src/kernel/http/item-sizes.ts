/**
 * Remembers how large the items are that a list has returned to each chain. Reading a page of a few large items takes as
 * long as one of many small ones, but the size of a page is only known when it has been read.
 */
export type ItemSizes = {
  /** Whether this many items are probably so large that reading them takes long. */
  isLarge(owner: string, items: number): boolean;
  /** `bytes` were read for up to this many items. */
  note(owner: string, items: number, bytes: number): void;
};

/** Reading this much takes about 30 ms. */
const largePageBytes = 256 * 1024;
/** Most responses are smaller, and are not remembered. */
const minNotedBytes = 32 * 1024;
/** The largest items count for this long after the last large page, because other pages of the list can have small ones. */
const keptMs = 600_000;
/** Bounds the memory. */
const maxOwners = 10_000;

export function createItemSizes(largeBytes = largePageBytes, now = () => performance.now()): ItemSizes {
  const sizes = new Map<string, { itemBytes: number; endsAt: number }>();
  const itemBytesOf = (owner: string): number => {
    const known = sizes.get(owner);
    return known && known.endsAt > now() ? known.itemBytes : 0;
  };
  return {
    isLarge: (owner, items) => itemBytesOf(owner) * items > largeBytes,
    note(owner, items, bytes) {
      const itemBytes = Math.max(bytes / items, itemBytesOf(owner));
      const isLarger = bytes >= minNotedBytes && bytes / items === itemBytes;
      if (!isLarger && bytes <= largeBytes) return;
      if (sizes.size >= maxOwners && !sizes.has(owner)) sizes.clear();
      sizes.set(owner, { itemBytes, endsAt: now() + keptMs });
    },
  };
}
