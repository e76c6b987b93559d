import type { Chore } from '../kernel/background/schedule.ts';
import { deleteEndedOffers } from './queries.ts';

/** How many rows at a time: a second or two of work. */
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
