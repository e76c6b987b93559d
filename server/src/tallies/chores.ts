import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldTallies, foldTallies } from './queries.ts';

const maxConcurrent = 50_000;
/** A year, and a month to look back on it. */
const keptDays = 400;

export const tallyChores: Chore[] = [
  { name: 'fold tallies', everySeconds: 30, run: async (tx) => `${await foldTallies(tx, maxConcurrent)} changes` },
  {
    name: 'delete old tallies',
    everySeconds: 6 * 3600,
    run: async (tx) => `${await deleteOldTallies(tx, keptDays)} quarters`,
  },
];
