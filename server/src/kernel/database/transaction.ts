import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../failures/failure.ts';
import type { Announcer } from './announce.ts';
import type { QueryOptions, SendOptions, Tx } from './tx.ts';
import {
  isConflict,
  isConnectionLoss,
  isNodeFailure,
  isPoolerLoss,
  isStalePlan,
  isUnusable,
  sqlState,
} from './errors.ts';
import { createGroup, type Result, type Statement, type StatementText } from './group.ts';
import {
  configOf,
  type ConnectedClient,
  noteBytes,
  sendStatement,
  stopPreparing,
  watchBytes,
  type Wire,
} from './statement.ts';

/** A transaction sends NOTIFY with `announce`, and `runHandlers` runs the handlers in this process. */
export type Notifications = { announce: Announcer; runHandlers: (channel: string) => void };

export type TransactionOptions = {
  pool: pg.Pool;
  wire: Wire;
  notifications: Notifications;
  isDistributed: boolean;
  /** The first statements. */
  begin: readonly string[];
};

/**
 * Runs `work` in a transaction. Statements that are sent in the same turn of the event loop are a group, which needs one
 * round trip: BEGIN is sent with the first statements and COMMIT with the last. PostgreSQL executes them one after the
 * other; after a failure it skips the rest of the group.
 */
export async function inTransaction<Result>(
  { pool, wire, notifications: { announce, runHandlers }, isDistributed, begin }: TransactionOptions,
  work: (tx: Tx) => Promise<Result> | Result,
): Promise<Result> {
  const client = (await pool.connect()) as ConnectedClient;
  const hints: (() => void)[] = [];
  // An error is emitted if the connection fails while it is idle in the transaction. The next statement fails anyway.
  const ignoreError = () => {};
  client.on('error', ignoreError);
  let connectionError: Error | undefined;
  const { send, query, commit, rollback } = openTransaction(client, wire, begin);
  try {
    const result = await work({
      client,
      isDistributed,
      send,
      query,
      afterCommit: (hint) => hints.push(hint),
      announce: (channel, subject = '') => hints.push(() => announce(channel, subject)),
      notify(channel) {
        hints.push(() => runHandlers(channel));
        send('select pg_notify($1, $2)', [channel, '']);
      },
    });
    await commit();
    for (const hint of hints) hint();
    return result;
  } catch (error) {
    connectionError = await rollback(error);
    throw error;
  } finally {
    client.off('error', ignoreError);
    client.release(connectionError);
  }
}

/**
 * Retries after a deadlock, a serialization failure or a connection lost before COMMIT. Each of these rolls back
 * everything. If a connection to a node is lost, `nodes.ts` uses the coordinator instead.
 */
export async function retryConflicts<Result>(
  attempt: () => Promise<Result>,
  { isNode }: Pick<Wire, 'isNode'>,
  maxTries = 4,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const isRetryable = isConflict(error) || (isConnectionLoss(error) && !isNode) || isNodeFailure(error);
      // The coordinator may have used a connection to the node from before its restart. If it is away, no one waits.
      if (!isRetryable || tries === maxTries || (tries > 1 && isNodeFailure(error))) throw error;
      await sleep(50 * 3 ** tries * (0.5 + Math.random()));
    }
  }
}

/** PostgreSQL skipped the statement, because an earlier one in the transaction has failed. */
const skippedState = '25P02';

