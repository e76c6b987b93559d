import type { Config } from '../config.ts';
import { lockPublishing } from '../events/index.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldDeliveries, markOldDeliveriesExhausted } from './queries.ts';
import { deleteEmptyLanes } from './lane-queries.ts';

export function deliveryChores({ limits }: Config): Chore[] {
  return [
    {
      name: 'end and delete old deliveries',
      everySeconds: 600,
      async run(tx) {
        const ended = await markOldDeliveriesExhausted(tx, limits.eventDays);
        const deleted = await deleteOldDeliveries(tx, limits.attemptDays);
        // Publishing adds to lanes under this lock, so a lane cannot be deleted while it is being used.
        await lockPublishing(tx);
        await deleteEmptyLanes(tx);
        return `${ended} ended, ${deleted} deleted`;
      },
    },
  ];
}
