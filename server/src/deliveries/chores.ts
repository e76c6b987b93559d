import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldDeliveries, markOldDeliveriesExhausted } from './queries.ts';
import { deleteEmptyLanes, lockEmptyLanes } from './lane-queries.ts';

export function deliveryChores({ limits }: Config): Chore[] {
  return [
    {
      name: 'end and delete old deliveries',
      everySeconds: 600,
      async run(tx) {
        const ended = await markOldDeliveriesExhausted(tx, limits.eventDays);
        const deleted = await deleteOldDeliveries(tx, limits.attemptDays);
        await deleteEmptyLanes(tx, await lockEmptyLanes(tx));
        return `${ended} ended, ${deleted} deleted`;
      },
    },
  ];
}
