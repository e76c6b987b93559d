import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { isConflict, isStalePlan, isUnusable } from './errors.ts';
import { createGroup, type Result, type StatementText } from './group.ts';
import { toParameters } from './parameters.ts';
import type { QueryOptions } from './tx.ts';

/** How statements are sent. */
export type Wire = {
  /** Whether statements are prepared once per connection, which is 1.5 times as fast. */
  named: boolean;
  /**
   * The connection is closed if a response takes longer. Otherwise, statements sent to a server whose host has
   * disappeared would wait until the operating system gives up, which takes a quarter of an hour.
   */
  deadlineMs: number | undefined;
  /** Whether a pooler gives each transaction another connection. */
  isPooled: boolean;
  /** A statement that is sent before each single statement, in the same transaction. */
  settings?: string | undefined;
  /** Whether the connection is to a node of a distributed database instead of its coordinator. */
  isNode: boolean;
};

/** Runs a statement on a connection from the pool. */
export function runOnPool<Row>(pool: pg.Pool, ...statement: Statement): Promise<Row[]> {
  return onConnection(pool, (client) => runStatement(client, ...statement));
}

/** Runs a statement with `work` on a connection from the pool. */
export async function onConnection<Result>(
  pool: pg.Pool,
  work: (client: ConnectedClient) => Promise<Result>,
): Promise<Result> {
  const client = (await pool.connect()) as ConnectedClient;
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    // If PostgreSQL has reported the error, the connection can be used again.
    failure = error instanceof pg.DatabaseError && !isUnusable(error) ? undefined : (error as Error);
    throw error;
  } finally {
    client.release(failure);
  }
}

/** The number of bytes that were received for these rows, and for statements sent together with theirs. */
export function receivedBytes(rows: unknown[]): number {
  return received.get(rows) ?? 0;
}

export type Statement = [wire: Wire, text: string, values?: readonly unknown[], options?: QueryOptions];

/** The types do not declare `connection`. */
export type ConnectedClient = pg.PoolClient & { connection: { stream: Socket } };

/**
 * A statement that fails because of others, such as a read that deadlocks with the migration of a newer version, is
 * repeated once: it had no effect.
 */
export async function runStatement<Row>(client: ConnectedClient, ...statement: Statement): Promise<Row[]> {
  try {
    return await runOnce(client, ...statement);
  } catch (error) {
    if (!isConflict(error)) throw error;
    if (isStalePlan(error)) stopPreparing(statement[1]);
    return runOnce(client, ...statement);
  }
}

async function runOnce<Row>(client: ConnectedClient, ...statement: Statement): Promise<Row[]> {
  const [wire, text, values = [], options] = statement;
  const { stream } = client.connection;
  const before = stream.bytesRead;
  const stopWatching = watchBytes(stream, before, options);
  try {
    const { rows } = await sendStatement(client, wire, configOf(wire, text, values, options));
    noteBytes(rows, stream.bytesRead - before);
    return rows as Row[];
  } finally {
    stopWatching?.();
  }
}

/** Closes the connection if the receiver of the rows has no room for more: PostgreSQL would send them all. */
export function watchBytes(
  stream: Socket,
  before: number,
  options: QueryOptions | undefined,
): (() => void) | undefined {
  const onReceived = options?.onReceived;
  if (!onReceived) return undefined;
  const watch = () => {
    try {
      onReceived(stream.bytesRead - before);
    } catch (error) {
      stream.destroy(error as Error);
    }
  };
  stream.on('data', watch);
  return () => stream.off('data', watch);
}

/** The statement and its settings are executed in one transaction, because there is one Sync message after them. */
export function sendStatement(client: ConnectedClient, wire: Wire, config: StatementText): Promise<Result> {
  return new Promise((resolve, reject) => {
    const statements = [{ config, resolve, reject }];
    if (wire.settings !== undefined) {
      statements.unshift({ config: configOf(wire, wire.settings, []), resolve: () => {}, reject: () => {} });
    }
    client.query(createGroup(statements, { types: client, ...wire }));
  });
}

export function configOf(
  { named, isNode }: Wire,
  text: string,
  values: readonly unknown[] = [],
  options?: QueryOptions,
): StatementText {
  if (isNode && isCentral(text)) throw new Error(`Only the coordinator can execute this statement: ${text}`);
  const name = named && options?.prepare !== false ? statementName(text) : undefined;
  return { text, values: toParameters(values), name };
}

/**
 * Sequences and notifications belong to the coordinator. So do advisory locks, unless they are taken where the rows of the
 * chain are: a lock on one node does not exclude one on another.
 */
function isCentral(text: string): boolean {
  return (
    /\b(nextval|setval|pg_notify)\b/.test(text) ||
    (/\bpg_(try_)?advisory/.test(text) && !text.includes('chain_id = $1'))
  );
}

export function noteBytes<Row>(rows: Row[], bytes: number): Row[] {
  received.set(rows, bytes);
  return rows;
}

const received = new WeakMap<unknown[], number>();

const statementNames = new Map<string, string | undefined>();

/** There are a few hundred. The limit bounds the memory of a connection if a text varies unexpectedly. */
const maxNames = 2000;

/**
 * A name is derived from the text, so that two processes that share a connection through a pooler never use the same
 * name for different statements. Undefined if there are too many names.
 */
function statementName(text: string): string | undefined {
  let name = statementNames.get(text);
  if (name === undefined && !statementNames.has(text) && statementNames.size < maxNames) {
    name = `s${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
    statementNames.set(text, name);
  }
  return name;
}

/** Every connection may have prepared it, so this process sends the text from now on. */
export function stopPreparing(text: string): void {
  statementNames.set(text, undefined);
}
