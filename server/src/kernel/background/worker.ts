import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Tx } from '../database/db.ts';
import { isUnavailable } from '../database/errors.ts';
import type { Log } from '../monitoring/log.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { startLoop } from './loop.ts';
import {
  deadLetterTask,
  claimTasks,
  completeTask,
  continueTask,
  lockTask,
  retryTask,
  returnTask,
  type Task,
  type TaskKind,
} from './queue.ts';

/** Runs tasks of one kind, each in the transaction that also completes the task. */
export type TaskHandler = {
  run(tx: Tx, task: Task): Promise<TaskResult<unknown>>;
  /** Called when every attempt has failed, to record the failure where the task's owner can see it. */
  giveUp(tx: Tx, task: Task): Promise<void>;
};

export type TaskHandlers = Record<string, TaskHandler>;

/** Either done, or the payload for the next slice, which runs after `afterMs` if it has to wait for other work. */
export type TaskResult<Payload> = 'done' | { again: Payload; afterMs?: number };

/**
 * Creates a handler for tasks of this kind. Without `giveUp`, the row in the dead-letter table is the only record of a
 * failure.
 */
export function handleTask<Payload>(
  kind: TaskKind<Payload>,
  run: (tx: Tx, chainId: string, payload: Payload) => Promise<TaskResult<NoInfer<Payload>>>,
  giveUp: TaskHandler['giveUp'] = async () => {},
): TaskHandlers {
  return { [kind.name]: { run: (tx, task) => run(tx, task.chain_id, kind.readPayload(task.payload)), giveUp } };
}

export type Worker = {
  /** Claims tasks now instead of at the next poll. Call this when a task may be due. */
  wake(): void;
  /** Whether a claim has succeeded recently. */
  isAlive(): boolean;
  /** Stops claiming tasks and waits for the running ones. */
  drain(): Promise<void>;
};

type WorkerOptions = {
  db: Database;
  handlers: TaskHandlers;
  slots: number;
  log: Log;
  metrics: Metrics;
  /** The chains whose data cannot be reached at the moment. Their tasks wait. */
  listAway?: () => readonly string[];
};

const pollMs = 500;
/** Attempts are counted per slice. The count is reset when a slice succeeds. */
const maxAttempts = 5;
/** At the longest lease, about two and a half days. A crash loop must be noticed and fixed within this time. */
const maxDeaths = 500;
const returnRetryMs = 1000;
const firstChain = '00000000-0000-0000-0000-000000000000';

export function startWorker(options: WorkerOptions): Worker {
  /** The chain of each running task. */
  const running = new Map<Promise<void>, string>();
  let afterChain = firstChain;
  let isDraining = false;
  let returning = 0;

  /** Fills the free slots. Returns true if there may be more tasks to claim immediately. */
  const claim = async (): Promise<boolean> => {
    // While a task cannot be returned, the database is unavailable, and claimed tasks would only fail.
    if (returning > 0) return false;
    const { count, exceptChain } = freeSlots(options.slots, [...running.values()]);
    if (count <= 0) return false;
    const exceptChains = [...(options.listAway?.() ?? []), ...(exceptChain === undefined ? [] : [exceptChain])];
    const tasks = await claimTasks(options.db, { count, afterChain, exceptChains });
    afterChain = tasks.at(-1)?.chain_id ?? afterChain;
    for (const task of tasks) start(task);
    return tasks.length > 0;
  };
  const start = (task: Task) => {
    const run = runAndReturn(task).finally(() => {
      running.delete(run);
      loop.wake();
    });
    running.set(run, task.chain_id);
  };
  const runAndReturn = async (task: Task) => {
    const outage = await runTask(options, task);
    if (outage === undefined) return;
    returning += 1;
    // Keeps trying, because an attempt that could not be returned would count, and would be taken for a crash.
    while (!(await isReturned(options.db, task, outage)) && !isDraining) await sleep(returnRetryMs);
    returning -= 1;
  };

  const loop = startLoop({ name: 'queue', pollMs, log: options.log, run: claim });
  return {
    wake: loop.wake,
    isAlive: loop.isAlive,
    async drain() {
      isDraining = true;
      await loop.stop();
      await Promise.all(running.keys());
    },
  };
}

