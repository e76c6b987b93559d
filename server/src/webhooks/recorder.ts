import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { Finished } from './attempt-queries.ts';
import { recordAttempts } from './record-attempts.ts';

/** Writes down tries that are over, as many together as have come up while the last lot was being written. */
export type Recorder = { record(finished: Finished): Promise<void> };

type Waiting = { finished: Finished; written(): void };

const most = 200;
const tries = 20;

export function createRecorder(db: Database, log: Log): Recorder {
  let waiting: Waiting[] = [];
  let isWriting = false;
  const write = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      const lot = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await recordPatiently(
        db,
        log,
        lot.map(({ finished }) => finished),
      );
      for (const { written } of lot) written();
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

/** Rides out a database that is away. What cannot be written in the end will be sent again, under the same id. */
async function recordPatiently(db: Database, log: Log, lot: Finished[]): Promise<void> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    try {
      return await recordAttempts(db, lot);
    } catch (error) {
      log.warn({ event: 'deliveries.not_recorded', count: lot.length, attempt, error: String(error) });
      await sleep(1000);
    }
  }
}
