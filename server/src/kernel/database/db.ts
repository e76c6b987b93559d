import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Announcer, createAnnouncer } from './announce.ts';
import { Failure } from '../failures/failure.ts';
import { isConflict, isConnectionLoss, translateErrors } from './errors.ts';

/** Runs statements, either one at a time on the pool or in a transaction. */
export type Db = { query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> };

/** A running transaction. A function that must be atomic with its caller takes a `Tx`, not a `Db`. */
export type Tx = Db & {
  readonly client: pg.PoolClient;
  /**
   * Calls `hint` after the commit, unless the process dies first. Use this only for hints, such as clearing a cache.
   */
  afterCommit(hint: () => void): void;
  /**
   * Notifies the listeners on the channel after the commit. This is also only a hint. `subject` says what has changed
   * (see `subjectsOf`); if it is absent, anything can have changed.
   */
  announce(channel: string, subject?: string): void;
  /**
   * Notifies the channel as part of the commit, so the notification is not lost. Local handlers run before
   * `transaction` returns.
   */
  notify(channel: string): Promise<void>;
};

export type Database = Db & {
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs the handler after each transaction in this process that notified the channel and was committed. */
  onNotified(channel: string, handler: () => void): void;
  /** The same pool, for background work: statements in its transactions have no timeout, and can wait for locks. */
  readonly withoutTimeout: Database;
  /** The same, for transactions that hold locks for which all chains wait (see `idleLimit`). */
  readonly withIdleLimit: Database;
  readonly pool: pg.Pool;
  /** Call this if the database server is gone for good. From then on, everything fails immediately. */
  abandon(): void;
  /** Waits a few seconds for connections in use, then closes them too. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  connections: number;
  /** Prepared statements are 1.5 times as fast, but old pgbouncer versions do not support them in transaction mode. */
  preparedStatements: boolean;
  /** The statement timeout. If absent, there is none. */
  statementSeconds?: number;
  /** The maximum time to wait for a lock. If absent, the wait is unlimited. */
  lockSeconds?: number;
  name: string;
  onError: (error: Error) => void;
};

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    application_name: options.name,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    onConnect: async (client) => void (await client.query(sessionSettings(options))),
  });
  pool.on('error', options.onError);
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    // A connection can fail while it is being checked out, before the code that uses it has added a listener. An
    // unhandled error event would end the process.
    client.on('error', () => {});
    open.add(client);
    client.once('end', () => open.delete(client));
  });
  const named = options.preparedStatements;
  let isGone = false;
  const ifPresent = <Result>(work: () => Promise<Result>) => {
    if (!isGone) return work();
    throw new Failure('service_unavailable', 'The database has stopped.', { headers: { 'retry-after': '5' } });
  };
  const announce = createAnnouncer((channel, payload) =>
    run(pool, named, 'select pg_notify($1, $2)', [channel, payload]),
  );
  const handlers = new Map<string, (() => void)[]>();
  const runHandlers = (channel: string) => handlers.get(channel)?.forEach((handler) => handler());
  const database = (begin: string): Database => ({
    pool,
    onNotified: (channel, handler) => handlers.set(channel, [...(handlers.get(channel) ?? []), handler]),
    query: (text, values) => translateErrors(() => ifPresent(() => run(pool, named, text, values))),
    transaction: (work) => {
      const attempt = () => inTransaction(pool, named, { announce, runHandlers }, begin, work);
      return translateErrors(() => retryConflicts(() => ifPresent(attempt)));
    },
    get withoutTimeout() {
      return database(beginWithoutTimeout);
    },
    get withIdleLimit() {
      return database(`${beginWithoutTimeout}; set local idle_in_transaction_session_timeout = '${maxIdleSeconds}s'`);
    },
    abandon() {
      isGone = true;
    },
    close: () => close(pool, open),
  });
  return database('begin');
}

export const beginWithoutTimeout =
  "begin; set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = '300s'";

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

/**
 * `pool.end()` waits for connections in use, however long, but not for the sockets to close, so a database server that
 * is stopped next could still reset them. This function waits up to two seconds for the pool and two for the sockets.
 */
