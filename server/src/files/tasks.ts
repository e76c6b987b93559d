import Type from 'typebox';
import { extendJob, jobPayload, listJobStates, retriesExhausted, setError } from '../jobs/index.ts';
import { handleTask, type TaskHandlers } from '../kernel/background/worker.ts';
import type { Tx } from '../kernel/database/db.ts';
import { storedJson } from '../kernel/values/stored-json.ts';
import type { FileMetrics, ReadFile } from './metrics.ts';
import { deleteParts } from './part-queries.ts';
import { findFileByJob } from './queries.ts';
import type { FileReader } from './read-file.ts';
import { readTask } from './read-task.ts';
import { countRows } from './rules/status.ts';

export function fileTasks(reader: FileReader, metrics: FileMetrics): TaskHandlers {
  return handleTask(
    readTask,
    async (tx, chainId, payload) => {
      const result = await reader.slice(tx, chainId, payload);
      if (result === 'done') await countFile(tx, chainId, payload.job_id, metrics);
      return result;
    },
    async (tx, { chain_id: chainId, payload, attempts }) => {
      // Once the job is no longer open, its other tasks end it.
      const { job_id: jobId } = readJobId(payload);
      await setError(tx, chainId, jobId, retriesExhausted(attempts));
      await extendJob(tx, chainId, jobId, { items: 0, details: { is_open: false } });
      const file = await findFileByJob(tx, chainId, null, anyFolder, jobId);
      if (file) await deleteParts(tx, chainId, file.file_id);
      await countFile(tx, chainId, jobId, metrics);
    },
  );
}

const readJobId = storedJson('payload of a file', Type.Object(jobPayload));

const anyFolder = { promotions: true, others: true };

/** A slice that is repeated after a crash counts its file again. */
async function countFile(tx: Tx, chainId: string, jobId: string, metrics: FileMetrics): Promise<void> {
  const file = await findFileByJob(tx, chainId, null, anyFolder, jobId);
  const [job] = await listJobStates(tx, chainId, [jobId]);
  if (!file?.accepted_at || !job) return;
  metrics.countFile({
    channel: file.channel,
    folder: file.folder,
    result: resultOf(job.error_code),
    bytes: file.size,
    rows: countRows(job)?.rows,
    seconds: (Date.now() - file.accepted_at.getTime()) / 1000,
  });
}

function resultOf(errorCode: string | null): ReadFile['result'] {
  if (errorCode === 'unreadable_file') return 'unreadable';
  return errorCode === 'internal_error' ? 'failed' : 'read';
}
