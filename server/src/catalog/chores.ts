import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldChanges } from './change-queries.ts';
import { recountOffers } from './count-queries.ts';
import { deleteOldHistory } from './history-queries.ts';

export const catalogChores: Chore[] = [
  {
    name: 'delete old offer changes',
    everySeconds: 600,
    run: async (tx) => `${await deleteOldChanges(tx, keptDays)} changes`,
  },
  {
    name: 'count the offers of stores',
    everySeconds: 300,
    run: async (tx) => `${await recountOffers(tx, maxRecounted)} stores`,
  },
  {
    name: 'delete old price and stock history',
    everySeconds: 3600,
    run: async (tx) => `${await deleteOldHistory(tx, historyDays)} changes`,
  },
];

/** A walk with an older cursor starts over; see the description of `listChainProducts` in the contract. */
const keptDays = 7;
/** How long a job can be reverted, and how far back a product's history goes. */
const historyDays = 30;
/** Products cannot be created in these stores until all of them are counted. */
const maxRecounted = 20;
