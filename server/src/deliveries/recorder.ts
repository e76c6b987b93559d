import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { Finished } from './attempt-queries.ts';
import { recordAttempts } from './record-attempts.ts';

/** Writes attempts in batches. Each batch contains the attempts that ended while the previous one was being written. */
export type Recorder = { record(finished: Finished): Promise<void> };

type Waiting = { finished: Finished; written(): void };

const maxBatch = 200;
const tries = 20;

export function createRecorder(db: Database, log: Log): Recorder {
  let waiting: Waiting[] = [];
  let isWriting = false;
  const write = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      await recordWithRetries(
        db,
        log,
        batch.map(({ finished }) => finished),
      );
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
  };
}

/**
 * Retries while the database is unavailable. If an attempt cannot be written, its delivery is sent again with the same
 * id.
 */
async function recordWithRetries(db: Database, log: Log, batch: Finished[]): Promise<void> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    try {
      return await recordAttempts(db, batch);
    } catch (error) {
      log.warn({ event: 'deliveries.not_recorded', count: batch.length, attempt, error: String(error) });
      await sleep(1000);
    }
  }
}
