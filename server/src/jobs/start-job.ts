import Type from 'typebox';
import { defineTask, enqueue, lockLanes } from '../kernel/background/queue.ts';
import { handleTask, type TaskHandlers } from '../kernel/background/worker.ts';
import type { Tx } from '../kernel/database/db.ts';
import { jobPayload } from './define-job.ts';
import { endJob, lockJob, setError } from './queries.ts';
import { retriesExhausted } from './run-job.ts';
import { markPlaced, secondsUntil } from './schedule-queries.ts';

/** Puts the tasks of a scheduled job into their lanes when the job is due. */
const startTask = defineTask('jobs.start', {
  ...jobPayload,
  /** The kind of the tasks. */
  kind: Type.String(),
  tasks: Type.Array(Type.Object({ lane: Type.String(), payload: Type.Record(Type.String(), Type.Unknown()) })),
});

/**
 * A scheduled job is not in the lanes of its stores while it waits, so it does not delay other jobs. When it is due, it
 * takes its place after all jobs that have been accepted until then.
 */
export async function scheduleStart(
  tx: Tx,
  chainId: string,
  start: { jobId: string; kind: string; tasks: { lane: string; payload: unknown }[]; applyAt: Date },
): Promise<void> {
  const { jobId, kind, applyAt } = start;
  const tasks = start.tasks.map(({ lane, payload }) => ({ lane, payload: payload as Record<string, unknown> }));
  const afterSeconds = await secondsUntil(tx, applyAt);
  const payload = { job_id: jobId, kind, tasks };
  // Not in the job's batch, which is woken as soon as the job's file has been read.
  const place = { lane: `start ${jobId}`, batch: `start ${jobId}` };
  await enqueue(tx, startTask, [{ chainId, ...place, payload, afterSeconds }]);
}

export function startTasks(): TaskHandlers {
  return handleTask(
    startTask,
    async (tx, chainId, { job_id: jobId, kind, tasks }) => {
      const job = await lockJob(tx, chainId, jobId);
      // The job may have been cancelled.
      if (!job.is_scheduled) return 'done';
      await lockLanes(
        tx,
        tasks.map((task) => task.lane),
      );
      await markPlaced(tx, chainId, jobId);
      const newTasks = tasks.map(({ lane, payload }) => ({ chainId, lane, batch: jobId, payload }));
      await enqueue(tx, defineTask(kind, {}), newTasks);
      return 'done';
    },
    async (tx, { chain_id: chainId, payload, attempts }) => {
      const { job_id: jobId } = startTask.readPayload(payload);
      await setError(tx, chainId, jobId, retriesExhausted(attempts));
      await endJob(tx, chainId, jobId, 0);
    },
  );
}
