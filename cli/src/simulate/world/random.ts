import { createHash } from 'node:crypto';

/** Random numbers from a seed. The same seed gives the same numbers on every machine. */
export type Random = {
  /** From 0, inclusive, to 1, exclusive. */
  next(): number;
  /** Both bounds are inclusive. */
  integer(min: number, max: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** `count` different items, in random order. */
  sample<Item>(items: readonly Item[], count: number): Item[];
  /** An independent sequence, which does not depend on how many numbers this one has returned. */
  fork(name: string): Random;
};

export function seeded(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  /** Mulberry32. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const sample = <Item>(items: readonly Item[], count: number): Item[] => {
    const left = [...items];
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(integer(0, left.length - 1), 1),
    ).flat();
  };
  return {
    next,
    integer,
    chance: (share) => next() < share,
    pick: (items) => items[integer(0, items.length - 1)] as never,
    sample,
    fork: (name) => seeded(`${seed}/${name}`),
  };
}
