import type pg from 'pg';

/** Runs statements, either one at a time on the pool or in a transaction. */
export type Db = {
  /**
   * The statement is prepared, and each connection keeps it in memory. Pass `prepare: false` if the text has countless
   * variants, for example if it depends on the number of words in a search.
   */
  query<Row>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<Row[]>;
};

export type SendOptions = {
  /** Whether the statement is prepared, which is the default. If not, PostgreSQL plans it each time. */
  prepare?: false;
};

export type QueryOptions = SendOptions & {
  /**
   * Called with the number of bytes that have been received for the rows so far. If it throws, the rest is not received,
   * and the statement fails with its error, as does the transaction.
   */
  onReceived?(bytes: number): void;
  /** How many requests share the statement. Each counts as one that has received an equal part of the rows. */
  requests?: number;
};

/**
 * A running transaction. A function that must be atomic with its caller takes a `Tx`, not a `Db`. Statements are
 * executed in the order in which they are sent, and those sent together need one round trip:
 * `Promise.all([tx.query(…), tx.query(…)])`.
 */
export type Tx = Db & {
  readonly client: pg.PoolClient;
  /** Whether the database is distributed over several nodes. */
  readonly isDistributed: boolean;
  /**
   * Sends a statement whose result is not needed, without waiting for it. If it fails, so does the next `query` or the
   * commit, with its error, and everything is rolled back.
   */
  send(text: string, values?: readonly unknown[], options?: SendOptions): void;
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
  notify(channel: string): void;
};
