import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../kernel/database/db.ts';
import { isUnavailable } from '../kernel/database/errors.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { Finished } from './attempt-queries.ts';
import { recordAttempts } from './record-attempts.ts';

/** Writes attempts in batches. Each batch contains the attempts that ended while the previous one was being written. */
export type Recorder = {
  record(finished: Finished): Promise<void>;
  /** From now on, attempts that cannot be written immediately are dropped. Their deliveries are sent again. */
  stopRetrying(): void;
};

type Waiting = { finished: Finished; written(): void };

const maxBatch = 200;
const maxFailures = 20;

export function createRecorder(db: Database, log: Log, retryMs = 1000): Recorder {
  let waiting: Waiting[] = [];
  let isWriting = false;
  let isStopping = false;
  const write = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      const attempts = batch.map(({ finished }) => finished);
      await recordWithRetries(db, log, attempts, { retryMs, isStopping: () => isStopping });
      for (const { written } of batch) written();
    }
    isWriting = false;
  };
  return {
    record: (finished) =>
      new Promise((written) => {
        waiting.push({ finished, written });
        if (!isWriting) void write();
      }),
    stopRetrying() {
      isStopping = true;
    },
  };
}

/**
 * Retries for as long as the database is unavailable, because a delivery whose attempt is not written is sent again,
 * with the same id. After other errors, gives up eventually.
 */
async function recordWithRetries(
  db: Database,
  log: Log,
  batch: Finished[],
  options: { retryMs: number; isStopping(): boolean },
): Promise<void> {
  for (let failures = 0; failures < maxFailures; ) {
    try {
      return await recordAttempts(db, batch);
    } catch (error) {
      log.warn({ event: 'deliveries.not_recorded', count: batch.length, error: String(error) });
      if (options.isStopping()) return;
      if (!isUnavailable(error)) failures += 1;
      await sleep(options.retryMs);
    }
  }
}