async function close(pool: pg.Pool, open: Set<pg.PoolClient>): Promise<void> {
  const deadline = () => sleep(2000, undefined, { ref: false });
  await Promise.race([pool.end(), deadline()]);
  const ends = [...open].map((client) => new Promise((resolve) => client.once('end', resolve)));
  await Promise.race([Promise.all(ends), deadline()]);
  for (const client of open) (client as ConnectedClient).connection.stream.destroy();
}

/** Adds a property that is missing from the type of a client. */
type ConnectedClient = pg.PoolClient & { connection: { stream: Duplex } };

/**
 * Runs `work` in a savepoint, so that a failure rolls back only the changes in `work` and the transaction can continue.
 */
export async function savepoint<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  await tx.client.query('savepoint inner_work');
  try {
    const result = await work();
    await tx.client.query('release savepoint inner_work');
    return result;
  } catch (error) {
    await tx.client.query('rollback to savepoint inner_work');
    throw error;
  }
}

/** Sets the timeout for the remaining statements in the transaction. */
export async function limitStatements(tx: Tx, seconds: number): Promise<void> {
  await tx.query("select set_config('statement_timeout', $1, true)", [`${seconds}s`]);
}

/**
 * Ends the transaction if the process does not send a statement for this long. For transactions that hold a lock for
 * which all chains wait. To be used in a statement, before the lock is taken.
 */
export function idleLimit(seconds = maxIdleSeconds): string {
  return `set_config('idle_in_transaction_session_timeout', '${seconds}s', true)`;
}

const maxIdleSeconds = 10;

/** Makes the transaction commit without waiting for the disk. Use this only for work that is repeated after a crash. */
export async function skipFlush(tx: Tx): Promise<void> {
  await tx.client.query('set local synchronous_commit = off');
}

async function run<Row>(
  on: pg.Pool | pg.PoolClient,
  named: boolean,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const query = named ? { name: statementName(text), text, values: [...values] } : { text, values: [...values] };
  const result = await on.query(query as pg.QueryConfig);
  return result.rows as Row[];
}

const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (!name) {
    name = `s${statementNames.size + 1}`;
    statementNames.set(text, name);
  }
  return name;
}

async function inTransaction<Result>(
  pool: pg.Pool,
  named: boolean,
  { announce, runHandlers }: { announce: Announcer; runHandlers: (channel: string) => void },
  begin: string,
  work: (tx: Tx) => Promise<Result>,
) {
  const client = await pool.connect();
  const hints: (() => void)[] = [];
  // An error is emitted if the connection fails while it is idle in the transaction. The next statement fails anyway.
  const ignoreError = () => {};
  client.on('error', ignoreError);
  let connectionError: Error | undefined;
  try {
    await client.query(begin);
    const result = await work({
      client,
      query: (text, values) => run(client, named, text, values),
      afterCommit: (hint) => hints.push(hint),
      announce: (channel, subject = '') => hints.push(() => announce(channel, subject)),
      async notify(channel) {
        hints.push(() => runHandlers(channel));
        await run(client, named, 'select pg_notify($1, $2)', [channel, '']);
      },
    });
    await commit(client);
    for (const hint of hints) hint();
    return result;
  } catch (error) {
    connectionError = await rollback(client, error);
    throw error;
  } finally {
    client.off('error', ignoreError);
    client.release(connectionError);
  }
}

/** A connection lost during COMMIT leaves the outcome unknown, so the transaction must not be retried here. */
async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('commit');
  } catch (error) {
    throw isConnectionLoss(error) ? lostCommit(error) : error;
  }
}

function lostCommit(cause: unknown): Failure {
  const detail =
    'The connection to the database was lost while the change was being saved, so the change may or may not have been saved. Send the request again with the same Idempotency-Key, or check the result first.';
  const failure = new Failure('service_unavailable', detail, { headers: { 'retry-after': '5' } });
  failure.cause = cause;
  return failure;
}

async function rollback(client: pg.PoolClient, cause: unknown): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return isConnectionLoss(cause) ? (cause as Error) : undefined;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Retries after a deadlock, a serialization failure or a connection lost before COMMIT. Each of these rolls back
 * everything.
 */
async function retryConflicts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const isRetryable = isConflict(error) || isConnectionLoss(error);
      if (!isRetryable || tries === 4) throw error;
      await sleep(50 * 3 ** tries * (0.5 + Math.random()));
    }
  }
}
