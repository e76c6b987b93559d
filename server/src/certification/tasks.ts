import type { Config } from '../config.ts';
import { handleTask, type TaskHandlers } from '../kernel/background/worker.ts';
import { runCertification } from './run-certification.ts';
import { certificationTask } from './start-certification.ts';
import { stopCertification } from './stop-certification.ts';

const pollMs = 500;

export function certificationTasks({ links, requestLog }: Config): TaskHandlers {
  const options = { links, isRequestLogOn: requestLog.enabled };
  return handleTask(
    certificationTask,
    async (tx, chainId, payload) => {
      const hasEnded = await runCertification(tx, chainId, payload.certification_id, options);
      return hasEnded ? 'done' : { again: payload, afterMs: pollMs };
    },
    async (tx, task) => {
      const { certification_id } = certificationTask.readPayload(task.payload);
      await stopCertification(tx, task.chain_id, certification_id, links);
    },
  );
}
