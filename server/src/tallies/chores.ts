import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldTallies, foldTallies } from './queries.ts';

const maxChanges = 50_000;
/** More than a year and a month, so that a month can be compared with the same month in the previous year. */
const retentionDays = 400;

export const tallyChores: Chore[] = [
  {
    name: 'fold tallies',
    everySeconds: 30,
    isByChain: true,
    run: async (tx, scope) => `${await foldTallies(tx, scope, maxChanges)} changes`,
  },
  {
    name: 'delete old tallies',
    everySeconds: 6 * 3600,
    run: async (tx) => `${await deleteOldTallies(tx, retentionDays)} quarters`,
  },
];