/**
 * How many tasks can be claimed. A chain can use all slots, but when it does, one more task runs for another chain, so
 * that the long tasks of one chain do not stop the others.
 */
function freeSlots(slots: number, runningChains: string[]): { count: number; exceptChain?: string | undefined } {
  const count = slots - runningChains.length;
  const [exceptChain] = runningChains;
  const isShared = runningChains.some((chainId) => chainId !== exceptChain);
  return count > 0 || slots === 1 || isShared ? { count } : { count: count + 1, exceptChain };
}

/** Returns the reason if the attempt does not count: the database was unavailable, or the task kind is unknown. */
async function runTask(options: WorkerOptions, task: Task): Promise<string | undefined> {
  const started = performance.now();
  const { outcome, outage } = await attempt(options, task);
  const seconds = (performance.now() - started) / 1000;
  options.metrics.observeTask(task.kind, outcome, seconds);
  options.log[['failed', 'dead', 'unavailable', 'unknown'].includes(outcome) ? 'warn' : 'info']({
    event: 'task.ran',
    kind: task.kind,
    outcome,
    task_id: task.task_id,
    chain_id: task.chain_id,
    attempts: task.attempts,
    duration_ms: Math.round(seconds * 1000),
    ...task.payload,
  });
  return outage;
}

type Attempt = { outcome: string; outage?: string };

async function attempt(options: WorkerOptions, task: Task): Promise<Attempt> {
  const handler = options.handlers[task.kind];
  // During a rolling upgrade, tasks of newer kinds are left to workers of the new version.
  if (!handler) return { outcome: 'unknown', outage: `This worker has no handler for the task kind ${task.kind}.` };
  try {
    if (task.deaths > 0) options.log.warn({ event: 'task.worker_died', ...identify(task), deaths: task.deaths });
    if (task.deaths >= maxDeaths) return { outcome: await endAfterDeaths(options.db, handler, task) };
    return { outcome: await options.db.transaction((tx) => runLocked(tx, handler, task)) };
  } catch (error) {
    options.log.error({ event: 'task.failed', ...identify(task), err: error });
    const reason = error instanceof Error ? error.message : String(error);
    if (isUnavailable(error)) return { outcome: 'unavailable', outage: reason };
    return { outcome: await afterFailure(options, handler, task, reason).catch(() => 'failed') };
  }
}

function identify({ kind, task_id, chain_id }: Task) {
  return { kind, task_id, chain_id };
}

function endAfterDeaths(db: Database, handler: TaskHandler, task: Task): Promise<string> {
  const reason = `The worker died ${task.deaths} times while running the task.`;
  return deadLetter(db, handler, { ...task, attempts: task.deaths }, reason);
}

async function runLocked(tx: Tx, handler: TaskHandler, task: Task): Promise<string> {
  if (!(await lockTask(tx, task))) return 'lost';
  const result = await handler.run(tx, task);
  if (result === 'done') {
    await completeTask(tx, task);
    return 'done';
  }
  continueTask(tx, task, result.again, result.afterMs);
  return 'again';
}

async function afterFailure(options: WorkerOptions, handler: TaskHandler, task: Task, reason: string) {
  if (task.attempts >= maxAttempts) return deadLetter(options.db, handler, task, reason);
  await retryTask(options.db, task, reason);
  return 'failed';
}

function deadLetter(db: Database, handler: TaskHandler, task: Task, reason: string): Promise<string> {
  return db.transaction(async (tx) => {
    if (!(await lockTask(tx, task))) return 'lost';
    await handler.giveUp(tx, task);
    await deadLetterTask(tx, task, reason);
    return 'dead';
  });
}

function isReturned(db: Database, task: Task, outage: string): Promise<boolean> {
  return returnTask(db, task, outage).then(
    () => true,
    () => false,
  );
}
