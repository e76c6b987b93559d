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
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
};

/** A statement as the driver sends it, without the Sync message after it. */
class GroupedStatement extends (pg.Query as unknown as new (config: pg.QueryConfig) => Handlers) {
  _getRows(connection: Connection): void {
    connection.execute({ portal: '', rows: 0 });
  }
}

export type Statement = { config: pg.QueryConfig; resolve(result: pg.QueryResult): void; reject(error: Error): void };

/**
 * Statements that are sent together, with a single Sync message at the end. If one fails, PostgreSQL skips the others,
 * even if it is BEGIN. With a Sync after each, those after a failed BEGIN would be committed one by one.
 */
export class StatementGroup {
  readonly #statements: (Statement & { handlers: Handlers })[];
  readonly #ended: () => void;
  /** The number of statements that have been completed. */
  #completed = 0;
  #isSettled = false;
  readonly query_timeout: number | undefined;
  callback = (): void => this.#ended();

  constructor(statements: readonly Statement[], types: Types, deadlineMs: number | undefined, ended: () => void) {
    this.#statements = statements.map((statement) => {
      const handlers = new GroupedStatement({ ...statement.config, queryMode: 'extended' } as pg.QueryConfig);
      handlers._result._types = types;
      handlers.callback = (error, result) => (error ? statement.reject(error) : statement.resolve(result));
      return { ...statement, handlers };
    });
    this.#ended = ended;
    this.query_timeout = deadlineMs;
  }

  /** The driver remembers statements that have a name after it has read the response to their Parse message. */
  get name(): string | undefined {
    return this.#current?.name;
  }

  get text(): string | undefined {
    return this.#current?.text;
  }

  get #current(): Handlers | undefined {
    return this.#statements[this.#completed]?.handlers;
  }

  submit(connection: Connection): null {
    connection.stream.cork();
    for (const { handlers } of this.#statements) handlers.prepare(connection);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription(message: unknown): void {
    this.#current?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#current?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#current?.handleCommandComplete(message, connection);
    this.#completed += 1;
  }

  handleEmptyQuery(): void {
    this.#completed += 1;
  }

  handleReadyForQuery(connection: Connection): void {
    this.#settle(connection);
  }

  /** The failed statement and those after it are rejected with the error. */
  handleError(error: Error, connection: Connection): void {
    // PostgreSQL has not reported this error, so it is not known which response comes next.
    if (!(error instanceof pg.DatabaseError)) connection.stream.destroy();
    this.#settle(connection, error);
  }

  #settle(connection: Connection, error?: Error): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    for (const [index, { handlers, reject }] of this.#statements.entries()) {
      if (index < this.#completed) {
        handlers.handleReadyForQuery(connection);
        continue;
      }
      if (handlers.name !== undefined) delete connection.submittedNamedStatements[handlers.name];
      reject(error ?? new Error('PostgreSQL did not respond to the statement.'));
    }
    this.callback();
  }
}
