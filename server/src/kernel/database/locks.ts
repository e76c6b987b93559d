/**
 * Every advisory lock in use. PostgreSQL has one space of numbers for all of them, so they are listed in one place.
 * Processes of different versions run side by side during an upgrade: a number is never changed or reused.
 */
export const locks = {
  migration: 4_711_001,
  demo: 4_711_002,
  publishing: 4_711_004,
} as const;

/** Locks on a name: the seed of its hash keeps equal names of different kinds apart. */
export const lockSeeds = { lane: 3, categories: 5, idempotencyKey: 7 } as const;

/** SQL for the number of a lock on a name, which is parameter `$1` unless another expression is given. */
export function namedLock(kind: keyof typeof lockSeeds, name = '$1'): string {
  return `hashtextextended(${name}, ${lockSeeds[kind]})`;
}
