import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { handleTask, type TaskHandlers, type TaskResult } from '../kernel/background/worker.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import { storedJson } from '../kernel/values/stored-json.ts';
import { deleteChunks } from './chunk-queries.ts';
import { type Job, type JobKind, jobPayload, readJob } from './define-job.ts';
import { deleteFailures } from './failure-queries.ts';
import { isOverfull, stoppedError } from './limit-storage.ts';
import {
  addDetails,
  closeTask,
  endJob,
  getJob,
  type JobError,
  type JobType,
  markStarted,
  setError,
} from './queries.ts';
import { findJobBytes } from './storage-queries.ts';

/** The work that is specific to a job type. */
export type JobWork<Name extends JobType, Payload, Details> = {
  /** Runs one slice of a task in one transaction. Returns 'done', or the payload for the next slice as `again`. */
  slice(tx: Tx, chainId: string, job: Job<Name, Details>, payload: Payload): Promise<TaskResult<Payload>>;
  /** Called when all tasks have succeeded. Returns an error if the job must end as FAILED anyway. Must be pure. */
  findError(job: Job<Name, Details>): JobError | undefined;
  /** Called in the transaction that ends the job, with the job in its final state. */
  ended(tx: Tx, chainId: string, job: Job<Name, Details>): Promise<void>;
};

/**
 * Runs the tasks for a job type. All jobs have the same life cycle: a job is accepted (accept-job.ts), starts with its
 * first slice, and ends with its last task. If a task runs out of retries, the job fails, but its other tasks still
 * run. The effects of a slice, and of ending the job, commit together with the state of the task in the queue.
 */
export function runJob<Name extends JobType, Payload extends { job_id: string }, Details>(
  kind: JobKind<Name, Payload, Details>,
  work: JobWork<Name, NoInfer<Payload>, NoInfer<Details>>,
  { db, fileDays }: { db: Database; fileDays: number },
): TaskHandlers {
  const finish = async (tx: Tx, chainId: string, jobId: string): Promise<'done'> => {
    const row = await closeTask(tx, chainId, jobId);
    if (row.open_tasks > 0) return 'done';
    const failure = row.error === null ? work.findError(readJob(kind, row)) : undefined;
    if (failure) await setError(tx, chainId, jobId, failure);
    if (row.failed === 0 && row.file_name !== null) await deleteFailures(tx, chainId, jobId);
    // A preview keeps its chunks, so that it can be applied.
    if (!row.is_dry_run) await deleteChunks(tx, chainId, jobId);
    const keptDays = row.is_dry_run ? previewDays : fileDays;
    await work.ended(tx, chainId, readJob(kind, await endJob(tx, chainId, jobId, keptDays)));
    return 'done';
  };
  return handleTask(
    kind.task,
    async (tx, chainId, payload) => {
      const [row, stored] = await Promise.all([getJob(tx, chainId, payload.job_id), findJobBytes(tx, chainId)]);
      if (isOverfull(stored)) {
        await setError(tx, chainId, row.job_id, stoppedError);
        // A file that is still being read is not read to its end.
        await addDetails(tx, chainId, row.job_id, { is_open: false });
        return finish(tx, chainId, row.job_id);
      }
      // Runs outside the slice's transaction, so that the new status is visible immediately.
      if (row.status === 'QUEUED') await inTime(markStarted(db, chainId, row.job_id));
      const result = await work.slice(tx, chainId, readJob(kind, row), payload);
      return result === 'done' ? finish(tx, chainId, row.job_id) : result;
    },
    async (tx, { chain_id: chainId, payload, attempts }) => {
      const { job_id: jobId } = readJobId(payload);
      await setError(tx, chainId, jobId, retriesExhausted(attempts));
      await finish(tx, chainId, jobId);
    },
  );
}

/**
 * Waits for a statement on a second connection, but not for long: if tasks had all connections of a pooler, each would
 * wait for the others. If the statement comes too late, or fails, the slice sets the status.
 */
function inTime(statement: Promise<void>): Promise<void> {
  return Promise.race([statement.catch(() => {}), sleep(maxWaitMs, undefined, { ref: false })]);
}

const maxWaitMs = 250;

/** How long a preview can be read and applied. */
const previewDays = 1;

/** Accepts payloads that do not match the schema for their kind, because a job with such a payload must end too. */
const readJobId = storedJson('payload of a job', Type.Object(jobPayload));

/** The message omits the cause, which the operator can find in the log and in queue_dead. */
export function retriesExhausted(attempts: number): JobError {
  const message = `Processing failed after ${attempts} attempts because of an internal error; contact the operator.`;
  return { code: 'internal_error', message };
}
