import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createFairQueue } from './fair-queue.ts';

/**
 * A pool of worker threads, started on demand, that run one module off the event loop. Threads are shared fairly: the
 * next job is from the chain with the fewest running jobs, and no chain can use all the threads. A thread that has been
 * idle for a while ends, which is the only way to release all the memory it has used.
 */
export type ThreadPool<Job, Result> = {
  /** If `signal` is aborted, the job is removed from the queue, or its thread is terminated. */
  run(chainId: string, job: Job, transfer: ArrayBuffer[], signal?: AbortSignal): Promise<Result>;
  /** Rejects the queued jobs, gives the running ones `graceMs` to finish, then rejects them too. */
  close(): Promise<void>;
};

/** The job needed more memory than a thread is allowed to use. */
export class OutOfMemoryError extends Error {}

/** The job was stopped, because it took too long or its result is no longer needed. */
export class StoppedError extends Error {}

/** `youngMb`: the memory for new objects, of which a thread uses more if it has more. `jobMs`: how long a job can run. */
export type ThreadOptions = {
  count: number;
  memoryMb: number;
  youngMb?: number;
  jobMs?: number;
  idleMs?: number;
  graceMs?: number;
};

type QueuedJob<Job, Result> = { chainId: string; job: Job; transfer: ArrayBuffer[] } & PromiseWithResolvers<Result>;

export function createThreadPool<Job, Result>(module: URL, options: ThreadOptions): ThreadPool<Job, Result> {
  const queue = createFairQueue<QueuedJob<Job, Result>>();
  // One thread is left for the other chains.
  const maxPerChain = Math.max(1, options.count - 1);
  let isClosed = false;

  const startNext = () => {
    for (;;) {
      const next = queue.find(threads.running(), maxPerChain);
      const thread = next && threads.find();
      if (!thread) return;
      queue.remove(next);
      threads.assign(thread, next);
    }
  };
  const threads = createThreads<Job, Result>(module, options, startNext);

  return {
    run(chainId, job, transfer, signal) {
      if (isClosed) return Promise.reject(closedError());
      if (signal?.aborted) return Promise.reject(abortedError());
      const next = { chainId, job, transfer, ...Promise.withResolvers<Result>() };
      const abort = () => {
        if (threads.stop(next, abortedError())) return;
        queue.remove(next);
        next.reject(abortedError());
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.add(next);
      startNext();
      return next.promise.finally(() => signal?.removeEventListener('abort', abort));
    },
    async close() {
      isClosed = true;
      for (const { reject } of queue.clear()) reject(closedError());
      const ending = threads.running().map(({ promise }) => promise);
      await Promise.race([Promise.allSettled(ending), sleep(options.graceMs ?? 5000, undefined, { ref: false })]);
      await threads.terminate();
    },
  };
}

/** The threads and the jobs they run. Calls `onIdle` when a thread can run another job. */
function createThreads<Job, Result>(
  module: URL,
  { count, memoryMb, youngMb = 128, jobMs, idleMs = 10_000 }: ThreadOptions,
  onIdle: () => void,
) {
  const threads = new Set<Worker>();
  const running = new Map<Worker, QueuedJob<Job, Result>>();
  const endings = new WeakMap<Worker, NodeJS.Timeout>();
  const limits = new WeakMap<QueuedJob<Job, Result>, NodeJS.Timeout>();

  const start = (): Worker => {
    const thread = startThread(module, { memoryMb, youngMb }, onExit);
    thread.on('message', (result: Result) => release(thread)?.resolve(result));
    threads.add(thread);
    return thread;
  };
  /** Marks the thread as idle and returns its job. An idle thread does not keep the process alive. */
  const release = (thread: Worker) => {
    const job = running.get(thread);
    if (job) clearTimeout(limits.get(job));
    running.delete(thread);
    thread.unref();
    if (threads.has(thread)) endings.set(thread, setTimeout(() => end(thread), idleMs).unref());
    queueMicrotask(onIdle);
    return job;
  };
  const end = (thread: Worker) => {
    threads.delete(thread);
    void thread.terminate();
  };
  /** Ends the thread that runs the job. Returns false if the job is not running. */
  const stop = (job: QueuedJob<Job, Result>, error: Error): boolean => {
    const [thread] = [...running].find(([, other]) => other === job) ?? [];
    if (!thread) return false;
    end(thread);
    release(thread)?.reject(error);
    return true;
  };
  const onExit = (thread: Worker, error: Error) => {
    clearTimeout(endings.get(thread));
    if (!threads.delete(thread)) return;
    release(thread)?.reject(isOutOfMemory(error) ? new OutOfMemoryError(error.message, { cause: error }) : error);
  };

  return {
    running: () => [...running.values()],
    stop,
    /** An idle thread, or a new one, or undefined if all of them are busy. */
    find() {
      const idle = [...threads].find((thread) => !running.has(thread));
      return idle ?? (threads.size < count ? start() : undefined);
    },
    assign(thread: Worker, next: QueuedJob<Job, Result>) {
      running.set(thread, next);
      clearTimeout(endings.get(thread));
      if (jobMs !== undefined) limits.set(next, setTimeout(() => stop(next, tooSlowError(jobMs)), jobMs).unref());
      thread.ref();
      try {
        thread.postMessage(next.job, next.transfer);
      } catch (error) {
        release(thread)?.reject(error);
      }
    },
    terminate: () => Promise.all([...threads].map((thread) => thread.terminate())),
  };
}

function startThread(
  module: URL,
  { memoryMb, youngMb }: { memoryMb: number; youngMb: number },
  onExit: (thread: Worker, error: Error) => void,
): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb };
  const thread = new Worker(module, { resourceLimits });
  thread.on('error', (error: Error) => onExit(thread, error));
  // A thread can exit without an error. The job that was running in it must still be rejected.
  thread.on('exit', (code) => onExit(thread, new Error(`The thread exited with code ${code}.`)));
  return thread;
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function abortedError(): Error {
  return new StoppedError('The result is no longer needed.');
}

function tooSlowError(ms: number): Error {
  return new StoppedError(`The job took longer than ${ms / 1000} s.`);
}

function closedError(): Error {
  return new Error('The thread pool is closed.');
}