function openTransaction(client: ConnectedClient, wire: Wire, begin: readonly string[]) {
  const sender = createSender(client, wire, begin);
  /** Statements whose results have not been checked. */
  let unchecked: Promise<unknown>[] = [];
  const check = async () => {
    const results = unchecked;
    unchecked = [];
    for (const result of results) await result;
  };
  let cause: unknown;
  const submit = async (config: StatementText) => {
    try {
      return await sender.send(config);
    } catch (error) {
      // Statements after a failed one fail with the same error, whichever of them is awaited first.
      if (sqlState(error) === skippedState && cause !== undefined) throw cause;
      if (isStalePlan(error)) stopPreparing(config.text);
      cause = error;
      throw error;
    }
  };
  return {
    send(text: string, values: readonly unknown[] = [], options?: SendOptions): void {
      const result = submit(configOf(wire, text, values, options));
      // Not an unhandled rejection: the result is checked by the next query or the commit.
      result.catch(() => {});
      unchecked.push(result);
    },
    query<Row>(text: string, values: readonly unknown[] = [], options?: QueryOptions): Promise<Row[]> {
      const { stream } = client.connection;
      const before = stream.bytesRead;
      const stopWatching = watchBytes(stream, before, options);
      const sent = submit(configOf(wire, text, values, options));
      const result = stopWatching ? sent.finally(stopWatching) : sent;
      const checked = Promise.all([check(), result]).then(([, { rows }]) => {
        noteBytes(rows, stream.bytesRead - before);
        return rows as Row[];
      });
      // A caller can send COMMIT before it waits for the rows. Then the commit fails first, with the same error.
      checked.catch(() => {});
      return checked;
    },
    async commit(): Promise<void> {
      const committing = sender.send({ text: 'commit' });
      committing.catch(() => {});
      try {
        await check();
      } catch (error) {
        // PostgreSQL reported that a statement failed, so it has skipped COMMIT.
        if (error instanceof pg.DatabaseError && !isPoolerLoss(error)) throw error;
        throw isConnectionLoss(error) ? lostCommit(error) : error;
      }
      const { command } = await committing.catch((error: unknown) => {
        throw isConnectionLoss(error) || isNodeFailure(error) ? lostCommit(error) : error;
      });
      if (command !== 'COMMIT') throw cause ?? new Error('The transaction was rolled back.');
      await sender.end();
    },
    /** Returns the error of the connection if it cannot be used again. */
    async rollback(reason: unknown): Promise<Error | undefined> {
      try {
        if (!(await sender.end())) return undefined;
        await sendStatement(client, { ...wire, settings: undefined }, { text: 'rollback' });
        return isUnusable(reason) ? (reason as Error) : undefined;
      } catch (error) {
        return error as Error;
      }
    },
  };
}

/**
 * Sends statements in groups. A group contains what was sent until the current callback and its microtasks ended, and
 * while the previous group was running. So no statement is on its way before BEGIN has succeeded, except those in the
 * group of BEGIN, which PostgreSQL skips if BEGIN fails.
 */
function createSender(client: ConnectedClient, wire: Wire, begin: readonly string[]) {
  let waiting: Statement[] = [];
  let running: Promise<void> | undefined;
  let isScheduled = false;
  let state: 'new' | 'begun' | 'ended' = 'new';
  let reason = new Error('The transaction has ended.');
  const refuse = (statements: Statement[]) => statements.forEach(({ reject }) => reject(reason));
  const schedule = () => {
    if (isScheduled || running || waiting.length === 0) return;
    isScheduled = true;
    process.nextTick(() => {
      isScheduled = false;
      running = sendGroup().finally(() => {
        running = undefined;
        schedule();
      });
    });
  };
  const sendGroup = async () => {
    const group = waiting;
    waiting = [];
    if (state === 'ended') return refuse(group);
    const statements = state === 'new' ? [...begin.map(beginning), ...group] : group;
    await new Promise<void>((ended) => {
      client.query(createGroup(statements, { types: client, ...wire, ended }));
    });
  };
  /** If BEGIN fails, nothing more is sent: it would be executed outside of a transaction. */
  const beginning = (text: string, index: number): Statement => ({
    config: { text },
    resolve: () => (state = state === 'new' ? 'begun' : state),
    reject(error) {
      if (index > 0) return;
      state = 'ended';
      reason = error;
    },
  });
  return {
    send: (config: StatementText) =>
      new Promise<Result>((resolve, reject) => {
        if (state === 'ended') return reject(reason);
        waiting.push({ config, resolve, reject });
        schedule();
      }),
    /** Nothing more is sent. Waits for what has been sent, and returns whether that was anything. */
    async end(): Promise<boolean> {
      const hasBegun = state !== 'new' || running !== undefined;
      state = 'ended';
      refuse(waiting);
      waiting = [];
      await running;
      return hasBegun;
    },
  };
}

/** A connection lost during COMMIT leaves the outcome unknown, so the transaction must not be retried here. */
function lostCommit(cause: unknown): Failure {
  const detail =
    'The connection to the database was lost while the change was being saved, so the change may or may not have been saved. Send the request again with the same Idempotency-Key, or check the result first.';
  const failure = new Failure('service_unavailable', detail, { headers: { 'retry-after': '5' } });
  failure.cause = cause;
  return failure;
}
