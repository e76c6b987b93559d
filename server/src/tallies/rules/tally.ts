import type { Tally } from '../queries.ts';

export function tallyChange(before: Tally, after: Tally): Tally {
  const names = Object.keys({ ...before, ...after }) as (keyof Tally)[];
  const changes = names.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}
