import type { Socket } from 'node:net';
import type { ListenerName, SendToProcess } from './messages.ts';

/**
 * Passes connections on to the processes in turn. A process gets the next connection when it has confirmed the previous
 * one, so a busy process gets fewer. Until then the supervisor keeps the connection open: if the process dies before it
 * has confirmed, it has read nothing, and another process gets the connection. While no process is ready, connections
 * wait.
 *
 * All SFTP connections go to the same process, because their limits are counted in memory.
 */
export type Dispatcher = {
  dispatch(listener: ListenerName, socket: Socket): void;
  add(target: Target): void;
  /** The process gets no more connections, but confirms the one that was sent to it. */
  pause(target: Target): void;
  /** The process has exited. */
  remove(target: Target): void;
  confirm(target: Target): void;
  /** Closes the connections that are still waiting. */
  close(): void;
};

export type Target = { readonly number: number; send: SendToProcess };

type Connection = { listener: ListenerName; socket: Socket };

export function createDispatcher(maxWaiting = 1024): Dispatcher {
  const targets = new Set<Target>();
  /** The processes that can take a connection, in the order of their turns. */
  let free: Target[] = [];
  let waiting: Connection[] = [];
  const sent = new Map<Target, Connection>();

  const assign = () => {
    waiting = waiting.filter((connection) => {
      const target = findTarget(connection);
      if (!target) return true;
      free = free.filter((other) => other !== target);
      sent.set(target, connection);
      target.send({ type: 'connection', listener: connection.listener }, connection.socket);
      return false;
    });
  };
  const findTarget = ({ listener }: Connection): Target | undefined => {
    if (listener !== 'sftp') return free[0];
    const first = [...targets].toSorted((a, b) => a.number - b.number)[0];
    return free.find((target) => target === first);
  };
  const pause = (target: Target) => {
    targets.delete(target);
    free = free.filter((other) => other !== target);
  };
  return {
    dispatch(listener, socket) {
      socket.on('error', () => {});
      if (waiting.length >= maxWaiting) socket.destroy();
      else waiting.push({ listener, socket });
      assign();
    },
    add(target) {
      targets.add(target);
      free.push(target);
      assign();
    },
    pause,
    remove(target) {
      pause(target);
      const lost = sent.get(target);
      sent.delete(target);
      if (lost) waiting.unshift(lost);
      assign();
    },
    confirm(target) {
      // Closes only the copy in this process.
      sent.get(target)?.socket.destroy();
      sent.delete(target);
      if (targets.has(target)) free.push(target);
      assign();
    },
    close() {
      for (const { socket } of waiting) socket.destroy();
      waiting = [];
    },
  };
}
