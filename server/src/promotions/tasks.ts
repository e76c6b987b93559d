import { runJob } from '../jobs/index.ts';
import type { TaskHandlers } from '../kernel/background/worker.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import { applyPromotionSlice } from './apply-promotion.ts';
import { findError, finishPromotion } from './end-promotion.ts';
import { type PromotionJob, promotionJob, type PromotionPayload } from './job.ts';

/** `isSharded` says whether the database is distributed. */
export function promotionTasks(db: Database, fileDays: number, isSharded: boolean): TaskHandlers {
  const slice = (tx: Tx, chainId: string, job: PromotionJob, payload: PromotionPayload) =>
    applyPromotionSlice(tx, chainId, job, payload, isSharded);
  const work = { slice, findError, ended: finishPromotion };
  return runJob(promotionJob, work, { db, fileDays });
}
