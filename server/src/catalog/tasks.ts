import { type Downloads, type JobRow, runJob, startTasks } from '../jobs/index.ts';
import type { TaskHandlers } from '../kernel/background/worker.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import { applyCreationSlice } from './apply-creation.ts';
import { applyUpdateSlice } from './apply-update.ts';
import { findError, recordJobEnd } from './end-job.ts';
import { creationFileJob, creationJob, exportJob, previewJob, revertJob, updateFileJob, updateJob } from './jobs.ts';
import type { CreationLimits } from './limit-creation.ts';
import { revertSlice } from './revert-update.ts';
import { runExport } from './run-export.ts';

export function catalogTasks(
  db: Database,
  downloads: Downloads,
  { downloadDays: fileDays, ...limits }: CreationLimits & { downloadDays: number },
  isSharded: boolean,
): TaskHandlers {
  const options = { db, fileDays };
  const end = {
    findError,
    ended: (tx: Tx, chainId: string, job: Parameters<typeof recordJobEnd>[2]) =>
      recordJobEnd(tx, chainId, job, downloads),
  };
  const update: Slice<typeof applyUpdateSlice> = (...given) => applyUpdateSlice(...given, isSharded);
  const create = (...given: Parameters<Slice<typeof applyCreationSlice>>) =>
    applyCreationSlice(...given, { isSharded, limits });
  const revert: Slice<typeof revertSlice> = (...given) => revertSlice(...given, isSharded);
  return {
    // Only the catalog has jobs that can be scheduled.
    ...startTasks((tx, chainId, job) => end.ended(tx, chainId, job as JobRow<'CATALOG_UPDATE'>)),
    ...runJob(updateJob, { slice: update, ...end }, options),
    ...runJob(previewJob, { slice: update, ...end }, options),
    ...runJob(updateFileJob, { slice: update, ...end }, options),
    ...runJob(revertJob, { slice: revert, ...end }, options),
    ...runJob(creationJob, { slice: create, ...end }, options),
    ...runJob(creationFileJob, { slice: create, ...end }, options),
    ...runJob(
      exportJob,
      { slice: (tx, chainId, _job, payload) => runExport(tx, db, chainId, payload), ...end },
      options,
    ),
  };
}

/** A slice without its last parameter, which says for example whether the database is distributed. */
type Slice<Work extends (...given: never) => unknown> =
  Parameters<Work> extends [...infer Given, unknown] ? (...given: Given) => ReturnType<Work> : never;
