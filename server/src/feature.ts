import type { Chore } from './kernel/background/schedule.ts';
import type { TaskHandlers } from './kernel/background/worker.ts';

/** A feature provides handlers for its routes, tasks for the worker and chores for the scheduler. */
export type Feature<H> = {
  handlers: H;
  tasks: TaskHandlers;
  chores: Chore[];
  close(): Promise<void>;
};
