import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { jobChores } from './chores.ts';
import { jobHandlers } from './handlers.ts';

export { type Downloads, type JobResponse, jobResponse } from './response.ts';
export { fileResponse } from './download.ts';
export { writePart } from './files.ts';
export {
  addDetails,
  addFeedback,
  addProgress,
  type Counts,
  claimChunk,
  closeTask,
  deleteChunks,
  endJob,
  type Feedback,
  findChunk,
  findJob,
  getJob,
  insertChunk,
  insertJob,
  type JobRow,
  type JobStatus,
  listFeedback,
  lockJob,
  markStarted,
  setError,
  setTotal,
} from './queries.ts';

/** The jobs that partners see: reading them, their files, and deleting old ones. Each feature defines and runs its own. */
export function jobsFeature(config: Config): Feature<ReturnType<typeof jobHandlers>> {
  return { handlers: jobHandlers(config), tasks: {}, chores: jobChores(config), close: async () => {} };
}
