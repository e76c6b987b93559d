import type { Socket } from 'node:net';
import type { OperatorError } from '../kernel/failures/operator-error.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { Network } from '../kernel/outbound/addresses.ts';
import { reuse } from '../kernel/values/reuse.ts';
import { createDispatcher } from './dispatcher.ts';
import { createGatherer } from './gather.ts';
import type { ListenerName, ToSupervisor } from './messages.ts';
import { createMetricsSum, summarizeHealth } from './summaries.ts';
import { createSupervisedProcess, type ProcessKind, type SupervisedProcess } from './supervised-process.ts';

/**
 * Runs several processes of the program and passes connections on to them. It does no other work, so it responds even
 * if all processes are busy. A process exits when it loses its connection to the supervisor, so none outlives it.
 */
export type Supervisor = {
  /** Starts the first process alone, and resolves with what it sends when it is ready. */
  startFirst(): Promise<unknown>;
  /** Starts the others, and resolves when they are ready. */
  startOthers(): Promise<void>;
  /** Resolves with the result that a process sends. */
  done: Promise<unknown>;
  dispatch(listener: ListenerName, socket: Socket): void;
  /** Lets all processes finish what is in progress, and kills those that exceed the shutdown deadline. */
  stop(): Promise<void>;
};

export type SupervisorOptions = {
  program: string;
  args: string[];
  /** The processes, the first one with the number 1. */
  kinds: readonly ProcessKind[];
  trustedProxies: readonly Network[];
  log: Log;
  shutdownSeconds: number;
  /** What a process gets when it is started. */
  valuesFor(number: number): unknown;
  /** Called when a process has failed too often. */
  onGivenUp(error: OperatorError): void;
};

/** More than the shutdown deadline, because a process closes its database connections after it. */
const extraStopMs = 5000;

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const dispatcher = createDispatcher(options.trustedProxies);
  const done = Promise.withResolvers<unknown>();
  const processes = options.kinds.map((kind, index) => create(kind, index + 1));
  const summaries = createSummaries(processes);
  process.once('exit', () => processes.forEach(({ kill }) => kill()));
  const checks = setInterval(dispatcher.check, 1000);

  function create(kind: ProcessKind, number: number): SupervisedProcess {
    const created = createSupervisedProcess({
      ...options,
      ...kind,
      number,
      values: () => options.valuesFor(number),
      stopMs: options.shutdownSeconds * 1000 + extraStopMs,
      onReady: () => dispatcher.add(created),
      onLeaving: () => dispatcher.pause(created),
      onExit(isExpected) {
        dispatcher.remove(created);
        summaries.onExit(created, isExpected);
      },
      onMessage: (message) => receive(created, message),
    });
    return created;
  }
  const receive = (from: SupervisedProcess, message: ToSupervisor) => {
    if (message.type === 'accepted') dispatcher.confirm(from);
    else if (message.type === 'done') done.resolve(message.values);
    else if (message.type === 'counted') processes.forEach((other) => other !== from && other.send(message));
    else summaries.receive(from, message);
  };
  const [first, ...others] = processes;
  return {
    startFirst: async () => first?.start(),
    startOthers: async () => void (await Promise.all(others.map((one) => one.start()))),
    done: done.promise,
    dispatch: dispatcher.dispatch,
    async stop() {
      clearInterval(checks);
      dispatcher.close();
      await Promise.all(processes.map((one) => one.stop()));
    },
  };
}

/** Handles the messages about metrics and health. */
function createSummaries(processes: readonly SupervisedProcess[]) {
  const gatherer = createGatherer();
  const sum = createMetricsSum(() => processes.map(({ state }) => state()));
  const isReady = ({ state }: SupervisedProcess) => state() === 'ready';
  const summarize = {
    // Reused, because the processes read the queues from the database each time. It is reused here and not in each
    // process, so that a sum never decreases from one process to the next.
    metrics: reuse(1000, async () => {
      const reports = await gatherer.gather('metrics', processes.filter(isReady));
      return sum.render(new Set(reports.keys()));
    }),
    // Reused, because each request would cause a message to every process. If a process that is not required hangs, the
    // others are healthy, and the check must not wait for it.
    health: reuse(250, async () => {
      const states = new Map(processes.map(({ number, state }) => [number, state()]));
      const required = processes.filter(({ isRequired }) => isRequired);
      const reports = await gatherer.gather('health', required.filter(isReady));
      const silent = required.filter((one) => isReady(one) && !reports.has(one.number));
      return summarizeHealth(
        reports,
        states,
        silent.map(({ number }) => number),
      );
    }),
  };
  return {
    receive(from: SupervisedProcess, message: ToSupervisor) {
      if (message.type === 'report') {
        if (message.topic === 'metrics') sum.record(from.number, message.value);
        gatherer.add(message.id, from, message.value);
      }
      if (message.type === 'summarize') {
        const { id, topic } = message;
        void summarize[topic]().then((value) => from.send({ type: 'summary', id, value }));
      }
    },
    onExit(exited: SupervisedProcess, isExpected: boolean) {
      if (!isExpected) sum.countExit();
      sum.retire(exited.number);
      gatherer.forget(exited);
    },
  };
}
