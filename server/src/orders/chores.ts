import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import type { Tx } from '../kernel/database/db.ts';
import { completeOrders } from './complete-orders.ts';
import { countDays, deleteOldDays, listUncountedChains } from './count-queries.ts';
import { deleteOldOrders } from './queries.ts';

/** Orders older than `orderDays` are deleted in small batches; if `orderDays` is 0, all orders are kept. */
export function orderChores({ limits }: Config): Chore[] {
  const complete: Chore = {
    name: 'complete orders of an earlier version',
    everySeconds: 600,
    run: async (tx) => `${await completeOrders(tx, 3, 1000)} entries`,
  };
  const count: Chore = {
    name: 'count the orders of past days',
    everySeconds: 600,
    run: (tx) => countPastDays(tx, limits.readableDays),
  };
  const days = limits.orderDays;
  if (days === 0) return [complete, count];
  return [
    complete,
    count,
    {
      name: 'delete old orders',
      everySeconds: 60,
      run: async (tx) => `${await deleteOldOrders(tx, days, 5000)} orders`,
    },
  ];
}

const maxCountedChains = 100;
const maxCountedDays = 100;

async function countPastDays(tx: Tx, readableDays: number): Promise<string> {
  const chains = await listUncountedChains(tx, maxCountedChains);
  for (const { chain_id } of chains) await countDays(tx, chain_id, readableDays, maxCountedDays);
  await deleteOldDays(tx, readableDays);
  return `${chains.length} chains`;
}
