import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldOrders } from './queries.ts';

/** Deletes orders older than the retention setting in small batches; without the setting all are kept. */
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
