import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../failures/failure.ts';
import type { Announcer } from './announce.ts';
import type { QueryOptions, Tx } from './tx.ts';
import { isConflict, isConnectionLoss, sqlState } from './errors.ts';
import { type ConnectedClient, runStatement, type Wire } from './statement.ts';

/** A transaction sends NOTIFY with `announce`, and `runHandlers` runs the handlers in this process. */
export type Notifications = { announce: Announcer; runHandlers: (channel: string) => void };

/**
 * Runs `work` in a transaction. Statements are pipelined: they are sent without waiting for the previous ones, so BEGIN
 * travels with the first statements and COMMIT with the last. PostgreSQL executes them one after the other; after a
 * failure it skips the rest, and COMMIT rolls back.
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  wire: Wire,
  { announce, runHandlers }: Notifications,
  begin: string,
  work: (tx: Tx) => Promise<Result> | Result,
): Promise<Result> {
  const client = (await pool.connect()) as PipelinedClient;
  const hints: (() => void)[] = [];
  // An error is emitted if the connection fails while it is idle in the transaction. The next statement fails anyway.
  const ignoreError = () => {};
  client.on('error', ignoreError);
  client.pipeline = true;
  let connectionError: Error | undefined;
  try {
    const { send, query, commit } = pipelineTo(client, wire, begin);
    const result = await work({
      client,
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
    connectionError = await rollback(client, wire, error);
    throw error;
  } finally {
    client.pipeline = false;
    client.off('error', ignoreError);
    client.release(connectionError);
  }
}

/** Runs `work`, which uses the connection in a way that cannot be pipelined (COPY). */
export async function withoutPipeline<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  const pipelined = tx.client as PipelinedClient;
  // Waits for everything that has been sent.
  await tx.query('select');
  pipelined.pipeline = false;
  try {
    return await work();
  } finally {
    pipelined.pipeline = true;
  }
}

/**
 * Retries after a deadlock, a serialization failure or a connection lost before COMMIT. Each of these rolls back
 * everything.
 */
export async function retryConflicts<Result>(attempt: () => Promise<Result>): Promise<Result> {
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

/** PostgreSQL skipped the statement, because an earlier one in the transaction has failed. */
const skippedState = '25P02';

/** The types do not declare that `pipeline` can be changed while the connection is idle. */
type PipelinedClient = Omit<ConnectedClient, 'pipeline'> & { pipeline: boolean };

function pipelineTo(client: PipelinedClient, wire: Wire, begin: string) {
  /** Statements whose results have not been checked. */
  let unchecked: Promise<unknown>[] = [];
  const checkLater = (result: Promise<unknown>) => {
    // Not an unhandled rejection: the result is checked by the next query or the commit.
    result.catch(() => {});
    unchecked.push(result);
  };
  const check = async () => {
    const results = unchecked;
    unchecked = [];
    for (const result of results) await result;
  };
  let cause: unknown;
  const submit: Tx['query'] = async <Row>(text: string, values?: readonly unknown[], options?: QueryOptions) => {
    sendTogether(client.connection.stream);
    try {
      return await runStatement<Row>(client, wire, text, values, options);
    } catch (error) {
      // Statements after a failed one are skipped; they fail with the same error, whichever of them is awaited first.
      if (sqlState(error) === skippedState && cause !== undefined) throw cause;
      cause = error;
      throw error;
    }
  };
  sendTogether(client.connection.stream);
  checkLater(runPlain(client, wire, begin));
  return {
    send(text: string, values: readonly unknown[] = []): void {
      rejectUnsendable(values);
      checkLater(submit(text, values));
    },
    query<Row>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<Row[]> {
      const result = submit<Row>(text, values, options);
      const checked = Promise.all([check(), result]).then(([, rows]) => rows);
      // A caller can send COMMIT before it waits for the rows. Then the commit fails first, with the same error.
      checked.catch(() => {});
      return checked;
    },
    async commit(): Promise<void> {
      sendTogether(client.connection.stream);
      const committing = runPlain(client, wire, 'commit');
      committing.catch(() => {});
      try {
        await check();
      } catch (error) {
        // PostgreSQL reported that a statement failed, so COMMIT rolled back.
        if (error instanceof pg.DatabaseError) throw error;
        throw isConnectionLoss(error) ? lostCommit(error) : error;
      }
      const { command } = await committing.catch((error: unknown) => {
        throw isConnectionLoss(error) ? lostCommit(error) : error;
      });
      if (command !== 'COMMIT') throw cause ?? new Error('The transaction was rolled back.');
    },
  };
}

/**
 * The driver converts values when it sends a statement. If that failed, the statement would be missing from the
 * transaction but COMMIT would still succeed. Converting an object can fail, so callers convert objects themselves.
 */
function rejectUnsendable(values: readonly unknown[]): void {
  for (const value of values) {
    if (Array.isArray(value)) rejectUnsendable(value);
    else if (typeof value === 'object' && value !== null && !(value instanceof Date || value instanceof Uint8Array)) {
      throw new TypeError('A value for a statement must not be an object.');
    }
  }
}

/** Runs one or more statements without parameters. */
function runPlain(client: PipelinedClient, { deadlineMs }: Wire, text: string): Promise<pg.QueryResult> {
  return client.query({ text, ...(deadlineMs !== undefined && { query_timeout: deadlineMs }) });
}

/** Whatever is written until the current callback and its microtasks end leaves in one packet. */
function sendTogether(stream: Duplex): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** A connection lost during COMMIT leaves the outcome unknown, so the transaction must not be retried here. */
function lostCommit(cause: unknown): Failure {
  const detail =
    'The connection to the database was lost while the change was being saved, so the change may or may not have been saved. Send the request again with the same Idempotency-Key, or check the result first.';
  const failure = new Failure('service_unavailable', detail, { headers: { 'retry-after': '5' } });
  failure.cause = cause;
  return failure;
}

async function rollback(client: PipelinedClient, wire: Wire, cause: unknown): Promise<Error | undefined> {
  try {
    await runPlain(client, wire, 'rollback');
    return isConnectionLoss(cause) ? (cause as Error) : undefined;
  } catch (error) {
    return error as Error;
  }
}
