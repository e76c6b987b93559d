import type { InputError } from '@aisle/contract/common';
import type { ErrorCode } from '@aisle/contract/errors';
import { Failure } from '../kernel/failure.ts';
import { createThreads, OutOfMemoryError, type Threads } from '../kernel/threads.ts';
import { type CreationOptions, type CreationPlan, readCreation } from './read-creation.ts';
import { readUpdate, type UpdatePlan } from './read-update.ts';

export type ReadJob =
  | { kind: 'update'; bytes: Uint8Array; options: { maxItems: number; single: boolean } }
  | { kind: 'creation'; bytes: Uint8Array; options: CreationOptions };

export type ReadResult<Plan> =
  | { plan: Plan }
  | { failure: { code: ErrorCode; detail: string; errors: InputError[] | undefined } };

/** Reads bodies of catalog requests: small ones here and now, large ones in a thread. */
export type BodyReader = {
  update(bytes: Uint8Array, options: { maxItems: number; single: boolean }): Promise<UpdatePlan>;
  creation(bytes: Uint8Array, options: CreationOptions): Promise<CreationPlan>;
  close(): Promise<void>;
};

/** About a thousand items: a few milliseconds. */
const smallBytes = 96 * 1024;
const threadMemoryMb = 1536;

export function createBodyReader(): BodyReader {
  const threads = createThreads<ReadJob, ReadResult<unknown>>(
    new URL('./read-thread.ts', import.meta.url),
    2,
    threadMemoryMb,
  );
  // The bytes of a large body are gone once read, given to the thread. Whoever asks again gets the plan that was made.
  const plans = new WeakMap<Uint8Array, Promise<unknown>>();
  const read = <Plan>(job: ReadJob, readHere: () => Plan): Promise<Plan> | Plan => {
    const known = plans.get(job.bytes);
    if (known) return known as Promise<Plan>;
    if (job.bytes.length <= smallBytes) return readHere();
    const plan = inThread<Plan>(threads, job);
    plans.set(job.bytes, plan);
    return plan;
  };
  return {
    update: async (bytes, options) => read({ kind: 'update', bytes, options }, () => readUpdate(bytes, options)),
    creation: async (bytes, options) => read({ kind: 'creation', bytes, options }, () => readCreation(bytes, options)),
    close: threads.close,
  };
}

async function inThread<Plan>(threads: Threads<ReadJob, ReadResult<unknown>>, job: ReadJob): Promise<Plan> {
  // Handing the memory over is free, but only where the bytes have it for themselves.
  const { buffer } = job.bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === job.bytes.byteLength;
  const result = await threads.run(job, isOwn ? [buffer] : []).catch((error: unknown) => {
    if (!(error instanceof OutOfMemoryError)) throw error;
    throw new Failure('invalid_request', 'The body is nested too deeply or has too many parts to be read.');
  });
  if ('failure' in result) {
    const { code, detail, errors } = result.failure;
    throw new Failure(code, detail, errors && { errors });
  }
  return result.plan as Plan;
}
