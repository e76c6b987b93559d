export { type Downloads, type JobResponse, jobResponse } from './response.ts';
export { jobChores } from './chores.ts';
export { fileResponse } from './download.ts';
export { writePart } from './files.ts';
export { jobHandlers } from './handlers.ts';
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
  getChunk,
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
