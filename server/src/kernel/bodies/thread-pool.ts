import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** A pool of worker threads, started on demand, that run one module off the event loop. */
export type ThreadPool<Job, Result> = {
  run(job: Job, transfer: ArrayBuffer[]): Promise<Result>;
  /** Rejects the queued jobs, gives the running ones `graceMs` to finish, then rejects them too. */
  close(): Promise<void>;
};

/** The job needed more memory than a thread is allowed to use. */
export class OutOfMemoryError extends Error {}

type QueuedJob<Job, Result> = { job: Job; transfer: ArrayBuffer[] } & PromiseWithResolvers<Result>;

export function createThreadPool<Job, Result>(
  module: URL,
  count: number,
  memoryMb: number,
  graceMs = 5000,
): ThreadPool<Job, Result> {
  const queue: QueuedJob<Job, Result>[] = [];
  const threads = new Set<Worker>();
  const running = new Map<Worker, QueuedJob<Job, Result>>();
  let isClosed = false;

  const startNext = () => {
    while (queue.length > 0) {
      const idle = [...threads].find((thread) => !running.has(thread));
      const thread = idle ?? (threads.size < count ? start() : undefined);
      const next = thread && queue.shift();
      if (!next) return;
      assign(thread, next);
    }
  };
  const start = (): Worker => {
    const thread = startThread(module, memoryMb, onExit);
    thread.on('message', (result: Result) => release(thread)?.resolve(result));
    threads.add(thread);
    return thread;
  };
  const assign = (thread: Worker, next: QueuedJob<Job, Result>) => {
    running.set(thread, next);
    thread.ref();
    try {
      thread.postMessage(next.job, next.transfer);
    } catch (error) {
      release(thread)?.reject(error);
    }
  };
  /** Marks the thread as idle and returns its job. An idle thread does not keep the process alive. */
  const release = (thread: Worker) => {
    const job = running.get(thread);
    running.delete(thread);
    thread.unref();
    queueMicrotask(startNext);
    return job;
  };
  const onExit = (thread: Worker, error: Error) => {
    if (!threads.delete(thread)) return;
    release(thread)?.reject(isOutOfMemory(error) ? new OutOfMemoryError(error.message, { cause: error }) : error);
  };

  return {
    run(job, transfer) {
      if (isClosed) return Promise.reject(closedError());
      const next = { job, transfer, ...Promise.withResolvers<Result>() };
      queue.push(next);
      startNext();
      return next.promise;
    },
    async close() {
      isClosed = true;
      for (const { reject } of queue.splice(0)) reject(closedError());
      const ending = [...running.values()].map(({ promise }) => promise);
      await Promise.race([Promise.allSettled(ending), sleep(graceMs, undefined, { ref: false })]);
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

function startThread(module: URL, memoryMb: number, onExit: (thread: Worker, error: Error) => void): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 128 };
  const thread = new Worker(module, { resourceLimits });
  thread.on('error', (error: Error) => onExit(thread, error));
  // A thread can exit without an error. The job that was running in it must still be rejected.
  thread.on('exit', (code) => onExit(thread, new Error(`The thread exited with code ${code}.`)));
  return thread;
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function closedError(): Error {
  return new Error('The thread pool is closed.');
}
