/**
 * All advisory locks. PostgreSQL identifies them by number, so all numbers are listed here. Different versions run side
 * by side during an upgrade, so a number must never be changed or reused.
 */
export const locks = {
  migration: 4_711_001,
  demo: 4_711_002,
  publishing: 4_711_004,
  publisher: 4_711_005,
} as const;

/** Hash seeds for named advisory locks. Each kind has its own seed, so that two kinds can use the same name. */
export const lockSeeds = {
  lane: 3,
  categories: 5,
  idempotencyKey: 7,
  positions: 11,
  fileName: 13,
  externalId: 17,
  chain: 19,
  endpoint: 23,
  publisher: 31,
  publishing: 37,
} as const;

/**
 * The numbers of the locks of publishers: the first one plus a position in the feed (see `events/watermark-queries.ts`). They
 * are shared locks. The numbers of named locks are hashes, so one can be among them by chance, but those are exclusive.
 */
export const positionClaims = { first: '6000000000000000000', last: '6000999999999999999' } as const;

/** A SQL expression that computes the advisory lock key for a name (`$1` by default). */
export function namedLock(kind: keyof typeof lockSeeds, name = '$1'): string {
  return `hashtextextended(${name}, ${lockSeeds[kind]})`;
}
