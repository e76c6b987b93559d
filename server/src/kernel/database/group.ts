import type { Socket } from 'node:net';
import pg from 'pg';

/** The parts of the driver's connection that a group uses. The driver's types do not declare them. */
type Connection = {
  stream: Socket;
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  execute(portal: { portal: string; rows: number }): void;
  sync(): void;
};

type Types = { getTypeParser(oid: number, format: 'text'): (value: string) => unknown };
type Settle = (error: Error | null, result: pg.QueryResult) => void;

/** The driver's methods of a statement that the group calls. */
type Handlers = {
  readonly name: string | undefined;
  readonly text: string;
  callback: Settle;
  _result: { _types: Types };
  _getRows(connection: Connection): void;
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
};

export type Statement = { config: pg.QueryConfig; resolve(result: pg.QueryResult): void; reject(error: Error): void };

/**
 * Statements that are sent together, with a single Sync message at the end. If one fails, PostgreSQL skips the others,
 * even if it is BEGIN. With a Sync after each, those after a failed BEGIN would be committed one by one. `ended` is
 * called when all statements have been resolved or rejected. The driver calls the methods.
 */
export function createGroup(
  statements: readonly Statement[],
  types: Types,
  deadlineMs: number | undefined,
  ended: () => void,
): pg.Submittable {
  const all = statements.map((statement) => ({ ...statement, handlers: handlersOf(statement, types) }));
  /** The number of statements that have been completed. */
  let completed = 0;
  let isSettled = false;
  const current = () => all[completed]?.handlers;
  const settle = (connection: Connection, error?: Error) => {
    if (isSettled) return;
    isSettled = true;
    for (const [index, { handlers, reject }] of all.entries()) {
      if (index < completed) {
        handlers.handleReadyForQuery(connection);
        continue;
      }
      if (handlers.name !== undefined) delete connection.submittedNamedStatements[handlers.name];
      reject(error ?? new Error('PostgreSQL did not respond to the statement.'));
    }
    group.callback();
  };
  const group = {
    query_timeout: deadlineMs,
    callback: ended,
    /** The driver remembers a statement that has a name after it has read the response to its Parse message. */
    get name() {
      return current()?.name;
    },
    get text() {
      return current()?.text;
    },
    submit(connection: Connection) {
      connection.stream.cork();
      for (const { handlers } of all) handlers.prepare(connection);
      connection.sync();
      connection.stream.uncork();
      return null;
    },
    handleRowDescription: (message: unknown) => current()?.handleRowDescription(message),
    handleDataRow: (message: unknown) => current()?.handleDataRow(message),
    handleCommandComplete(message: unknown, connection: Connection) {
      current()?.handleCommandComplete(message, connection);
      completed += 1;
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

/** The driver's statement, without the Sync message that it would send after Execute. */
function handlersOf({ config, resolve, reject }: Statement, types: Types): Handlers {
  const handlers = new pg.Query({ ...config, queryMode: 'extended' } as pg.QueryConfig) as unknown as Handlers;
  handlers._getRows = (connection) => connection.execute({ portal: '', rows: 0 });
  handlers._result._types = types;
  handlers.callback = (error, result) => (error ? reject(error) : resolve(result));
  return handlers;
}
