import Type from 'typebox';
import { handleTask, type TaskHandlers, type TaskResult } from '../kernel/background/worker.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import { storedJson } from '../kernel/values/stored-json.ts';
import { deleteChunks } from './chunk-queries.ts';
import { type Job, type JobKind, jobPayload, readJob } from './define-job.ts';
import { closeTask, endJob, getJob, type JobError, type JobType, markStarted, setError } from './queries.ts';

/** What is particular about the jobs of one type. */
export type JobWork<Name extends JobType, Payload, Details> = {
  /** One slice of a task in one transaction: `again` with the payload of the next one, or done. */
  slice(tx: Tx, chainId: string, job: Job<Name, Details>, payload: Payload): Promise<TaskResult<Payload>>;
  /** Called when all tasks are done and none gave up: why the job has failed nevertheless. Pure. */
  decideFailure(job: Job<Name, Details>): JobError | undefined;
  /** Called by the transaction that ends the job, with the job as it will be read from now on. */
  ended(tx: Tx, chainId: string, job: Job<Name, Details>): Promise<void>;
};

/**
 * Runs the tasks of a type of job. The life of every job is the same: accepted (accept-job.ts), started with its first
 * slice, and ended by the last of its tasks. A task that gives up fails the job, but the other tasks still run. A slice,
 * what it records and the end of the job commit together with the state of the task in the queue.
 */
export function runJob<Name extends JobType, Payload extends { job_id: string }, Details>(
  kind: JobKind<Name, Payload, Details>,
  work: JobWork<Name, NoInfer<Payload>, NoInfer<Details>>,
  { db, fileDays }: { db: Database; fileDays: number },
): TaskHandlers {
  const finish = async (tx: Tx, chainId: string, jobId: string): Promise<'done'> => {
    const row = await closeTask(tx, chainId, jobId);
    if (row.open_tasks > 0) return 'done';
    const failure = row.error === null ? work.decideFailure(readJob(kind, row)) : undefined;
    if (failure) await setError(tx, chainId, jobId, failure);
    await deleteChunks(tx, chainId, jobId);
    await work.ended(tx, chainId, readJob(kind, await endJob(tx, chainId, jobId, fileDays)));
    return 'done';
  };
  return handleTask(
    kind.task,
    async (tx, chainId, payload) => {
      const row = await getJob(tx, chainId, payload.job_id);
      // Outside the transaction of the slice, so that it shows at once.
      if (row.status === 'QUEUED') await markStarted(db, chainId, row.job_id);
      const result = await work.slice(tx, chainId, readJob(kind, row), payload);
      return result === 'done' ? finish(tx, chainId, row.job_id) : result;
    },
    async (tx, { chain_id: chainId, payload, attempts }) => {
      const { job_id: jobId } = readJobId(payload);
      await setError(tx, chainId, jobId, gaveUp(attempts));
      await finish(tx, chainId, jobId);
    },
  );
}

/** Even of a payload that does not match its kind: its job must end. */
const readJobId = storedJson('payload of a job', Type.Object(jobPayload));

/** The reason itself is for the operator: it is in the log and in queue_dead. */
function gaveUp(attempts: number): JobError {
  const message = `Processing gave up after ${attempts} attempts because of an internal error; contact the operator.`;
  return { code: 'internal_error', message };
}
