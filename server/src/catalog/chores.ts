import type { Chore } from '../kernel/background/schedule.ts';
import type { Tx } from '../kernel/database/db.ts';
import { positionAt } from '../kernel/database/positions.ts';
import { deleteOldChanges, listChainsWithUnplacedChanges, placeChanges } from './change-queries.ts';

export const catalogChores: Chore[] = [
  { name: 'place offer changes', everySeconds: 30, run: placeAll },
  {
    name: 'delete old offer changes',
    everySeconds: 600,
    run: async (tx) =>
      `${await deleteOldChanges(tx, positionAt(new Date(Date.now() - keptDays * 86_400_000)))} changes`,
  },
];

/** A cursor that is older starts over; see the description of `listChainProducts` in the contract. */
const keptDays = 7;
const maxChains = 1000;
const batchSize = 5000;
const maxChanges = 100_000;

/** For chains that are not being read, so that the first reader does not find a backlog. */
async function placeAll(tx: Tx): Promise<string> {
  let placed = 0;
  for (const { chain_id } of await listChainsWithUnplacedChanges(tx, maxChains)) {
    for (let count = batchSize; count === batchSize && placed < maxChanges; placed += count) {
      count = await placeChanges(tx, chain_id, positionAt(new Date()), batchSize);
    }
  }
  return `${placed} changes`;
}
