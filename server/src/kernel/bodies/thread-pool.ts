import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/**
 * A pool of worker threads, started on demand, that run one module off the event loop. Jobs are shared fairly: the next
 * job belongs to the chain with the fewest running jobs, and no chain can use all the threads. A thread that has been
 * idle for a while ends, which is the only way to release all the memory it has used.
 */
export type ThreadPool<Job, Result> = {
  run(chainId: string, job: Job, transfer: ArrayBuffer[]): Promise<Result>;
  /** Rejects the queued jobs, gives the running ones `graceMs` to finish, then rejects them too. */
  close(): Promise<void>;
};

/** The job needed more memory than a thread is allowed to use. */
export class OutOfMemoryError extends Error {}

export type ThreadOptions = { count: number; memoryMb: number; idleMs?: number; graceMs?: number };

type QueuedJob<Job, Result> = { chainId: string; job: Job; transfer: ArrayBuffer[] } & PromiseWithResolvers<Result>;

export function createThreadPool<Job, Result>(
  module: URL,
  { count, memoryMb, idleMs = 10_000, graceMs = 5000 }: ThreadOptions,
): ThreadPool<Job, Result> {
  /** By chain, the chain that has waited longest first. */
  const queues = new Map<string, QueuedJob<Job, Result>[]>();
  const threads = new Set<Worker>();
  const running = new Map<Worker, QueuedJob<Job, Result>>();
  const endings = new Map<Worker, NodeJS.Timeout>();
  let isClosed = false;

  const startNext = () => {
    for (let next = findNext(); next; next = findNext()) {
      const idle = [...threads].find((thread) => !running.has(thread));
      const thread = idle ?? (threads.size < count ? start() : undefined);
      if (!thread) return;
      dequeue(next);
      assign(thread, next);
    }
  };
  const findNext = () => {
    const runningOf = (chainId: string) =>
      running.values().reduce((n, job) => n + (job.chainId === chainId ? 1 : 0), 0);
    const waiting = [...queues.values()].flatMap(([first]) =>
      first ? { first, active: runningOf(first.chainId) } : [],
    );
    // One thread is left for the other chains.
    const allowed = waiting.filter(({ active }) => active < Math.max(1, count - 1));
    return allowed.toSorted((a, b) => a.active - b.active)[0]?.first;
  };
  const dequeue = ({ chainId }: QueuedJob<Job, Result>) => {
    const rest = queues.get(chainId)?.slice(1) ?? [];
    // Deleting and adding moves the chain to the end.
    queues.delete(chainId);
    if (rest.length > 0) queues.set(chainId, rest);
  };
  const start = (): Worker => {
    const thread = startThread(module, memoryMb, onExit);
    thread.on('message', (result: Result) => release(thread)?.resolve(result));
    threads.add(thread);
    return thread;
  };
  const assign = (thread: Worker, next: QueuedJob<Job, Result>) => {
    running.set(thread, next);
    clearTimeout(endings.get(thread));
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
    if (threads.has(thread)) endings.set(thread, setTimeout(() => end(thread), idleMs).unref());
    queueMicrotask(startNext);
    return job;
  };
  const end = (thread: Worker) => {
    threads.delete(thread);
    endings.delete(thread);
    void thread.terminate();
  };
  const onExit = (thread: Worker, error: Error) => {
    if (!threads.delete(thread)) return;
    clearTimeout(endings.get(thread));
    endings.delete(thread);
    release(thread)?.reject(isOutOfMemory(error) ? new OutOfMemoryError(error.message, { cause: error }) : error);
  };

  return {
    run(chainId, job, transfer) {
      if (isClosed) return Promise.reject(closedError());
      const next = { chainId, job, transfer, ...Promise.withResolvers<Result>() };
      const own = queues.get(chainId);
      if (own) own.push(next);
      else queues.set(chainId, [next]);
      startNext();
      return next.promise;
    },
    async close() {
      isClosed = true;
      for (const { reject } of [...queues.values()].flat()) reject(closedError());
      queues.clear();
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
