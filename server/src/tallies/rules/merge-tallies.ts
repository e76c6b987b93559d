import type { Tally, TallyEntry } from '../queries.ts';

const quarterMs = 15 * 60 * 1000;

/** Adds up the entries that belong to the same sums, so that a batch of delivery attempts needs few rows. */
export function mergeTallies(entries: readonly TallyEntry[]): TallyEntry[] {
  const merged = new Map<string, TallyEntry>();
  for (const entry of entries) {
    const { chainId, vendorId, at, tookMs } = entry;
    const key = `${chainId} ${vendorId ?? ''} ${Math.floor(at.getTime() / quarterMs)} ${tookMs ?? ''}`;
    const known = merged.get(key);
    merged.set(key, known ? { ...known, change: added(known.change, entry.change) } : entry);
  }
  return [...merged.values()];
}

function added(one: Tally, other: Tally): Tally {
  const names = Object.keys({ ...one, ...other }) as (keyof Tally)[];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}
