import type { Chore } from '../kernel/background/schedule.ts';
import { deleteEndedOffers } from './queries.ts';

/** Deleting this many rows takes a second or two. */
const maxRows = 200_000;

export function promotionChores(): Chore[] {
  return [
    {
      name: 'delete the offers of promotions that have ended',
      everySeconds: 600,
      run: async (tx) => `${await deleteEndedOffers(tx, maxRows)} offers`,
    },
  ];
}
