import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldChanges } from './change-queries.ts';
import { deleteEndedOffers } from './queries.ts';

/** Deleting this many rows takes a second or two. */
const maxRows = 200_000;

/** A storefront with an older cursor reads the whole catalog again. */
const keptDays = 7;

export function promotionChores(): Chore[] {
  return [
    {
      name: 'delete the offers of promotions that have ended',
      everySeconds: 600,
      run: async (tx) => `${await deleteEndedOffers(tx, maxRows)} offers`,
    },
    {
      name: 'delete old promotion changes',
      everySeconds: 3600,
      run: async (tx) => `${await deleteOldChanges(tx, keptDays)} changes`,
    },
  ];
}
