import { type Database, skipFlush } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { FinishedRequest } from '../kernel/http/finished-request.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { RecorderMetrics } from './metrics.ts';
import { addDropped, copyRequests, encodeRequest } from './queries.ts';
import { entryOf, loggedActor } from './rules/entry.ts';
import { type Batch, createWaitingRows } from './waiting-rows.ts';

/**
 * Writes the request log. A finished request becomes a row of COPY text in memory, and a timer writes the rows in one
 * transaction every second, so a crash loses at most about one second. When requests arrive faster than the database
 * can write them, or the database is unavailable, limits keep memory use bounded. Requests over a limit are dropped and
 * counted.
 */
export type Recorder = { record(finished: FinishedRequest): void; close(): Promise<void> };

type Parts = { db: Database; log: Log; metrics: RecorderMetrics; perSecond: number };

const flushMs = 1000;
/** Once this many rows are waiting, they are written immediately. */
const fullBatch = 1000;
const memory = { rows: 20_000, length: 32 * 1024 * 1024 };

export function createRecorder({ db, log, metrics, perSecond }: Parts): Recorder {
  const waiting = createWaitingRows({ perSecond, ...memory }, metrics.dropped);
  let writing: Promise<void> | undefined;
  const write = async () => {
    const batch = waiting.take();
    if (!batch) return;
    try {
      await writeBatch(db, batch);
      metrics.recorded(batch.rows.length);
    } catch (error) {
      log.warn({ event: 'requests.not_recorded', count: batch.rows.length, error: String(error) });
      if (isUnavailable(error)) waiting.putBack(batch);
      else waiting.dropAll(batch);
    }
  };
  const flush = () => {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };
  const timer = setInterval(() => {
    waiting.startSecond();
    void flush();
  }, flushMs);
  return {
    record(finished) {
      const actor = loggedActor(finished);
      if (!actor || !waiting.admit(actor.chainId)) return;
      waiting.add({ chainId: actor.chainId, text: encodeRequest(entryOf(finished, actor, Date.now())) });
      if (waiting.count() % fullBatch === 0) void flush();
    },
    async close() {
      clearInterval(timer);
      await writing;
      await flush();
    },
  };
}

function writeBatch(db: Database, { rows, dropped }: Batch): Promise<void> {
  return db.transaction(async (tx) => {
    await skipFlush(tx);
    if (rows.length > 0) await copyRequests(tx, Buffer.from(rows.map(({ text }) => text).join('')));
    if (dropped.size > 0) await addDropped(tx, dropped);
  });
}

/** If the database is unavailable, the rows can be written later. After any other error, a retry would fail again. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.code === 'service_unavailable';
}
