import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { jobChores } from './chores.ts';
import type { LinkSigner } from '../kernel/secrets/sign-links.ts';
import { type GetVendor, jobHandlers } from './handlers.ts';

export { type JobResponse, jobResponse } from './response.ts';
export { fileResponse, rowReader, wholeRows } from './download.ts';
export { countPartRows, listParts, readPart, readPieces, writePart } from './files.ts';
export {
  type FailedRow,
  insertFailures,
  listFailedChunks,
  listFirstFailures,
  readFailures,
  recordFailures,
  type StoredFailure,
} from './failure-queries.ts';
export { startTasks } from './start-job.ts';
export { resultRow } from './result-row.ts';
export { acceptJob, shareChunks } from './accept-job.ts';
export {
  claimChunk,
  deleteChunks,
  emptyChunk,
  fileRowsKind,
  getChunk,
  insertChunk,
  isChunkEmpty,
} from './chunk-queries.ts';
export { defineJob, type JobOf, jobPayload, type PayloadOf, readJob, renameTask } from './define-job.ts';
export { addFeedback, type Feedback, listFeedback } from './feedback-queries.ts';
export {
  addDetails,
  addProgress,
  endJob,
  extendJob,
  type CatalogJobType,
  type Counts,
  findJob,
  getJob,
  type JobError,
  type JobRow,
  type JobStatus,
  type JobType,
  lockJob,
  setError,
  setTotal,
  type VisibleVendors,
} from './queries.ts';
export { checkStored, countStored } from './limit-storage.ts';
export { registerStorageMetrics } from './metrics.ts';
export { listJobOrigins } from './origin-queries.ts';
export { isReverted, type JobState, listJobStates } from './state-queries.ts';
export { retriesExhausted, runJob } from './run-job.ts';
export { markCancelled, moveChunks } from './schedule-queries.ts';
export { type Downloads, signedUrl } from './signed-url.ts';

/** Reads jobs and their files, and deletes old jobs. Each feature defines and runs its own jobs. */
export function jobsFeature(
  config: Config,
  signer: LinkSigner | undefined,
  getVendor: GetVendor,
): Feature<ReturnType<typeof jobHandlers>> {
  const handlers = jobHandlers({ links: config.links, signer }, getVendor);
  return { handlers, tasks: {}, chores: jobChores(config), close: async () => {} };
}
