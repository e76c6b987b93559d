import type { Config } from '../config.ts';
import { lockPublishing } from '../events/index.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldDeliveries, exhaustOldDeliveries } from './delivery-queries.ts';
import { deleteEmptyLanes } from './lane-queries.ts';

export function webhookChores({ limits }: Config): Chore[] {
  return [
    {
      name: 'end and delete old deliveries',
      everySeconds: 600,
      async run(tx) {
        const ended = await exhaustOldDeliveries(tx, limits.eventDays);
        const deleted = await deleteOldDeliveries(tx, limits.attemptDays);
        // Whoever adds to a lane holds this lock as well, so that none is taken away just when it is needed.
        await lockPublishing(tx);
        await deleteEmptyLanes(tx);
        return `${ended} ended, ${deleted} deleted`;
      },
    },
  ];
}
