import { type ChildProcess, fork } from 'node:child_process';
import { OperatorError } from '../kernel/failures/operator-error.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { ListenerName, SendToProcess, ToSupervisor } from './messages.ts';
import type { ProcessState } from './summaries.ts';

/**
 * A process that is started again when it exits: at once if it has run for a while, otherwise after a delay that grows.
 * After too many failures in a row, a required one is given up. It keeps its number.
 */
export type SupervisedProcess = ProcessKind & {
  readonly number: number;
  state(): ProcessState;
  /** Resolves with what the process sends when it is ready for the first time. */
  start(): Promise<unknown>;
  send: SendToProcess;
  /** Lets it finish what is in progress. It is not started again. */
  stop(): Promise<void>;
  kill(): void;
};

export type ProcessKind = {
  /** The ports whose connections it gets. */
  readonly listeners: readonly ListenerName[];
  /** Whether it is given up after too many failures. Otherwise, it is started again for ever, after it was ready once. */
  readonly isRequired: boolean;
};

export type ProcessOptions = ProcessKind & {
  number: number;
  program: string;
  args: string[];
  /** What the process gets when it is started. */
  values(): unknown;
  log: Log;
  /** A process that takes longer to stop is killed. */
  stopMs: number;
  onMessage(message: ToSupervisor): void;
  onReady(): void;
  /** It is about to stop, and takes no more connections. */
  onLeaving(): void;
  onExit(isExpected: boolean): void;
  /** It has failed too often after it had been ready. Before that, `start` fails. */
  onGivenUp(error: OperatorError): void;
};

/** A process that runs this long has started successfully, whatever happens to it later. */
const stableMs = 10_000;
const maxFailures = 5;
const maxDelayMs = 5000;

export function createSupervisedProcess(options: ProcessOptions): SupervisedProcess {
  const { number, listeners, isRequired, log } = options;
  const first = Promise.withResolvers<unknown>();
  const delays = createDelays();
  let current: Running | undefined;
  let state: ProcessState = 'starting';
  let [hasBeenReady, isStopping] = [false, false];
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    current = startChild(options, receive, onExit);
    send({ type: 'start', number, values: options.values() });
    return first.promise;
  };
  const receive = (message: ToSupervisor) => {
    if (message.type === 'ready') {
      state = 'ready';
      hasBeenReady = true;
      options.onReady();
      first.resolve(message.values);
    } else if (message.type === 'failed') giveUp(message.message);
    else if (message.type === 'leave') {
      if (current) current.isLeaving = true;
      state = 'restarting';
      requestStop();
    } else options.onMessage(message);
  };
  const onExit = ({ isLeaving, startedAt }: Running, code: number | null, signal: NodeJS.Signals | null) => {
    const isExpected = isLeaving || isStopping;
    current = undefined;
    if (hasBeenReady) state = 'restarting';
    options.onExit(isExpected);
    if (!isExpected) log.warn({ event: 'process.exited', number, code, signal });
    if (isStopping) return;
    const { isFinal, ms } = delays.next(isExpected || performance.now() - startedAt > stableMs);
    if (isFinal && (isRequired || !hasBeenReady)) giveUp(tooManyExits(number));
    else timer = setTimeout(run, ms);
  };
  const giveUp = (message: string) => {
    if (!isRequired && hasBeenReady) return log.error({ event: 'process.failed', number, error: message });
    isStopping = true;
    const error = new OperatorError(message);
    return hasBeenReady ? options.onGivenUp(error) : first.reject(error);
  };
  const send: SendToProcess = (message, socket) => {
    // The process may have exited a moment ago; `onExit` handles that.
    if (current?.child.connected) current.child.send(message, socket, { keepOpen: true }, () => {});
  };
  const requestStop = () => {
    options.onLeaving();
    send({ type: 'stop' });
  };
  const stop = async () => {
    isStopping = true;
    clearTimeout(timer);
    requestStop();
    if (current) await exitOrKill(current, options.stopMs);
  };
  const kill = () => void current?.child.kill('SIGKILL');
  return { number, listeners, isRequired, state: () => state, start: run, send, stop, kill };
}

type Running = { child: ChildProcess; startedAt: number; exited: Promise<void>; isLeaving: boolean };
type OnExit = (running: Running, code: number | null, signal: NodeJS.Signals | null) => void;

function startChild(options: ProcessOptions, onMessage: (message: ToSupervisor) => void, onExit: OnExit): Running {
  const { number, program, args, log } = options;
  const child = fork(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
  const { promise: exited, resolve } = Promise.withResolvers<void>();
  const running: Running = { child, startedAt: performance.now(), exited, isLeaving: false };
  const receive = (message: unknown) => onMessage(message as ToSupervisor);
  child.on('message', receive);
  child.on('error', (error) => log.warn({ event: 'process.error', number, error: error.message }));
  child.once('close', (code, signal) => {
    child.off('message', receive);
    onExit(running, code, signal);
    resolve();
  });
  return running;
}

function tooManyExits(number: number): string {
  return `Process ${number} has exited ${maxFailures} times in a row soon after its start.`;
}

/** The delays before the next starts. `isFinal` after too many failures in a row. */
function createDelays() {
  let failures = 0;
  return {
    next(wasStable: boolean): { isFinal: boolean; ms: number } {
      failures = wasStable ? 0 : failures + 1;
      const ms = failures === 0 ? 0 : Math.min(100 * 2 ** failures, maxDelayMs);
      return { isFinal: failures >= maxFailures, ms };
    },
  };
}

async function exitOrKill({ child, exited }: Running, afterMs: number): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  await exited;
  clearTimeout(timer);
}
