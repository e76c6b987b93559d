import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { networkOf, normalizeAddress } from '../kernel/outbound/addresses.ts';
import { type Connection, createConnection, identify } from './connection.ts';
import type { SftpMetrics } from './metrics.ts';
import { findDisplaced } from './rules/displaced.ts';
import type { TimeBudget } from './time-budget.ts';

type Admission = {
  config: Config;
  connections: Set<Connection>;
  metrics: SftpMetrics;
  budget: TimeBudget;
  log: Log;
  isClosing(): boolean;
};

/** Closes the socket at once if it exceeds a limit. */
export function admitSocket(
  socket: Socket,
  { config, connections, metrics, budget, log, isClosing }: Admission,
): Connection | undefined {
  const address = normalizeAddress(socket.remoteAddress ?? '');
  const network = networkOf(address);
  const all = [...connections];
  const waiting = all.filter(({ user, isEnded }) => !user && !isEnded);
  const isBusy = all.filter((one) => one.network === network).length >= config.sftp.addressConnections;
  const isFull = waiting.length >= config.sftp.unauthenticatedConnections && !isBusy && !displace(waiting, network);
  if (isFull || isBusy || isClosing()) {
    metrics.countRefusedConnection(isFull ? 'unauthenticated' : isBusy ? 'address' : 'closing');
    log.warn({
      event: 'sftp.connection_refused',
      address,
      reason: isFull ? 'too many logins' : 'too many connections',
    });
    socket.destroy();
    return undefined;
  }
  const idleMs = config.sftp.idleSeconds * 1000;
  const connection = createConnection(socket, { address, network }, { log, metrics, budget, idleMs });
  connections.add(connection);
  const loginMs = config.sftp.loginSeconds * 1000;
  const timers = [
    setTimeout(() => connection.user ?? connection.end('no login'), loginMs).unref(),
    setTimeout(() => connection.software || connection.end('no SSH client'), Math.min(loginMs, maxSilentMs)).unref(),
  ];
  socket.once('close', () => {
    timers.forEach(clearTimeout);
    connections.delete(connection);
    logEnd(log, connection);
  });
  // ssh2 emits socket errors on its client object, but only after the first line has been received.
  socket.on('error', () => {});
  return connection;
}

/** How long a client can wait before it identifies itself, which is the first thing that SSH clients do. */
const maxSilentMs = 10_000;

function displace(waiting: Connection[], network: string): boolean {
  const displaced = findDisplaced(waiting, network);
  displaced?.end('displaced by another network');
  return displaced !== undefined;
}

function logEnd(log: Log, connection: Connection): void {
  const { user, software, startedAt, files, received, sent, refused, endReason } = connection;
  const seconds = Math.round(performance.now() - startedAt) / 1000;
  const counts = { files, received_bytes: received, sent_bytes: sent, refused };
  const reason = endReason && { reason: endReason };
  const line = { event: 'sftp.session', ...identify(connection), client: software, seconds, ...counts, ...reason };
  if (user) log.info(line);
  else log.debug({ ...line, event: 'sftp.connection' });
}
