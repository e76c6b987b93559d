import type { Socket } from 'node:net';
import type { Network } from '../kernel/outbound/addresses.ts';
import { type ListenerName, listenerNames, type SendToProcess } from './messages.ts';
import { type Connection, createNetworks, createWaitingConnections } from './waiting-connections.ts';

/**
 * Passes connections on to the processes in turn. A process confirms each connection before it reads from it, and until
 * then the supervisor keeps the connection open: if the process dies, another one gets the connection. A process that
 * has not confirmed many connections is busy, and gets no more for now; one that does not confirm for seconds hangs, and
 * is killed if it does not recover. Connections that no process can take wait.
 *
 * Each port has its own places for waiting connections, in which networks take turns.
 */
export type Dispatcher = {
  dispatch(listener: ListenerName, socket: Socket): void;
  add(target: Target): void;
  /** The process gets no more connections, but confirms those that were sent to it. */
  pause(target: Target): void;
  /** The process has exited. */
  remove(target: Target): void;
  /** The process has received the oldest connection that it had not confirmed. */
  confirm(target: Target): void;
  /** Must be called about once per second. */
  check(): void;
  /** Closes the connections that are still waiting. */
  close(): void;
};

export type Target = {
  /** The ports whose connections it takes. */
  readonly listeners: readonly ListenerName[];
  send: SendToProcess;
  /** Called if the process hangs. */
  kill(): void;
};

export type Limits = {
  /** How many connections a process can have that it has not confirmed. */
  unconfirmed: number;
  /** How many connections can wait at each port. Node cannot stop accepting them, so there must be room for a burst. */
  waiting: Record<ListenerName, number>;
  /** When a process that does not confirm gets no more connections. */
  hangingMs: number;
  killMs: number;
};

const defaultLimits: Limits = {
  unconfirmed: 32,
  waiting: { http: 4096, metrics: 64, sftp: 256 },
  hangingMs: 2000,
  killMs: 30_000,
};

export function createDispatcher(
  trustedProxies: readonly Network[],
  limits = defaultLimits,
  now = () => performance.now(),
): Dispatcher {
  /** The processes that can take connections, in the order of their turns, and all that have unconfirmed ones. */
  let targets: Target[] = [];
  const sent = new Map<Target, Connection[]>();
  const waiting = {
    http: createWaitingConnections(limits.waiting.http),
    metrics: createWaitingConnections(limits.waiting.metrics),
    sftp: createWaitingConnections(limits.waiting.sftp),
  };
  const networkFor = createNetworks(trustedProxies);

  const hasHungFor = (target: Target, ms: number) => {
    const oldest = sent.get(target)?.[0];
    return oldest !== undefined && now() - oldest.sentAt > ms;
  };
  const findTarget = (listener: ListenerName): Target | undefined => {
    const suitable = targets.filter(({ listeners }) => listeners.includes(listener));
    const responsive = suitable.filter((target) => !hasHungFor(target, limits.hangingMs));
    const target = responsive.toSorted((a, b) => countOf(a) - countOf(b))[0];
    return target && countOf(target) < limits.unconfirmed ? target : undefined;
  };
  const countOf = (target: Target) => sent.get(target)?.length ?? 0;
  const assign = (listener: ListenerName) => {
    for (;;) {
      const target = findTarget(listener);
      const connection = target && waiting[listener].take();
      if (!connection) return;
      targets = [...targets.filter((other) => other !== target), target];
      const unconfirmed = sent.get(target) ?? [];
      unconfirmed.push({ ...connection, sentAt: now() });
      sent.set(target, unconfirmed);
      target.send({ type: 'connection', listener }, connection.socket);
    }
  };
  const assignAll = () => listenerNames.forEach(assign);
  const pause = (target: Target) => {
    targets = targets.filter((other) => other !== target);
  };
  return {
    dispatch(listener, socket) {
      socket.on('error', () => {});
      waiting[listener].add({ listener, socket, network: networkFor(socket), sentAt: 0 });
      assign(listener);
    },
    add(target) {
      targets.push(target);
      assignAll();
    },
    pause,
    remove(target) {
      pause(target);
      const lost = sent.get(target) ?? [];
      sent.delete(target);
      for (const connection of lost.toReversed()) waiting[connection.listener].putBack(connection);
      assignAll();
    },
    confirm(target) {
      // Closes only the copy in this process.
      sent.get(target)?.shift()?.socket.destroy();
      assignAll();
    },
    check() {
      for (const target of sent.keys()) if (hasHungFor(target, limits.killMs)) target.kill();
      assignAll();
    },
    close() {
      for (const listener of listenerNames) waiting[listener].clear();
    },
  };
}
