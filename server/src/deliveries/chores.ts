import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldDeliveries, markOldDeliveriesExhausted } from './queries.ts';
import { deleteEmptyLanes, lockEmptyLanes } from './backlog-queries.ts';

export function deliveryChores({ limits }: Config): Chore[] {
  return [
    {
      name: 'end and delete old deliveries',
      everySeconds: 600,
      async run(tx) {
        const ended = await markOldDeliveriesExhausted(tx, limits.eventDays);
        const deleted = await deleteOldDeliveries(tx, limits.attemptDays);
        return `${ended} ended, ${deleted} deleted`;
      },
    },
    {
      name: 'delete empty lanes',
      everySeconds: 600,
      isByChain: true,
      async run(tx, scope) {
        const empty = await lockEmptyLanes(tx, scope);
        if (empty.length > 0) await deleteEmptyLanes(tx, scope, empty);
        return `${empty.length} lanes`;
      },
    },
  ];
}
