import type { Chore } from './schedule.ts';
import type { TaskKind } from './worker.ts';

/** What a feature brings: handlers for its routes, tasks for the worker, chores for the clock. */
export type Feature<H> = {
  handlers: H;
  tasks: Record<string, TaskKind>;
  chores: Chore[];
  close(): Promise<void>;
};
