import { enqueue, lockLanes } from '../kernel/background/queue.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { Origin } from '../kernel/values/origin.ts';
import { insertChunk } from './chunk-queries.ts';
import type { JobKind } from './define-job.ts';
import { insertJob, type JobType } from './queries.ts';
import { countStored } from './limit-storage.ts';
import { scheduleStart } from './start-job.ts';
import { bytesOfJob } from './storage-queries.ts';

export type NewJob<Payload, Details> = {
  jobId: string;
  /** The vendor in the request path, if any. */
  vendorId: string | null;
  vendorIds: string[];
  total: number;
  /** The name of the file that the job was created from, if any. */
  fileName?: string | undefined;
  origin: Origin;
  /** Whether the job only checks its items. */
  isDryRun?: boolean | undefined;
  /** When the job takes its place in the lanes. By default, it does so now. */
  applyAt?: Date | undefined;
  /** The job whose changes this job reverts. */
  reverts?: string | undefined;
  details: Details;
  /** Whether the job only removes something. It is accepted even if the chain stores slightly too much. */
  isRemoval?: boolean;
  /** The input data for the tasks. A chunk is identified by its kind and number. */
  chunks: { kind: string; no: number; bytes: Uint8Array }[];
  tasks: { lane: string; payload: Payload }[];
};

/** Writes the job, its chunks and its tasks in the caller's transaction. */
export async function acceptJob<Name extends JobType, Payload, Details>(
  tx: Tx,
  chainId: string,
  kind: JobKind<Name, Payload, Details>,
  job: NewJob<NoInfer<Payload>, NoInfer<Details>>,
): Promise<string> {
  const { jobId, tasks, applyAt } = job;
  // Locked before the insert, so that jobs in a lane get their acceptance numbers in the order in which they run.
  const lanes = tasks.map((task) => task.lane);
  if (!applyAt) await lockLanes(tx, lanes);
  await insertJob(tx, chainId, {
    job_id: jobId,
    type: kind.type,
    vendor_id: job.vendorId,
    vendor_ids: job.vendorIds,
    open_tasks: tasks.length,
    total: job.total,
    file_name: job.fileName ?? null,
    details: job.details,
    origin: job.origin,
    is_dry_run: job.isDryRun ?? false,
    apply_at: applyAt ?? null,
    reverts: job.reverts ?? null,
  });
  for (const chunk of job.chunks) insertChunk(tx, chainId, jobId, chunk);
  await countStored(tx, chainId, bytesOfJob(job.total, job.chunks), job.isRemoval);
  const newTasks = tasks.map(({ lane, payload }) => ({ chainId, lane, batch: jobId, payload }));
  if (applyAt) await scheduleStart(tx, chainId, { jobId, kind: kind.task.name, tasks, applyAt });
  else await enqueue(tx, kind.task, newTasks);
  return jobId;
}

/** Two tasks share a job's chunks, so that the database stays busy while the next chunk is being prepared. */
const tasksPerJob = 2;

/** Divides the chunks among the tasks. A task starts with `chunk` and then processes every `step`-th one. */
export function shareChunks(chunks: number): { chunk: number; step: number }[] {
  const step = Math.max(1, Math.min(tasksPerJob, chunks));
  return Array.from({ length: step }, (_, chunk) => ({ chunk, step }));
}
