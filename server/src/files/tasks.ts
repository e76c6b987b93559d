import Type from 'typebox';
import { extendJob, jobPayload, retriesExhausted, setError } from '../jobs/index.ts';
import { handleTask, type TaskHandlers } from '../kernel/background/worker.ts';
import { storedJson } from '../kernel/values/stored-json.ts';
import type { FileReader } from './read-file.ts';
import { readTask } from './read-task.ts';

export function fileTasks(reader: FileReader): TaskHandlers {
  return handleTask(readTask, reader.slice, async (tx, { chain_id: chainId, payload, attempts }) => {
    // Once the job is no longer open, its other tasks end it.
    const { job_id: jobId } = readJobId(payload);
    await setError(tx, chainId, jobId, retriesExhausted(attempts));
    await extendJob(tx, chainId, jobId, { items: 0, details: { is_open: false } });
  });
}

const readJobId = storedJson('payload of a file', Type.Object(jobPayload));
