import type { Socket } from 'node:net';
import type { Log } from '../kernel/monitoring/log.ts';
import type { SftpMetrics } from './metrics.ts';
import { paceReading } from './pace-reading.ts';
import type { LoginRow } from './queries.ts';
import type { TimeBudget } from './time-budget.ts';

/** An SSH connection, from its first byte to its end. */
export type Connection = {
  readonly socket: Socket;
  readonly address: string;
  readonly network: string;
  readonly startedAt: number;
  /** The software name and version that the client sent. */
  software: string;
  user: LoginRow | undefined;
  channels: number;
  failedLogins: number;
  /** The number of requests that are queued or being handled. */
  pending: number;
  uploads: number;
  files: number;
  received: number;
  sent: number;
  refused: number;
  /** Why the connection ended, for the log. */
  endReason: string | undefined;
  /** Whether the server has ended the connection. */
  isEnded: boolean;
  /** Counts and logs a refused request. */
  refuse(what: string, detail?: string): void;
  /** Adds to the bytes of queued requests. While there are too many, nothing is read from the socket. */
  hold(bytes: number): void;
  release(bytes: number): void;
  /** Restarts the idle timeout. */
  touch(): void;
  end(reason: string): void;
  /** Returns a function that cancels this. A client can open and close many sessions before it closes the connection. */
  whenClosed(work: () => void): () => void;
};

const maxHeldBytes = 2 * 1024 * 1024;
/** A login takes a few kilobytes, also if the client offers many keys. */
const maxLoginBytes = 128 * 1024;
/** Further refusals are only counted, so that a client cannot fill the log. */
const maxLoggedRefusals = 50;

export function createConnection(
  socket: Socket,
  addresses: { address: string; network: string },
  { log, metrics, budget, idleMs }: { log: Log; metrics: SftpMetrics; budget: TimeBudget; idleMs: number },
): Connection {
  let held = 0;
  const idle = setTimeout(() => connection.end('idle'), idleMs).unref();
  const closing = new Set([() => clearTimeout(idle)]);
  socket.once('close', () => closing.forEach((work) => work()));
  const connection: Connection = {
    ...addresses,
    socket,
    startedAt: performance.now(),
    software: '',
    user: undefined,
    channels: 0,
    failedLogins: 0,
    pending: 0,
    uploads: 0,
    files: 0,
    received: 0,
    sent: 0,
    refused: 0,
    endReason: undefined,
    isEnded: false,
    refuse(what, detail) {
      connection.refused += 1;
      metrics.countRefusedRequest();
      if (connection.refused > maxLoggedRefusals) return;
      log.warn({ event: 'sftp.refused', ...identify(connection), request: what, ...(detail && { detail }) });
    },
    hold(bytes) {
      held += bytes;
      if (held > maxHeldBytes) reading.pause('requests');
    },
    release(bytes) {
      held -= bytes;
      if (held <= maxHeldBytes / 2) reading.resume('requests');
    },
    whenClosed(work) {
      closing.add(work);
      return () => closing.delete(work);
    },
    touch: () => void idle.refresh(),
    end(reason) {
      if (connection.isEnded) return;
      connection.endReason ??= reason;
      connection.isEnded = true;
      socket.end();
      // A client that does not close its side would keep the connection open.
      setTimeout(() => socket.destroy(), 1000).unref();
    },
  };
  const reading = paceReading(socket, {
    spend: (ms) => budget.spend(connection.user?.chain_id ?? addresses.network, ms),
    isWanted() {
      if (!connection.user && socket.bytesRead > maxLoginBytes) connection.end('too many bytes before the login');
      return !connection.isEnded;
    },
  });
  return connection;
}

/** Log fields that identify the user and the client's address. */
export function identify({ user, address }: Pick<Connection, 'user' | 'address'>) {
  return { ...(user && { chain_id: user.chain_id, username: user.username }), address };
}
