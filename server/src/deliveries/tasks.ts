import { handleTask, type TaskHandlers } from '../kernel/background/worker.ts';
import { resendFailed } from './resend-deliveries.ts';
import { resendTask } from './resend-task.ts';

/** Deliveries that could not be resent stay failed, which the partner sees. */
export const deliveryTasks: TaskHandlers = handleTask(resendTask, resendFailed, async () => {});
