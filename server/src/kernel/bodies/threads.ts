import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** A few threads that run the jobs of one module off the event loop. They start when first needed. */
export type Threads<Job, Result> = {
  run(job: Job, transfer: ArrayBuffer[]): Promise<Result>;
  /** Rejects the jobs that wait, gives the running ones `graceMs` to finish, then rejects them too. */
  close(): Promise<void>;
};

/** The job needed more memory than a thread may have. */
export class OutOfMemoryError extends Error {}

type Waiting<Job, Result> = { job: Job; transfer: ArrayBuffer[] } & PromiseWithResolvers<Result>;

export function createThreads<Job, Result>(
  module: URL,
  count: number,
  memoryMb: number,
  graceMs = 5000,
): Threads<Job, Result> {
  const waiting: Waiting<Job, Result>[] = [];
  const threads = new Set<Worker>();
  const running = new Map<Worker, Waiting<Job, Result>>();
  let isClosed = false;

  const startNext = () => {
    while (waiting.length > 0) {
      const idle = [...threads].find((thread) => !running.has(thread));
      const thread = idle ?? (threads.size < count ? start() : undefined);
      const next = thread && waiting.shift();
      if (!next) return;
      give(thread, next);
    }
  };
  const start = (): Worker => {
    const thread = startThread(module, memoryMb, lose);
    thread.on('message', (result: Result) => release(thread)?.resolve(result));
    threads.add(thread);
    return thread;
  };
  const give = (thread: Worker, next: Waiting<Job, Result>) => {
    running.set(thread, next);
    thread.ref();
    try {
      thread.postMessage(next.job, next.transfer);
    } catch (error) {
      release(thread)?.reject(error);
    }
  };
  /** The thread is done with its job. An idle thread does not keep the process alive. */
  const release = (thread: Worker) => {
    const job = running.get(thread);
    running.delete(thread);
    thread.unref();
    queueMicrotask(startNext);
    return job;
  };
  const lose = (thread: Worker, error: Error) => {
    if (!threads.delete(thread)) return;
    release(thread)?.reject(isOutOfMemory(error) ? new OutOfMemoryError(error.message, { cause: error }) : error);
  };

  return {
    run(job, transfer) {
      if (isClosed) return Promise.reject(closedError());
      const next = { job, transfer, ...Promise.withResolvers<Result>() };
      waiting.push(next);
      startNext();
      return next.promise;
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(closedError());
      const ending = [...running.values()].map(({ promise }) => promise);
      await Promise.race([Promise.allSettled(ending), sleep(graceMs, undefined, { ref: false })]);
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

function startThread(module: URL, memoryMb: number, lose: (thread: Worker, error: Error) => void): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 128 };
  const thread = new Worker(module, { resourceLimits });
  thread.on('error', (error: Error) => lose(thread, error));
  // Also without an error: a job that ends its thread must not wait forever.
  thread.on('exit', (code) => lose(thread, new Error(`The thread exited with code ${code}.`)));
  return thread;
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function closedError(): Error {
  return new Error('The threads are closed.');
}
