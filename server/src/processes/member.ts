import type { Socket } from 'node:net';
import type { CheckResult } from '../kernel/http/health.ts';
import type { ListenerName, MetricsReport, Report, Reports, ToProcess, Topic, ToSupervisor } from './messages.ts';

/** A supervised process's view of the others. */
export type Member = {
  /** The metrics and the health of all processes together. */
  summarizeMetrics(): Promise<string>;
  summarizeHealth(): Promise<CheckResult[]>;
  /** What this process contributes to them. */
  report(sources: Sources): void;
  /** Tells the other processes about requests without valid credentials. */
  sendCount(network: string, count: number): void;
  onCount(receive: (network: string, count: number) => void): void;
};

type Sources = { metrics(): Promise<MetricsReport>; health(): Promise<CheckResult[]> };

/** The connection of a process to its supervisor. */
export type SupervisorLink = {
  number: number;
  /** What the supervisor's program has passed to this process. */
  values: unknown;
  member: Member;
  send(message: ToSupervisor): void;
  onConnection(listener: ListenerName, accept: (socket: Socket) => void): void;
};

/** Called when the process must stop, or when the supervisor has died. */
export type StopSignals = { onStop(): void; onLost(): void };

/**
 * Waits for the supervisor's first message. Ctrl-C in a terminal, and closing it, reaches all processes, but only the
 * supervisor decides what happens then. On SIGTERM, a process finishes what is in progress, and the supervisor starts it
 * again.
 */
export async function linkToSupervisor({ onStop, onLost }: StopSignals): Promise<SupervisorLink> {
  const started = Promise.withResolvers<{ number: number; values: unknown }>();
  const accepting: Partial<Record<ListenerName, (socket: Socket) => void>> = {};
  const { member, receive } = createMember();
  process.on('message', (message: ToProcess, socket?: Socket) => {
    if (message.type === 'start') started.resolve(message);
    else if (message.type === 'stop') onStop();
    else if (message.type === 'connection') {
      // Before anything is read, because otherwise another process gets the connection if this one dies.
      send({ type: 'accepted' });
      if (socket) acceptSocket(message.listener, socket, accepting[message.listener]);
    } else receive(message);
  });
  process.once('disconnect', onLost);
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
  process.on('SIGTERM', () => send({ type: 'leave' }));
  return {
    ...(await started.promise),
    member,
    send,
    onConnection: (listener, accept) => void (accepting[listener] = accept),
  };
}

function send(message: ToSupervisor): void {
  // The supervisor may have died; `onLost` handles that.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

function acceptSocket(listener: ListenerName, socket: Socket, accept: ((socket: Socket) => void) | undefined): void {
  // As for all connections of an HTTP server: a client can close its side before it reads the response. An SFTP
  // connection that the client closes has ended.
  socket.allowHalfOpen = listener !== 'sftp';
  if (accept) accept(socket);
  else socket.destroy();
}

function createMember() {
  const waiting = new Map<number, (value: unknown) => void>();
  let lastId = 0;
  let sources: Sources | undefined;
  let count: ((network: string, count: number) => void) | undefined;
  const summarize = (topic: Topic) =>
    new Promise<unknown>((resolve) => {
      const id = ++lastId;
      waiting.set(id, resolve);
      send({ type: 'summarize', id, topic });
    });
  const member: Member = {
    summarizeMetrics: async () => (await summarize('metrics')) as string,
    summarizeHealth: async () => (await summarize('health')) as CheckResult[],
    report: (given) => void (sources = given),
    sendCount: (network, number) => send({ type: 'counted', network, count: number }),
    onCount: (receive) => void (count = receive),
  };
  const receive = (message: ToProcess) => {
    if (message.type === 'report') void sendReport(message.id, message.topic, sources);
    if (message.type === 'counted') count?.(message.network, message.count);
    if (message.type === 'summary') {
      waiting.get(message.id)?.(message.value);
      waiting.delete(message.id);
    }
  };
  return { member, receive };
}

async function sendReport(id: number, topic: Topic, sources: Sources | undefined): Promise<void> {
  const value: Reports[Topic] = (await sources?.[topic]()) ?? [];
  send({ type: 'report', id, topic, value } as Report);
}
