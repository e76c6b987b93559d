import { type AddressInfo, createServer, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import ssh2, { type Algorithms, type AuthContext, type Connection as SshConnection } from 'ssh2';
import type { Config } from '../config.ts';
import { type AttemptGuard, createAttemptGuard } from '../identity/index.ts';
import type { Database } from '../kernel/database/db.ts';
import { createShares, type Shares } from '../kernel/database/shares.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { Metrics } from '../kernel/monitoring/metrics.ts';
import { createOwnTurns } from '../kernel/values/turns.ts';
import { admitSocket } from './admit-socket.ts';
import { type Connection, identify } from './connection.ts';
import { type HostKey, publicSftpAddress } from './host-key.ts';
import { checkLogin } from './log-in.ts';
import { createMemory, type Memory } from './memory.ts';
import { createSftpMetrics, type SftpMetrics } from './metrics.ts';
import { findRevisions, type LoginRow, recordLogin, sftpChannel, upsertHostKey } from './queries.ts';
import { serveSession } from './session.ts';
import { acceptsPackets } from './ssh2-channel.ts';
import { rejectServerPackets } from './ssh2-packets.ts';
import { createTimeBudget, type TimeBudget } from './time-budget.ts';

/**
 * The SSH server. It offers the SFTP subsystem and nothing else: no shell, no commands, no forwarding. The sockets are
 * accepted here and passed to ssh2, so that limits apply before the first byte is parsed and reading can be paused.
 */
export type SftpServer = {
  readonly fingerprint: string;
  /** Returns the actual port, which differs from the given one only if that is 0. */
  listen(address: { host: string; port: number }): Promise<number>;
  /** Starts without a listener. `port` is the port on which another process accepts the connections. */
  start(port: number): Promise<void>;
  accept(socket: Socket): void;
  /** Closes the sessions of users that were changed or deleted since they logged in. */
  checkSessions(): Promise<void>;
  close(deadlineMs: number): Promise<void>;
};

export type ServerParts = {
  config: Config;
  db: Database;
  log: Log;
  metrics: Metrics;
  hostKey: HostKey;
  /** The limits of the chains, to which the process's requests count as well. */
  shares: Shares;
};

/**
 * Without compression, because a client could send data that expands a thousandfold. Without the Diffie-Hellman groups,
 * because each handshake with them blocks the process for up to 120 ms.
 */
const algorithms: Algorithms = {
  kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org', 'ecdh-sha2-nistp256', 'ecdh-sha2-nistp384'],
  // ChaCha20 is left out: without its native module, ssh2 is much slower with it, and OpenSSH would choose it.
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
};

rejectServerPackets();

const maxFailedLogins = 10;
const maxChannels = 10;
/** Sessions are also checked periodically, in case a notification was lost with the listening connection. */
const checkMs = 10_000;
const renewMs = 60_000;
/** How many exports of a chain are produced at the same time, each on a processor, and how long the others wait. */
const exportsPerChain = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
const exportWaitSeconds = 120;

type Shared = Omit<ServerParts, 'metrics'> & {
  connections: Set<Connection>;
  metrics: SftpMetrics;
  guard: AttemptGuard;
  memory: Memory;
  budget: TimeBudget;
  exports: Shares;
  listings: ReturnType<typeof createOwnTurns>;
  databaseFor(chainId: string): Database;
  isClosing(): boolean;
};

export function createSftpServer(parts: ServerParts): SftpServer {
  const { config, db, log, hostKey, shares } = parts;
  const connections = new Set<Connection>();
  let closing = false;
  const shared: Shared = {
    ...parts,
    connections,
    metrics: createSftpMetrics(parts.metrics, () => [...connections].filter(({ user }) => user).length),
    guard: createAttemptGuard(config.rateLimits.enforced),
    memory: createMemory(),
    budget: createTimeBudget(),
    exports: createShares(exportsPerChain, exportWaitSeconds),
    listings: createOwnTurns(),
    databaseFor: (chainId) => shares.limit(db, chainId),
    isClosing: () => closing,
  };
  const ssh = new ssh2.Server({
    hostKeys: [hostKey.pem],
    algorithms,
    ident: 'Aisle',
    keepaliveInterval: 30_000,
    keepaliveCountMax: 3,
  });
  const bySocket = new Map<string, Connection>();
  const accept = (socket: Socket) => {
    const connection = admitSocket(socket, shared);
    if (!connection) return;
    const key = `${socket.remoteAddress} ${socket.remotePort}`;
    bySocket.set(key, connection);
    socket.once('close', () => bySocket.delete(key));
    ssh.injectSocket(socket);
  };
  // Responses are small, and many clients wait for each of them.
  const listener = createServer({ noDelay: true }, accept);
  ssh.on('connection', (client, { ip, port, header }) => {
    const connection = bySocket.get(`${ip} ${port}`);
    if (!connection) {
      client.end();
      return;
    }
    connection.software = printable(header.versions.software);
    serveConnection(client, connection, shared);
  });
  const checkSessions = () => endOutdated(shared).catch((error) => logError(log, error));
  db.onNotified(sftpChannel, () => void checkSessions());
  const timers: NodeJS.Timeout[] = [];
  const start = async (port: number) => {
    const renew = () => upsertHostKey(db, { ...hostKey, ...publicSftpAddress(config, port) });
    await renew();
    timers.push(setInterval(() => void renew().catch((error) => logError(log, error)), renewMs).unref());
    timers.push(setInterval(() => void checkSessions(), checkMs).unref());
  };
  return {
    fingerprint: hostKey.fingerprint,
    checkSessions,
    async listen({ host, port }) {
      await new Promise<void>((resolve, reject) => {
        listener.once('error', reject);
        listener.listen(port, host, resolve);
      });
      const { port: bound } = listener.address() as AddressInfo;
      await start(bound);
      return bound;
    },
    start,
    accept,
    async close(deadlineMs) {
      closing = true;
      timers.forEach(clearInterval);
      const closed = new Promise((resolve) => listener.close(resolve));
      await endAll(connections, deadlineMs);
      await closed;
    },
  };
}

function serveConnection(client: SshConnection, connection: Connection, shared: Shared): void {
  const { log } = shared;
  client.on('error', (error) => {
    connection.endReason ??= error.message;
  });
  client.on('authentication', (context) => {
    void authenticate(context, connection, shared).catch((error) => {
      logError(log, error);
      // A response could fail too: a client can send a packet with which ssh2 forgets the client's request.
      connection.end('failed login');
    });
  });
  client.on('session', (accept, reject) => {
    if (connection.channels >= maxChannels) {
      connection.refuse('channel', `more than ${maxChannels} channels`);
      return reject();
    }
    connection.channels += 1;
    const session = accept();
    const { user } = connection;
    session.once('sftp', (acceptSftp, rejectSftp) => {
      if (!user || shared.isClosing()) return rejectSftp();
      if (!acceptsPackets(session)) {
        connection.refuse('sftp', 'the maximum packet size is too small');
        return rejectSftp();
      }
      // ssh2 keeps a channel without SFTP until the connection ends, so it counts until then.
      session.once('close', () => {
        connection.channels -= 1;
      });
      serveSession(
        acceptSftp(),
        {
          ...shared,
          connection,
          user,
          db: shared.databaseFor(user.chain_id),
          memory: shared.memory.forChain(user.chain_id),
        },
        shared.isClosing,
      );
    });
    // Clients send these by default, so they are rejected without being logged.
    for (const name of ['env', 'pty', 'window-change', 'signal'])
      session.on(name, (_: unknown, no?: () => void) => no?.());
    for (const name of ['shell', 'exec', 'subsystem', 'x11', 'auth-agent']) {
      session.on(name, (_: unknown, no?: () => void) => {
        connection.refuse(name);
        no?.();
      });
    }
  });
  for (const name of ['tcpip', 'openssh.streamlocal', 'request'] as const) {
    (client as NodeJS.EventEmitter).on(name, (_: unknown, no?: () => void) => {
      connection.refuse(name === 'request' ? 'forwarding' : name);
      no?.();
    });
  }
}

async function authenticate(context: AuthContext, connection: Connection, shared: Shared): Promise<void> {
  const { config, db, guard, metrics, log, connections } = shared;
  if (context.method === 'none') return context.reject(['publickey', 'password']);
  const closing = new AbortController();
  connection.whenClosed(() => closing.abort());
  const from = { network: connection.network, signal: closing.signal };
  const result = await checkLogin(context, { db, guard, from, passwordCost: config.passwordCost });
  if (result.outcome === 'probe') return context.accept();
  if (result.outcome === 'accepted') {
    const count = [...connections].filter(({ user }) => user?.chain_id === result.user.chain_id).length;
    if (count < config.sftp.chainConnections) return logIn(context, connection, result.user, shared);
    metrics.countRefusedConnection('chain');
    log.warn({
      event: 'sftp.connection_refused',
      ...identify({ ...connection, user: result.user }),
      reason: 'too many connections of the chain',
    });
    context.reject([]);
    return connection.end('too many connections of the chain');
  }
  metrics.countLogin(context.method, result.outcome);
  connection.failedLogins += 1;
  // Clients offer all of their keys, so unknown keys are not logged.
  if (result.reason !== 'unknown key') {
    const { address } = connection;
    const username = printable(context.username);
    log.warn({ event: 'sftp.login_failed', username, address, method: context.method, reason: result.reason });
  }
  context.reject(['publickey', 'password']);
  if (result.outcome === 'limited' || connection.failedLogins >= maxFailedLogins) connection.end('failed logins');
}

/** Checks the user again, because changes made before `connection.user` was set did not end this connection. */
async function logIn(context: AuthContext, connection: Connection, user: LoginRow, shared: Shared): Promise<void> {
  const { db, metrics } = shared;
  connection.user = user;
  const revisions = await findRevisions(db, [user.sftp_user_id]);
  if (revisions.get(user.sftp_user_id) !== user.revision) {
    connection.user = undefined;
    return context.reject(['publickey', 'password']);
  }
  await recordLogin(db, user.chain_id, user.sftp_user_id);
  metrics.countLogin(context.method, 'accepted');
  context.accept();
}

async function endOutdated({ connections, db }: Shared): Promise<void> {
  const users = [...connections].flatMap(({ user }) => user ?? []);
  if (users.length === 0) return;
  const revisions = await findRevisions(db, [...new Set(users.map((user) => user.sftp_user_id))]);
  for (const connection of connections) {
    const { user } = connection;
    if (user && revisions.get(user.sftp_user_id) !== user.revision) connection.end('user changed');
  }
}

/** Ends idle connections immediately, and gives uploads time to finish. */
async function endAll(connections: Set<Connection>, deadlineMs: number): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (connections.size > 0) {
    const isLate = performance.now() > deadline;
    for (const connection of connections) {
      if (isLate || (connection.pending === 0 && connection.uploads === 0)) connection.end('shutdown');
    }
    if (performance.now() > deadline + 1500) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function logError(log: Log, error: unknown): void {
  log.error({ event: 'sftp.error', error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
}
