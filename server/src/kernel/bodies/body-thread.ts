import { parentPort } from 'node:worker_threads';
import { Failure } from '../failures/failure.ts';
import { findUnknownFields } from './known-fields.ts';
import { parseJson } from './parse-json.ts';
import type { BodyKinds, BodyReads, ReadJob, ReadResult } from './reader.ts';

/** Reads large bodies in the current worker thread. The compressed bytes in a plan are transferred, not copied. */
export function serveBodies<Kinds extends BodyKinds>(reads: BodyReads<Kinds>): void {
  parentPort?.on('message', (job: ReadJob) => {
    const result = readSafely(job, reads);
    parentPort?.postMessage(result, 'plan' in result ? buffersOf(result.plan) : []);
  });
}

function readSafely<Kinds extends BodyKinds>(job: ReadJob, reads: BodyReads<Kinds>): ReadResult {
  const { kind, bytes, known, options } = job;
  const body = reads[kind];
  let ignored: string[] = [];
  if (!body) throw new Error(`This thread has no reader for the body kind ${kind}.`);
  try {
    rejectTooManyParts(bytes, body.maxParts(options));
    const document = parseJson(bytes);
    ignored = findUnknownFields(known, document);
    return { ignored, plan: body.read(document, options) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message: detail, errors } = error;
    return { ignored, failure: { code, detail, ...(errors && { errors }) } };
  }
}

/**
 * Parsing allocates memory for every array and object, and takes minutes if millions of them are nested. A valid
 * request does not need that many, so they are counted first, which takes 5% of the parsing time.
 */
function rejectTooManyParts(bytes: Uint8Array, max: number): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (const opening of ['[', '{']) {
    for (let at = text.indexOf(opening); at >= 0 && count <= max; at = text.indexOf(opening, at + 1)) count += 1;
  }
  if (count > max) throw new Failure('invalid_request', `The body contains more than ${max} arrays and objects.`);
}

function buffersOf(plan: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(plan)) return [plan.buffer as ArrayBuffer];
  if (typeof plan !== 'object' || plan === null) return [];
  return [...new Set(Object.values(plan).flatMap(buffersOf))];
}
