import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Replica } from './database.ts';
import { isConnectionLoss, sqlState } from './errors.ts';
import type { Db } from './tx.ts';

/** `onFailed` is called once until the replica can be read again. */
export function createReplica(primary: Db, db: Database, onFailed: (error: Error) => void): Replica {
  const readCommitted = sharing(() => readPosition(primary, committedSql));
  let hasFailed = false;
  const fail = (error: Error) => {
    if (!hasFailed) onFailed(error);
    hasFailed = true;
  };
  let askedAt = Number.POSITIVE_INFINITY;
  const readReplayed = sharing(async () => {
    askedAt = performance.now();
    try {
      return await readPosition(db, replayedSql);
    } catch (error) {
      fail(error as Error);
      throw error;
    } finally {
      askedAt = Number.POSITIVE_INFINITY;
    }
  });
  // It is not asked again before it responds or the connection is given up.
  const isSilent = () => performance.now() - askedAt > maxSilenceMs;
  let replayed = nowhere;
  let replayedUntil = 0;
  let avoidedUntil = 0;
  const avoid = () => {
    avoidedUntil = performance.now() + avoidMs;
  };
  const catchUp = async () => {
    const required = await readCommitted();
    if (performance.now() > replayedUntil) replayed = nowhere;
    const deadline = performance.now() + maxWaitMs;
    for (;;) {
      if (!includes(replayed, required)) {
        replayedUntil = performance.now() + rememberMs;
        replayed = await inTime(readReplayed());
      }
      if (includes(replayed, required)) return true;
      const isOther = replayed.history !== required.history;
      if (isOther) fail(new Error('The replica follows another server, or an earlier timeline.'));
      if (isOther || performance.now() > deadline) return false;
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
      if (isCurrent) hasFailed = false;
      else avoid();
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

/**
 * A position in the WAL, and the history that it belongs to: a server that was restored, or promoted before it had
 * received everything, continues from an earlier position than the replicas of the server that it replaces may have.
 */
type Position = { lsn: bigint; history: string };
const nowhere: Position = { lsn: -1n, history: '' };

function includes(replayed: Position, required: Position): boolean {
  return replayed.history === required.history && replayed.lsn >= required.lsn;
}

/** A SQL expression for the timeline of the primary. The name of a WAL file starts with it. */
export const currentTimeline = `('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int`;

/** The SQL expressions of a position and of its timeline. */
type PositionSql = { lsn: string; timeline: string };
const committedSql: PositionSql = {
  lsn: 'pg_current_wal_flush_lsn()',
  timeline: currentTimeline,
};
const replayedSql: PositionSql = {
  lsn: 'pg_last_wal_replay_lsn()',
  // After a failover, a standby writes the new timeline to its control file with its next checkpoint.
  timeline: 'greatest((pg_control_checkpoint()).timeline_id, (pg_control_recovery()).min_recovery_end_timeline)',
};

async function inTime(response: Promise<Position>): Promise<Position> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The replica does not respond.')), maxSilenceMs);
  return Promise.race([response, late]).finally(() => clearTimeout(timer));
}

async function readPosition(db: Db, { lsn, timeline }: PositionSql): Promise<Position> {
  const [row] = await db.query<{ position: string | null; history: string }>(
    `select ${lsn}::text as position,
       concat_ws(' ', (pg_control_system()).system_identifier, ${timeline}, d.oid) as history
     from pg_database d where datname = current_database()`,
  );
  // A server that has been promoted replays nothing.
  if (!row?.position) throw new Error('The replica is not a standby.');
  const [high = '0', low = '0'] = row.position.split('/');
  return { lsn: BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`), history: row.history };
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
