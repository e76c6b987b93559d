import type { Chore } from '../kernel/schedule.ts';
import { deleteOldDeliveries } from './delivery-queries.ts';
import { deleteEmptyLanes } from './lane-queries.ts';

const deliveryDays = 30;

export const webhookChores: Chore[] = [
  {
    name: 'delete old deliveries and their attempts',
    everySeconds: 600,
    async run(tx) {
      const deliveries = await deleteOldDeliveries(tx, deliveryDays);
      if (deliveries > 0) await deleteEmptyLanes(tx);
      return `${deliveries} deliveries`;
    },
  },
];
