import type { InputError } from '@aisle/contract/common';
import type { ErrorCode } from '@aisle/contract/errors';
import { Failure } from '../failures/failure.ts';
import { createThreads, OutOfMemoryError, type Threads } from './threads.ts';

/** What goes to a reading thread: the bytes of a body, and what its reader needs to know beside them. */
export type ReadJob = { bytes: Uint8Array };

export type ReadResult = { plan: unknown } | { failure: { code: ErrorCode; detail: string; errors?: InputError[] } };

export type BodyReader<Job extends ReadJob> = {
  /** The plan the reader makes of the body, or its failure. */
  read<Plan>(job: Job): Promise<Plan>;
  close(): Promise<void>;
};

/** About a thousand items: a few milliseconds. */
const smallBytes = 96 * 1024;
const threadMemoryMb = 1536;

/** Reads bodies: small ones here and now, large ones in a thread of `module`, which serves the same function. */
export function createBodyReader<Job extends ReadJob>(module: URL, read: (job: Job) => unknown): BodyReader<Job> {
  const threads = createThreads<Job, ReadResult>(module, 2, threadMemoryMb);
  // The bytes of a large body are gone once read, given to the thread. Whoever asks again gets the plan that was made.
  const plans = new WeakMap<Uint8Array, Promise<unknown>>();
  return {
    async read<Plan>(job: Job): Promise<Plan> {
      const known = plans.get(job.bytes);
      if (known) return known as Promise<Plan>;
      if (job.bytes.length <= smallBytes) return read(job) as Plan;
      const plan = inThread(threads, job);
      plans.set(job.bytes, plan);
      return plan as Promise<Plan>;
    },
    close: threads.close,
  };
}

async function inThread<Job extends ReadJob>(threads: Threads<Job, ReadResult>, job: Job): Promise<unknown> {
  // Handing the memory over is free, but only where the bytes have it for themselves.
  const { buffer } = job.bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === job.bytes.byteLength;
  const result = await threads.run(job, isOwn ? [buffer] : []).catch((error: unknown) => {
    if (!(error instanceof OutOfMemoryError)) throw error;
    throw new Failure('invalid_request', 'The body is nested too deeply or has too many parts to be read.');
  });
  if ('plan' in result) return result.plan;
  const { code, detail, errors } = result.failure;
  throw new Failure(code, detail, errors && { errors });
}
