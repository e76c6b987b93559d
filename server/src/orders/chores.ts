import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldOrders } from './queries.ts';

/** Removes what is older than the retention setting says, a little at a time; without the setting all is kept. */
export function orderChores({ limits }: Config): Chore[] {
  const days = limits.orderDays;
  if (days === 0) return [];
  return [
    {
      name: 'delete old orders',
      everySeconds: 60,
      run: async (tx) => `${await deleteOldOrders(tx, days, 5000)} orders`,
    },
  ];
}
