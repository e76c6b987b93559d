import { Worker } from 'node:worker_threads';

/** A few threads that run one module's work off the event loop. They start when first needed. */
export type Threads<Job, Result> = { run(job: Job, transfer: ArrayBuffer[]): Promise<Result>; close(): Promise<void> };

/** The thread died under this job, most likely because it needed too much memory. */
export class ThreadDiedError extends Error {}

type Waiting<Job, Result> = {
  job: Job;
  transfer: ArrayBuffer[];
  resolve(result: Result): void;
  reject(error: Error): void;
};

export function createThreads<Job, Result>(module: URL, count: number, memoryMb: number): Threads<Job, Result> {
  const idle: Worker[] = [];
  const waiting: Waiting<Job, Result>[] = [];
  let started = 0;

  const next = () => {
    while (waiting.length > 0) {
      const thread = idle.pop() ?? (started < count ? start() : undefined);
      if (!thread) return;
      give(thread, waiting.shift() as Waiting<Job, Result>);
    }
  };
  const start = (): Worker => {
    started += 1;
    return new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  };
  const give = (thread: Worker, { job, transfer, resolve, reject }: Waiting<Job, Result>) => {
    thread.ref();
    const settle = () => {
      thread.removeAllListeners();
      thread.unref();
    };
    thread.once('message', (result: Result) => {
      settle();
      idle.push(thread);
      resolve(result);
      next();
    });
    thread.once('error', (error: Error) => {
      settle();
      started -= 1;
      void thread.terminate();
      reject(new ThreadDiedError(error.message, { cause: error }));
      next();
    });
    thread.postMessage(job, transfer);
  };

  return {
    run: (job, transfer) =>
      new Promise((resolve, reject) => {
        waiting.push({ job, transfer, resolve, reject });
        next();
      }),
    async close() {
      await Promise.all(idle.splice(0).map((thread) => thread.terminate()));
    },
  };
}
