import { Worker } from 'node:worker_threads';

/** A few threads that run one module's work off the event loop. They start when first needed. */
export type Threads<Job, Result> = { run(job: Job, transfer: ArrayBuffer[]): Promise<Result>; close(): Promise<void> };

/** The job needed more memory than a thread may have. */
export class OutOfMemoryError extends Error {}

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
    return new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 128 } });
  };
  const give = (thread: Worker, { job, transfer, resolve, reject }: Waiting<Job, Result>) => {
    const settle = () => {
      thread.off('message', onMessage);
      thread.off('error', onError);
      thread.unref();
    };
    const onMessage = (result: Result) => {
      settle();
      idle.push(thread);
      resolve(result);
      next();
    };
    const onError = (error: Error) => {
      settle();
      started -= 1;
      void thread.terminate();
      reject(isOutOfMemory(error) ? new OutOfMemoryError(error.message, { cause: error }) : error);
      next();
    };
    thread.on('message', onMessage);
    thread.on('error', onError);
    thread.ref();
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

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
