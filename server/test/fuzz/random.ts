import fc from 'fast-check';

/** A source of decisions. The same seed leads to the same decisions. */
export type Random = {
  draw<Value>(values: fc.Arbitrary<Value>): Value;
  pick<Value>(values: readonly Value[]): Value;
  isLikely(probability: number): boolean;
};

export function createRandom(seed: number): Random {
  // Mulberry32: fast, and good enough to choose between requests.
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    draw: (values) => fc.sample(values, { seed: next() | 0, numRuns: 1 })[0] as never,
    pick: (values) => values[next() % values.length] as never,
    isLikely: (probability) => next() / 2 ** 32 < probability,
  };
}
