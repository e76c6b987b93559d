import pg from 'pg';
import type { DatabaseOptions } from './database.ts';
import { isConnectionLoss } from './errors.ts';
import { interceptRows, type ReceivingConnection } from './received-rows.ts';
import { isOnThisMachine, lowerServerPriority } from './server-process.ts';
import { destroy, type Locator, readTimeout } from './servers.ts';

/** How long opening a connection can take. */
const connectMs = 5000;

export function openPool(
  options: DatabaseOptions,
  connections: number,
  open: Set<pg.PoolClient>,
  locator: Locator,
): pg.Pool {
  const servers = new Map<pg.Client, string | undefined>();
  /** Called by the pool with `new`. */
  function createClient(config: pg.ClientConfig): pg.Client {
    const client = new pg.Client(config);
    interceptRows((client as unknown as { connection: ReceivingConnection }).connection);
    servers.set(client, config.connectionString);
    client.once('end', () => servers.delete(client));
    return client;
  }
  const pool = new pg.Pool({
    Client: createClient as unknown as typeof pg.Client,
    connectionString: locator.current(),
    max: connections,
    application_name: options.name,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    // If the server's host disappears, a connection that waits for a response fails within half a minute.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    async onConnect(client) {
      await locator.check(client);
      if (!options.isPooled) await client.query({ text: sessionSettings(options), ...readTimeout(connectMs) });
    },
  });
  if (locator.hasChoice) followServers(pool, servers, locator);
  pool.on('error', options.onError);
  pool.on('connect', (client) => {
    // A connection can fail while it is being checked out, before the code that uses it has added a listener. An
    // unhandled error event would end the process.
    client.on('error', () => {});
    open.add(client);
    client.once('end', () => open.delete(client));
  });
  return pool;
}

/** Behind a pooler, connections of PostgreSQL are shared, so their priority cannot be lowered. */
export function openTaskPool(
  options: DatabaseOptions,
  open: Set<pg.PoolClient>,
  locator: Locator,
): pg.Pool | undefined {
  const { taskConnections, isPooled } = options;
  if (taskConnections === undefined || isPooled || !isOnThisMachine(locator.current())) return undefined;
  const pool = openPool(options, taskConnections, open, locator);
  pool.on('connect', lowerServerPriority);
  return pool;
}

/**
 * If a connection cannot be opened, looks for another server once. When another server is used, those to the previous one
 * are closed, because they may never respond. The pool uses its options for each new connection.
 */
function followServers(pool: pg.Pool, servers: Map<pg.Client, string | undefined>, locator: Locator): void {
  locator.onMoved((url) => {
    pool.options.connectionString = url;
    for (const [client, server] of servers) if (server !== url) destroy(client);
  });
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const followed = async () => {
    pool.options.connectionString = locator.current();
    try {
      return await connect();
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      pool.options.connectionString = await locator.locate();
      return connect();
    }
  };
  pool.connect = followed as typeof pool.connect;
}

/**
 * Sent as a statement on every new connection, because poolers reject unknown startup parameters. JIT is off because
 * our statements are short, and compiling one takes up to a second to save milliseconds. If a process is frozen or its
 * machine disappears, PostgreSQL ends its transactions, so that others do not wait for their locks, and closes its
 * connections.
 */
function sessionSettings({ statementSeconds, lockSeconds }: DatabaseOptions): string {
  const limit = (name: string, seconds: number | undefined) =>
    seconds === undefined ? [] : [`set ${name} = '${seconds}s'`];
  return [
    'set jit = off',
    ...limit('statement_timeout', statementSeconds),
    ...limit('lock_timeout', lockSeconds),
    ...limit('idle_in_transaction_session_timeout', 60),
    'set tcp_keepalives_idle = 60; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 6',
  ].join('; ');
}
