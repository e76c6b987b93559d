import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Replica } from './database.ts';
import { isConnectionLoss, sqlState } from './errors.ts';
import type { Db } from './tx.ts';

/** `onFailed` is called once until the replica can be read again. */
export function createReplica(primary: Db, db: Database, onFailed: (error: Error) => void): Replica {
  const readCommitted = sharing(() => readPosition(primary, 'pg_current_wal_flush_lsn()'));
  let hasFailed = false;
  let askedAt = Number.POSITIVE_INFINITY;
  const readReplayed = sharing(async () => {
    askedAt = performance.now();
    try {
      const position = await readPosition(db, 'pg_last_wal_replay_lsn()');
      hasFailed = false;
      return position;
    } catch (error) {
      if (!hasFailed) onFailed(error as Error);
      hasFailed = true;
      throw error;
    } finally {
      askedAt = Number.POSITIVE_INFINITY;
    }
  });
  // It is not asked again before it responds or the connection is given up.
  const isSilent = () => performance.now() - askedAt > maxSilenceMs;
  let replayed = -1n;
  let replayedUntil = 0;
  let avoidedUntil = 0;
  const avoid = () => {
    avoidedUntil = performance.now() + avoidMs;
  };
  const catchUp = async () => {
    const committed = await readCommitted();
    if (performance.now() > replayedUntil) replayed = -1n;
    const deadline = performance.now() + maxWaitMs;
    for (;;) {
      if (replayed < committed) {
        replayedUntil = performance.now() + rememberMs;
        replayed = await inTime(readReplayed());
      }
      if (replayed >= committed) return true;
      if (performance.now() > deadline) return false;
      await sleep(pollMs);
    }
  };
  return {
    db,
    avoid,
    counts: { replica: 0, primary: 0 },
    async isCurrent() {
      if (performance.now() < avoidedUntil || isSilent()) return false;
      const isCurrent = await catchUp().catch(() => false);
      if (!isCurrent) avoid();
      return isCurrent;
    },
  };
}

/** The replica if it is current, otherwise the database itself. */
export async function chooseReader(db: Database): Promise<Database> {
  const { replica } = db;
  if (!replica) return db;
  const isCurrent = await replica.isCurrent();
  replica.counts[isCurrent ? 'replica' : 'primary'] += 1;
  return isCurrent ? replica.db : db;
}

/**
 * The same database for one request that only reads. If the replica fails, the request continues on the primary, and
 * stays there, so that it does not read older rows after newer ones. `limit` applies the chain's limit to the replica.
 */
export function preferReplica(db: Database, limit: (replica: Database) => Database): Database {
  const { replica } = db;
  if (!replica) return db;
  let choice: Promise<Database> | undefined;
  const choose = async () => {
    const chosen = await chooseReader(db);
    return chosen === db ? db : limit(chosen);
  };
  const run = async <Result>(work: (chosen: Database) => Promise<Result>): Promise<Result> => {
    const chosen = await (choice ??= choose());
    try {
      return await work(chosen);
    } catch (error) {
      if (chosen === db || !isReplicaFailure(error)) throw error;
      replica.avoid();
      choice = Promise.resolve(db);
      return work(db);
    }
  };
  return {
    ...db,
    get withoutTimeout() {
      return db.withoutTimeout;
    },
    get withIdleLimit() {
      return db.withIdleLimit;
    },
    query: (...statement) => run((chosen) => chosen.query(...statement)),
    transaction: (work) => run((chosen) => chosen.transaction(work)),
  };
}

/** How long a read waits for the replica. Usually it is a few milliseconds behind. */
const maxWaitMs = 100;
const pollMs = 2;
/** How long a read waits for a response of the replica, which can be frozen or cut off. */
const maxSilenceMs = 1000;
/** A server that was restarted begins again at an earlier position, and one that was replaced can be behind. */
const rememberMs = 500;
/** While the replica is behind or away, reads do not wait for it each time. */
const avoidMs = 1000;

/**
 * The replica is away, needs to remove rows that the statement reads (40001), or cannot execute the statement because
 * it writes (25006) or reads an unlogged table (0A000, 55000).
 */
export function isReplicaFailure(error: unknown): boolean {
  const cause = (error instanceof Error && error.cause) || error;
  return isConnectionLoss(cause) || ['40001', '25006', '0A000', '55000'].includes(sqlState(cause) ?? '');
}

async function inTime(response: Promise<bigint>): Promise<bigint> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The replica does not respond.')), maxSilenceMs);
  return Promise.race([response, late]).finally(() => clearTimeout(timer));
}

async function readPosition(db: Db, position: string): Promise<bigint> {
  const [row] = await db.query<{ position: string | null }>(`select ${position}::text as position`);
  // A server that has been promoted replays nothing.
  if (!row?.position) throw new Error('The replica is not a standby.');
  const [high = '0', low = '0'] = row.position.split('/');
  return BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`);
}

/**
 * Callers that arrive while a call is running share the next one, which begins after they have arrived. So the load does
 * not depend on the number of callers.
 */
function sharing<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Value> | undefined;
  return () => {
    next ??= running.then(() => {
      const loading = load();
      running = loading.catch(() => {});
      next = undefined;
      return loading;
    });
    return next;
  };
}
