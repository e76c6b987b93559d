import { handleTask, type TaskHandlers } from '../kernel/background/worker.ts';
import { endDeliveries, endTask, moveDeliveries, moveTask } from './pending-deliveries.ts';
import { resendFailedToPlatform, resendToPlatformTask } from './resend-platform-failed.ts';
import { resendFailed } from './resend-deliveries.ts';
import { resendTask } from './resend-task.ts';

export const deliveryTasks: TaskHandlers = {
  // Deliveries that could not be resent stay failed, which the partner sees.
  ...handleTask(resendTask, resendFailed),
  ...handleTask(resendToPlatformTask, resendFailedToPlatform),
  ...handleTask(endTask, endDeliveries),
  ...handleTask(moveTask, moveDeliveries),
};
