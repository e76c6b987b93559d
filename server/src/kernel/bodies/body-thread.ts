import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../values/low-priority.ts';
import { Failure } from '../failures/failure.ts';
import { checkShape } from './check-shape.ts';
import { findUnknownFields } from './known-fields.ts';
import { parseJson } from './parse-json.ts';
import type { BodyKinds, BodyReads, ReadJob, ReadResult } from './read-job.ts';

lowerThreadPriority();

/** The entry point of a thread that reads large bodies. Buffers in the resulting plan are transferred, not copied. */
parentPort?.on('message', async (job: ReadJob) => {
  const { bodies } = (await import(job.module)) as { bodies: BodyReads<BodyKinds> };
  const result = readSafely(job, bodies);
  parentPort?.postMessage(result, 'plan' in result ? buffersOf(result.plan) : []);
});

function readSafely({ module, kind, bytes, known, options }: ReadJob, reads: BodyReads<BodyKinds>): ReadResult {
  const body = reads[kind];
  let ignored: string[] = [];
  if (!body) throw new Error(`${module} has no reader for the body kind ${kind}.`);
  try {
    checkShape(bytes, body.limits(options));
    const document = parseJson(bytes);
    ignored = findUnknownFields(known, document);
    return { ignored, plan: body.read(document, options) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message: detail, errors } = error;
    return { ignored, failure: { code, detail, ...(errors && { errors }) } };
  }
}

function buffersOf(plan: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(plan)) return [plan.buffer as ArrayBuffer];
  if (typeof plan !== 'object' || plan === null) return [];
  return [...new Set(Object.values(plan).flatMap(buffersOf))];
}
