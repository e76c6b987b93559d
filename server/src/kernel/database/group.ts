import type { Socket } from 'node:net';
import pg from 'pg';
import type { Parameter } from './parameters.ts';
import type { ReceivingConnection } from './received-rows.ts';
import { type Column, type RowReader, rowReaderFor, type Types } from './row-reader.ts';

/** The parts of the driver's connection that a group uses. The driver's types do not declare them. */
type Connection = ReceivingConnection & {
  stream: Socket;
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(statement: { statement: string; values: readonly Parameter[] }): void;
  describe(portal: { type: 'P'; name: string }): void;
  execute(portal: { portal: string; rows: number }): void;
  sync(): void;
};

/** A statement as it is sent. If it has a name, it is prepared, once per connection. */
export type StatementText = { text: string; values?: readonly Parameter[]; name?: string | undefined };
/** `bytes` is the size of the rows. */
export type Result = { rows: unknown[]; command: string; bytes: number };
export type Statement = {
  config: StatementText;
  resolve(result: Result): void;
  reject(error: Error): void;
  /** Called with the size of the rows so far. If it throws, the statement fails, and further rows are not kept. */
  onReceived?: ((bytes: number) => void) | undefined;
};

export type GroupOptions = {
  types: Types;
  deadlineMs: number | undefined;
  /** Whether a pooler gives each transaction another connection, which can return other columns. */
  isPooled: boolean;
  /** Called when all statements have been resolved or rejected. */
  ended?(): void;
};

/** The readers of prepared statements, by name. Null if the statement returns no rows. */
type Described = Map<string, RowReader | null>;

const describedOn = new WeakMap<Connection, Described>();

/**
 * Statements that are sent together, with a single Sync message at the end. If one fails, PostgreSQL skips the others,
 * even if it is BEGIN. With a Sync after each, those after a failed BEGIN would be committed one by one. The driver
 * calls the methods.
 *
 * The driver's own statements ask for the description of the rows every time. A statement that is prepared on the
 * connection always returns the same columns, or fails with an error (see `isStalePlan`), so it is asked once.
 */
export function createGroup(statements: readonly Statement[], options: GroupOptions): pg.Submittable {
  const all = statements.map((statement) => ({ ...statement, ...newState() }));
  /** The number of statements that have been completed. */
  let completed = 0;
  let isSettled = false;
  const settle = (connection: Connection, error?: Error) => {
    if (isSettled) return;
    isSettled = true;
    connection.onRow = undefined;
    for (const [index, { config, state, resolve, reject }] of all.entries()) {
      if (index < completed) {
        if (state.failure) reject(state.failure);
        else resolve({ rows: state.rows, command: state.command, bytes: state.bytes });
        continue;
      }
      if (config.name !== undefined) delete connection.submittedNamedStatements[config.name];
      reject(error ?? new Error('PostgreSQL did not respond to the statement.'));
    }
    group.callback();
  };
  const group = {
    query_timeout: options.deadlineMs,
    callback: options.ended ?? (() => {}),
    /** The driver remembers a statement that has a name after it has read the response to its Parse message. */
    get name() {
      return all[completed]?.config.name;
    },
    get text() {
      return all[completed]?.config.text;
    },
    submit(connection: Connection) {
      const described = options.isPooled ? undefined : describedStatements(connection);
      connection.stream.cork();
      for (const { config, state } of all) send(connection, config, state, described);
      connection.sync();
      connection.stream.uncork();
      connection.onRow = (bytes, text, at, length) => addRow(all[completed], bytes, text, at, length);
      return null;
    },
    handleRowDescription({ fields }: { fields: Column[] }) {
      const current = all[completed];
      if (current) current.state.reader = rowReaderFor(fields, options.types);
    },
    handleCommandComplete({ text }: { text: string }, connection: Connection) {
      const current = all[completed];
      completed += 1;
      if (!current) return;
      current.state.command = text.split(' ', 1)[0] ?? '';
      const { name } = current.config;
      if (name !== undefined && !options.isPooled) describedStatements(connection).set(name, current.state.reader);
    },
    handleEmptyQuery: () => (completed += 1),
    handleReadyForQuery: (connection: Connection) => settle(connection),
    /** The failed statement and those after it are rejected with the error. */
    handleError(error: Error, connection: Connection) {
      // PostgreSQL has not reported this error, so it is not known which response comes next.
      if (!(error instanceof pg.DatabaseError)) connection.stream.destroy();
      settle(connection, error);
    },
  };
  return group as unknown as pg.Submittable;
}

/** What has been received for a statement. */
type State = { reader: RowReader | null; rows: unknown[]; bytes: number; command: string; failure: Error | undefined };

function newState(): { state: State } {
  return { state: { reader: null, rows: [], bytes: 0, command: '', failure: undefined } };
}

function describedStatements(connection: Connection): Described {
  let described = describedOn.get(connection);
  if (!described) describedOn.set(connection, (described = new Map()));
  return described;
}

/** Sends the statement without a Sync message. */
function send(
  connection: Connection,
  { name = '', text, values = [] }: StatementText,
  state: State,
  described: Described | undefined,
): void {
  const isPrepared =
    name !== '' && (name in connection.parsedStatements || name in connection.submittedNamedStatements);
  if (!isPrepared) {
    connection.parse({ name, text });
    if (name !== '') connection.submittedNamedStatements[name] = text;
  }
  connection.bind({ statement: name, values });
  const reader = isPrepared ? described?.get(name) : undefined;
  if (reader === undefined) connection.describe({ type: 'P', name: '' });
  else state.reader = reader;
  connection.execute({ portal: '', rows: 0 });
}

function addRow(
  current: (Pick<Statement, 'onReceived'> & { state: State }) | undefined,
  bytes: Buffer,
  text: string | null,
  at: number,
  length: number,
): void {
  const state = current?.state;
  if (!state?.reader || state.failure) return;
  state.bytes += length;
  try {
    current?.onReceived?.(state.bytes);
    state.rows.push(state.reader(bytes, text, at));
  } catch (error) {
    state.failure = error as Error;
  }
}
