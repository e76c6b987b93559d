import type pg from 'pg';
import type { Db, Tx } from './tx.ts';

export type DatabaseOptions = {
  /** Can name several servers, see `servers.ts`. */
  url: string;
  connections: number;
  /**
   * Whether a pooler gives each transaction another connection. If so, settings apply to a transaction, and are sent
   * with its first statement.
   */
  isPooled?: boolean;
  /** PostgreSQL itself, if `url` is a pooler. `reserved` connections are opened there. */
  directUrl?: string | null;
  /** Prepared statements are 1.5 times as fast, but old pgbouncer versions do not support them in transaction mode. */
  preparedStatements: boolean;
  /** A streaming replica of the same database, for reads. */
  replicaUrl?: string | null;
  /** How often a transaction is tried if it fails for a temporary reason, 4 by default. */
  tries?: number;
  /** The statement timeout. If absent, there is none. */
  statementSeconds?: number;
  /** The maximum time to wait for a lock. If absent, the wait is unlimited. */
  lockSeconds?: number;
  /** How many connections `forTasks` can have of its own if PostgreSQL runs on this machine. If absent, it has none. */
  taskConnections?: number;
  /** How many slow reads of a chain run at the same time, 2 by default. */
  slowReadsPerChain?: number;
  name: string;
  onError: (error: Error) => void;
};

export type Database = Db & {
  transaction<Result>(work: (tx: Tx) => Promise<Result> | Result): Promise<Result>;
  /**
   * Runs a read that can keep a processor busy for long, such as a search. A chain can run only a few at the same time, so
   * that other chains, and tasks, still have processors. The others wait, and start in turns by caller, so that a user of
   * the portal does not wait for all pages that an integration reads. Work in the background is not limited.
   */
  runSlow<Result>(chainId: string, read: () => Promise<Result>, caller?: string): Promise<Result>;
  /** Runs the handler after each transaction in this process that notified the channel and was committed. */
  onNotified(channel: string, handler: () => void): void;
  /**
   * Call this if the database is distributed. From then on, the limit on waiting for locks applies on its nodes too, and
   * the handler is called with each error that says that a node cannot be reached.
   */
  watchNodes(onFailure: (error: unknown) => void): void;
  /**
   * Opens connections to a node (`host:port`) of the distributed database, with the same settings. They are for
   * statements about chains whose rows are there (see `nodes.ts`).
   */
  openNode(address: string): Database;
  /** Lets PostgreSQL plan prepared statements again. A node keeps a plan even if the table has grown since. */
  forgetPlans(): void;
  /** The same pool, for background work: statements in its transactions have no timeout, and can wait for locks. */
  readonly withoutTimeout: Database;
  /** The same, for transactions that hold locks for which all chains wait (see `idleLimit`). */
  readonly withIdleLimit: Database;
  /**
   * The same as `withoutTimeout`, for tasks, which can keep a processor busy for long. If PostgreSQL runs on this machine,
   * they have connections of their own, with a lower priority.
   */
  readonly forTasks: Database;
  /**
   * Separate connections for single statements of a request that may hold a connection already. On the same pool, such
   * requests could hold all connections while each waits for another one. So could they on those of a pooler.
   */
  readonly reserved: Db;
  /** Undefined if there is no replica. */
  readonly replica: Replica | undefined;
  readonly pool: pg.Pool;
  /** Call this if the database server is gone for good. From then on, everything fails immediately. */
  abandon(): void;
  /** Waits a few seconds for connections in use, then closes them too. */
  close(): Promise<void>;
};

/**
 * A streaming replica for reads that may take long. A read uses the replica only if it has everything that was
 * committed when the read began, so a client never reads less than it, or anyone else, has written or seen before. For
 * this, the position in the primary's WAL is compared with the one that the replica has replayed. Reads wait a moment
 * for the replica; if it is further behind, or does not respond, they use the primary.
 *
 * The changes of a transaction that does not wait for the disk (`skipFlush`) are visible on the primary before its WAL is
 * flushed, and only flushed WAL is compared. Only work that is still running commits like this.
 */
export type Replica = {
  db: Database;
  /** Whether the replica has everything that was committed when this was called. */
  isCurrent(): Promise<boolean>;
  /** Reads use the primary for a moment. */
  avoid(): void;
  /** The number of reads by where they were executed. */
  counts: { replica: number; primary: number };
};
