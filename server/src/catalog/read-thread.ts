import { parentPort } from 'node:worker_threads';
import { Failure } from '../kernel/failure.ts';
import { readCreation } from './read-creation.ts';
import type { ReadJob, ReadResult } from './read-body.ts';
import { readUpdate } from './read-update.ts';

/** The thread that reads large bodies. What goes back is compressed bytes, handed over without a copy. */
parentPort?.on('message', (job: ReadJob) => {
  const result = read(job);
  parentPort?.postMessage(result, 'plan' in result ? buffersOf(result.plan) : []);
});

function read(job: ReadJob): ReadResult<unknown> {
  try {
    const plan = job.kind === 'update' ? readUpdate(job.bytes, job.options) : readCreation(job.bytes, job.options);
    return { plan };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { failure: { code: error.code, detail: error.message, errors: error.errors } };
  }
}

function buffersOf(plan: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(plan)) return [plan.buffer as ArrayBuffer];
  if (typeof plan !== 'object' || plan === null) return [];
  return [...new Set(Object.values(plan).flatMap(buffersOf))];
}
