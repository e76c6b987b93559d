import { runJob } from '../jobs/index.ts';
import type { TaskHandlers } from '../kernel/background/worker.ts';
import type { Database } from '../kernel/database/db.ts';
import { applyPromotionSlice } from './apply-promotion.ts';
import { findError, finishPromotion } from './end-promotion.ts';
import { promotionJob } from './job.ts';

export function promotionTasks(db: Database, fileDays: number): TaskHandlers {
  const work = { slice: applyPromotionSlice, findError, ended: finishPromotion };
  return runJob(promotionJob, work, { db, fileDays });
}
