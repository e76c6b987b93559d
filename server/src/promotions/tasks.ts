import type { Tx } from '../kernel/database/db.ts';
import type { Task } from '../kernel/background/queue.ts';
import type { TaskKind } from '../kernel/background/worker.ts';
import { applyPromotionSlice } from './apply-promotion.ts';
import { abandonPromotionTask, finishPromotionTask } from './end-promotion.ts';

/** How many SKUs of each kind the answer of a job names. */
const maxFeedback = 1000;

export function promotionTasks(fileDays: number): Record<string, TaskKind> {
  return {
    'promotions.apply': {
      attempts: 5,
      // The reason itself is for the operator: it stands in the log and in queue_dead.
      giveUp(tx: Tx, task: Task) {
        const reason = `internal_error: processing gave up after ${task.attempts} tries; ask the operator.`;
        return abandonPromotionTask(tx, task.chain_id, String(task.payload['job_id']), reason, fileDays);
      },
      async run(tx, task) {
        const result = await applyPromotionSlice(tx, task, maxFeedback);
        if (result !== 'finished') return result;
        await finishPromotionTask(tx, task.chain_id, String(task.payload['job_id']), fileDays);
        return 'done';
      },
    },
  };
}
