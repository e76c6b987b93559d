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
    refuseOvergrown(job.bytes, job.options.maxItems);
    const plan = job.kind === 'update' ? readUpdate(job.bytes, job.options) : readCreation(job.bytes, job.options);
    return { plan };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { failure: { code: error.code, detail: error.message, errors: error.errors } };
  }
}

/**
 * Parsing takes memory for every list and object, and where millions are nested it takes minutes. No request within its
 * limit of items needs as many, so they are counted first: that takes a twentieth of the time of parsing.
 */
function refuseOvergrown(bytes: Uint8Array, maxItems: number): void {
  const most = Math.max(1_000_000, 20 * maxItems);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (const opening of ['[', '{']) {
    for (let at = text.indexOf(opening); at >= 0 && count <= most; at = text.indexOf(opening, at + 1)) count += 1;
  }
  if (count > most) throw new Failure('invalid_request', 'The body has more lists and objects than can be read.');
}

function buffersOf(plan: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(plan)) return [plan.buffer as ArrayBuffer];
  if (typeof plan !== 'object' || plan === null) return [];
  return [...new Set(Object.values(plan).flatMap(buffersOf))];
}
