import type { Links } from '../config.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { savepoint } from '../kernel/database/db.ts';
import type { TaskKind } from '../kernel/background/worker.ts';
import { type Move, moveOrder } from '../orders/index.ts';
import { lookTask, planWaiting, rideOrder, rideTask } from './ride-order.ts';
import type { PlannedRide } from './rules/ride.ts';
import { cancelTask } from './send-test-order.ts';

export function sandboxTasks(links: Links): Record<string, TaskKind> {
  return {
    [rideTask]: {
      attempts: 5,
      giveUp: async () => {},
      async run(tx, { chain_id, payload }) {
        await rideOrder(tx, chain_id, payload as PlannedRide, links);
        return 'done';
      },
    },

    [lookTask]: {
      attempts: 5,
      giveUp: async () => {},
      async run(tx, { chain_id, payload }) {
        await planWaiting(tx, chain_id, (payload as { vendor_id: string }).vendor_id);
        return 'done';
      },
    },

    [cancelTask]: {
      attempts: 5,
      giveUp: async () => {},
      async run(tx, { chain_id, payload }) {
        const { order_id, ...rest } = payload as { order_id: string } & Omit<
          Extract<Move, { action: 'cancel' }>,
          'action'
        >;
        const cancel = () => moveOrder(tx, chain_id, order_id, { action: 'cancel', ...rest }, new Date(), links);
        await savepoint(tx, cancel).catch((error: unknown) => {
          // Whoever was quicker has ended the order otherwise; that is his answer to the test.
          if (!(error instanceof Failure)) throw error;
        });
        return 'done';
      },
    },
  };
}
