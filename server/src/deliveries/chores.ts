import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { productEventDays } from '../events/index.ts';
import { deleteOldDeliveries, markOldDeliveriesExhausted } from './queries.ts';
import { deleteEmptyLanes, lockEmptyLanes } from './backlog-queries.ts';

export function deliveryChores({ limits }: Config): Chore[] {
  return [
    {
      name: 'end and delete old deliveries',
      everySeconds: 600,
      async run(tx) {
        // A delivery ends before its event is deleted. Otherwise, the newer ones of its lane would wait for it.
        const ended = await markOldDeliveriesExhausted(tx, limits.eventDays, null);
        const products = await markOldDeliveriesExhausted(tx, productEventDays, 'products.changed');
        const deleted = await deleteOldDeliveries(tx, limits.attemptDays);
        return `${ended + products} ended, ${deleted} deleted`;
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
