import type { Chore } from './kernel/background/schedule.ts';
import type { TaskHandlers } from './kernel/background/worker.ts';

/** What a feature brings: handlers for its routes, tasks for the worker, chores for the clock. */
export type Feature<H> = {
  handlers: H;
  tasks: TaskHandlers;
  chores: Chore[];
  close(): Promise<void>;
};
