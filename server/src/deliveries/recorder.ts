import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../kernel/database/db.ts';
import type { Scope } from '../kernel/database/scope.ts';
import { isUnavailable } from '../kernel/database/errors.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { Finished } from './attempt-queries.ts';
import { recordAttempts } from './record-attempts.ts';

/**
 * Writes attempts in batches. Each batch contains the attempts that ended while the previous one was being written. Each
 * scope has its own batches, so that a chain whose node cannot be reached does not delay the others. The batches of a
 * chain would be small, so they also wait a little for the attempts that were started together.
 */
export type Recorders = {
  record(scope: Scope, finished: Finished): Promise<void>;
  /** From now on, attempts that cannot be written immediately are dropped. Their deliveries are sent again. */
  stopRetrying(): void;
};

type DatabaseFor = (scope: Scope, batch: Finished[]) => Database;
type Waiting = { finished: Finished; written(): void };

const maxBatch = 200;
/** The attempts of all chains wait while one that cannot be written is tried again. */
const maxFailures = 3;
const gatherMs = 30;

/** `databaseFor` returns the database for a batch. */
export function createRecorders(databaseFor: DatabaseFor, log: Log, retryMs = 1000): Recorders {
  /** The attempts that wait to be written. A scope has an entry while a batch is being written. */
  const waiting = new Map<Scope, Waiting[]>();
  let isStopping = false;
  const write = async (scope: Scope) => {
    if (scope !== null) await sleep(gatherMs);
    for (let rest = waiting.get(scope) ?? []; rest.length > 0; rest = waiting.get(scope) ?? []) {
      const batch = rest.slice(0, maxBatch);
      waiting.set(scope, rest.slice(maxBatch));
      const attempts = batch.map(({ finished }) => finished);
      await recordWithRetries(databaseFor, log, scope, attempts, { retryMs, isStopping: () => isStopping });
      for (const { written } of batch) written();
    }
    waiting.delete(scope);
  };
  return {
    record: (scope, finished) =>
      new Promise((written) => {
        const others = waiting.get(scope);
        if (others) others.push({ finished, written });
        else {
          waiting.set(scope, [{ finished, written }]);
          void write(scope);
        }
      }),
    stopRetrying() {
      isStopping = true;
    },
  };
}

/**
 * Retries for as long as the database is unavailable, because a delivery whose attempt is not written is sent again,
 * with the same id. After another error, the attempts are written in halves, so that only the one that caused the error
 * is given up, after a few tries.
 */
async function recordWithRetries(
  databaseFor: DatabaseFor,
  log: Log,
  scope: Scope,
  batch: Finished[],
  options: { retryMs: number; isStopping(): boolean },
): Promise<void> {
  for (let failures = 0; failures < maxFailures; ) {
    try {
      return await recordAttempts(databaseFor(scope, batch), scope, batch);
    } catch (error) {
      log.warn({ event: 'deliveries.not_recorded', count: batch.length, error: String(error) });
      if (options.isStopping()) return;
      const isRejected = !isUnavailable(error);
      if (isRejected && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2);
        await recordWithRetries(databaseFor, log, scope, batch.slice(0, middle), options);
        return recordWithRetries(databaseFor, log, scope, batch.slice(middle), options);
      }
      if (isRejected) failures += 1;
      await sleep(options.retryMs);
    }
  }
}
