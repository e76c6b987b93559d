export { type Downloads, type JobAnswer, jobAnswer } from './answer.ts';
export { jobChores } from './chores.ts';
export { writePart } from './files.ts';
export { jobHandlers } from './handlers.ts';
export {
  addFeedback,
  addProgress,
  type Counts,
  claimChunk,
  closeTask,
  deleteChunks,
  endJob,
  type Feedback,
  findChunk,
  getJob,
  insertChunk,
  insertJob,
  type JobRow,
  markStarted,
  setTotal,
} from './queries.ts';
