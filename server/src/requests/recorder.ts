import type { Cluster } from '../cluster/index.ts';
import { type Database, skipFlush } from '../kernel/database/db.ts';
import { isUnavailable } from '../kernel/database/errors.ts';
import type { FinishedRequest } from '../kernel/http/finished-request.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { RecorderMetrics } from './metrics.ts';
import { addDropped, copyRequests, encodeRequest } from './queries.ts';
import { entryOf, type LoggedActor, loggedActor } from './rules/entry.ts';
import { type Batch, createWaitingRows, splitBatch, splitByNode } from './waiting-rows.ts';

/**
 * Writes the request log. A finished request becomes a row of COPY text in memory, and a timer writes the rows in one
 * transaction every second, so a crash loses about one second of requests at most. When requests arrive faster than the
 * database can write them, or the database is unavailable, limits keep memory use bounded. Requests over a limit are
 * dropped and counted.
 *
 * If the database is distributed, each node gets its rows in a transaction of its own, so that those for a
 * node that is away wait in memory without delaying the others.
 */
export type Recorder = { record(finished: FinishedRequest): void; close(): Promise<void> };

type Parts = {
  db: Database;
  log: Log;
  metrics: RecorderMetrics;
  perSecond: number;
  /** Undefined if the database is not distributed. */
  cluster: Pick<Cluster, 'nodeOf' | 'isNodeAway' | 'databaseAt'> | undefined;
};

type Recent = { finished: FinishedRequest; actor: LoggedActor; endedAt: number };

const flushMs = 1000;
/** Once this many rows are waiting, they are written immediately. */
const fullBatch = 1000;
/** Requests are encoded in groups of this size, so that the code and data for encoding stay in the CPU's cache. */
const encodedTogether = 64;
/** A request with more text than this is encoded immediately, so that the memory for its bodies can be freed. */
const largeBytes = 64 * 1024;
const memory = { rows: 20_000, length: 32 * 1024 * 1024 };

export function createRecorder({ db, log, metrics, perSecond, cluster }: Parts): Recorder {
  const nodeOf = cluster?.nodeOf ?? (() => onlyNode);
  const waiting = createWaitingRows({ perSecond, ...memory }, metrics.dropped);
  let flushing: Promise<void> | undefined;
  let recent: Recent[] = [];
  const encodeRecent = () => {
    if (recent.length === 0) return;
    for (const together of Map.groupBy(recent, ({ actor }) => nodeOf(actor.chainId)).values()) {
      const text = together
        .map(({ finished, actor, endedAt }) => encodeRequest(entryOf(finished, actor, endedAt)))
        .join('');
      waiting.add({ chainIds: together.map(({ actor }) => actor.chainId), text: Buffer.from(text) });
    }
    recent = [];
  };
  const write = async () => {
    encodeRecent();
    const batch = waiting.take();
    if (!batch) return;
    const writing: Promise<void>[] = [];
    for (const [node, part] of splitByNode(batch, nodeOf)) {
      if (cluster?.isNodeAway(node)) waiting.putBack(part);
      else writing.push(writeOrSplit(part, cluster?.databaseAt(node) ?? db));
    }
    await Promise.all(writing);
  };
  const writeOrSplit = async (batch: Batch, near: Database): Promise<void> => {
    try {
      await writeBatch(near, batch);
      metrics.recorded(countRows(batch));
    } catch (error) {
      const halves = splitBatch(batch);
      // If the database is unavailable, the rows can be written later. After any other error, they are written in
      // halves, so that only the row that caused it is lost.
      if (isUnavailable(error)) return logFailure(batch, error, waiting.putBack);
      if (!halves) return logFailure(batch, error, waiting.dropAll);
      for (const half of halves) await writeOrSplit(half, near);
    }
  };
  const logFailure = (batch: Batch, error: unknown, then: (batch: Batch) => void) => {
    log.warn({ event: 'requests.not_recorded', count: countRows(batch), error: String(error) });
    then(batch);
  };
  const flush = () => {
    flushing ??= write().finally(() => {
      flushing = undefined;
    });
    return flushing;
  };
  const timer = setInterval(() => {
    waiting.startSecond();
    void flush();
  }, flushMs);
  return {
    record(finished) {
      const actor = loggedActor(finished);
      if (!actor || !waiting.admit(actor.chainId)) return;
      recent.push({ finished, actor, endedAt: Date.now() });
      if (recent.length < encodedTogether && !isLarge(finished)) return;
      encodeRecent();
      if (waiting.count() >= fullBatch) void flush();
    },
    async close() {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
}

const onlyNode = '';

function isLarge({ requestBody, responseBody }: FinishedRequest): boolean {
  return (requestBody?.length ?? 0) + (responseBody?.length ?? 0) > largeBytes;
}

function countRows({ chunks }: Batch): number {
  return chunks.reduce((sum, { chainIds }) => sum + chainIds.length, 0);
}

function writeBatch(db: Database, { chunks, dropped }: Batch): Promise<void> {
  return db.transaction(async (tx) => {
    skipFlush(tx);
    if (chunks.length > 0) await copyRequests(tx, Buffer.concat(chunks.map(({ text }) => text)));
    addDropped(tx, dropped);
  });
}
