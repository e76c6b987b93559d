import { parentPort } from 'node:worker_threads';
import type { ReadJob, ReadResult } from './reader.ts';
import { Failure } from '../failures/failure.ts';

/**
 * Makes this module the thread that reads large bodies. What goes back is compressed bytes, handed over without a copy.
 * A body with more lists and objects than `maxParts` is refused unread.
 */
export function serveBodies<Job extends ReadJob>(read: (job: Job) => unknown, maxParts: (job: Job) => number): void {
  parentPort?.on('message', (job: Job) => {
    const result = readSafely(job, read, maxParts(job));
    parentPort?.postMessage(result, 'plan' in result ? buffersOf(result.plan) : []);
  });
}

function readSafely<Job extends ReadJob>(job: Job, read: (job: Job) => unknown, maxParts: number): ReadResult {
  try {
    refuseOvergrown(job.bytes, maxParts);
    return { plan: read(job) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { failure: { code: error.code, detail: error.message, ...(error.errors && { errors: error.errors }) } };
  }
}

/**
 * Parsing takes memory for every list and object, and where millions are nested it takes minutes. No request within its
 * limits needs as many, so they are counted first: that takes a twentieth of the time of parsing.
 */
function refuseOvergrown(bytes: Uint8Array, most: number): void {
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
