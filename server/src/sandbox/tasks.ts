import type { Links } from '../config.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { savepoint } from '../kernel/database/db.ts';
import { handleTask, type TaskHandlers } from '../kernel/background/worker.ts';
import { moveOrder } from '../orders/index.ts';
import { findWaitingTask, planWaiting, rideOrder, rideTask } from './ride-order.ts';
import { cancelTask } from './send-test-order.ts';

export function sandboxTasks(links: Links): TaskHandlers {
  return {
    ...handleTask(rideTask, async (tx, chainId, ride) => {
      await rideOrder(tx, chainId, ride, links);
      return 'done';
    }),

    ...handleTask(findWaitingTask, async (tx, chainId, { vendor_id }) => {
      await planWaiting(tx, chainId, vendor_id);
      return 'done';
    }),

    ...handleTask(cancelTask, async (tx, chainId, { order_id, ...by }) => {
      const cancel = () => moveOrder(tx, chainId, order_id, { action: 'cancel', ...by }, new Date(), links);
      await savepoint(tx, cancel).catch((error: unknown) => {
        // The partner finished the order first, so there is nothing left to cancel.
        if (!(error instanceof Failure)) throw error;
      });
      return 'done';
    }),
  };
}
