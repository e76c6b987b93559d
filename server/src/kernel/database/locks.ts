/**
 * All advisory locks. They share one number space in PostgreSQL, so they are listed in one place. Different versions
 * run side by side during an upgrade, so a number must never be changed or reused.
 */
export const locks = {
  migration: 4_711_001,
  demo: 4_711_002,
  publishing: 4_711_004,
} as const;

/** Hash seeds for named advisory locks. Each kind has its own, so that the same name in two kinds does not collide. */
export const lockSeeds = { lane: 3, categories: 5, idempotencyKey: 7, positions: 11 } as const;

/** The SQL expression for the advisory lock key of a name (`$1` by default). */
export function namedLock(kind: keyof typeof lockSeeds, name = '$1'): string {
  return `hashtextextended(${name}, ${lockSeeds[kind]})`;
}
