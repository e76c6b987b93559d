import { markStarted } from '../jobs/index.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import type { Task } from '../kernel/background/queue.ts';
import type { TaskKind } from '../kernel/background/worker.ts';
import { applyCreationSlice } from './apply-creation.ts';
import { applyUpdateSlice } from './apply-update.ts';
import { abandonTask, type Ending, finishTask } from './end-job.ts';
import { runExport } from './run-export.ts';

const attempts = 5;
/** How many failures (and duplicates) the answer of a job shows. */
const maxFeedback = 1000;

export function catalogTasks(db: Database, ending: Ending): Record<string, TaskKind> {
  // The reason itself is for the operator: it stands in the log and in queue_dead.
  const giveUp = (tx: Tx, task: Task) => {
    const sentence = `Processing gave up after ${task.attempts} tries because of an internal error; ask the operator.`;
    return abandonTask(tx, task.chain_id, String(task.payload['job_id']), sentence, ending);
  };
  const finish = async (tx: Tx, task: Task): Promise<'done'> => {
    await finishTask(tx, task.chain_id, String(task.payload['job_id']), ending);
    return 'done';
  };
  // Outside the slice's transaction, so that it shows at once.
  const showStart = async (task: Task) => {
    const { chunk = 0, step = 1 } = task.payload as { chunk?: number; step?: number };
    if (chunk < step) await markStarted(db, task.chain_id, String(task.payload['job_id']));
  };
  return {
    'catalog.update': {
      attempts,
      giveUp,
      async run(tx, task) {
        await showStart(task);
        const result = await applyUpdateSlice(tx, task, maxFeedback);
        return result === 'finished' ? finish(tx, task) : result;
      },
    },
    'catalog.creation': {
      attempts,
      giveUp,
      async run(tx, task) {
        await showStart(task);
        const result = await applyCreationSlice(tx, task, maxFeedback);
        return result === 'finished' ? finish(tx, task) : result;
      },
    },
    'catalog.export': {
      attempts,
      giveUp,
      async run(tx, task) {
        await showStart(task);
        await runExport(tx, db, task);
        return finish(tx, task);
      },
    },
  };
}
