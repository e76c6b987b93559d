import type { Config } from '../config.ts';
import { handleTask, type TaskHandlers } from '../kernel/background/worker.ts';
import { runCertification } from './run-certification.ts';
import { certificationTask } from './start-certification.ts';
import { stopCertification } from './stop-certification.ts';

/** A step can wait for a device for an hour. The longer it waits, the less often it is checked. */
const pollMs = { min: 500, max: 10_000, share: 0.05 };

export function certificationTasks({ links, requestLog }: Config): TaskHandlers {
  const options = { links, isRequestLogOn: requestLog.enabled };
  return handleTask(
    certificationTask,
    async (tx, chainId, payload) => {
      const waitedMs = await runCertification(tx, chainId, payload.certification_id, options);
      if (waitedMs === undefined) return 'done';
      return { again: payload, afterMs: Math.min(pollMs.max, Math.max(pollMs.min, waitedMs * pollMs.share)) };
    },
    async (tx, task) => {
      const { certification_id } = certificationTask.readPayload(task.payload);
      await stopCertification(tx, task.chain_id, certification_id, links);
    },
  );
}
