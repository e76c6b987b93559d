import type { Db, Tx } from '../kernel/database/db.ts';
import { positionClaims } from '../kernel/database/locks.ts';

/**
 * Up to which position the platform's feed can be read if the database is distributed.
 *
 * The events of several chains are then published at the same time, and a read of all nodes has a snapshot per node. So
 * a reader can see a position before a lower one, and if it continued after the higher one, it would miss an event.
 *
 * So a publisher claims its positions before it takes them from the sequence: it holds a lock whose number contains the
 * lowest position that it can get. The lock is released when the transaction is visible on its node. A reader first
 * reads the sequence, then the lowest claim, and then events below both: a position below the value of the sequence has
 * been claimed, and if the claim is no longer held, the event is visible to a statement that starts now.
 *
 * Locks are used because they are visible before the commit, and are released if the publisher's connection is lost.
 */
export async function findWatermark(db: Db): Promise<string> {
  const [next] = await db.query<{ position: string }>(`select ${nextPosition} as position from event_positions`);
  const rows = await db.query<{ position: string }>(
    `select least($1::bigint, min(key) - ${positionClaims.first}) - 1 as position
     from (
       select (classid::bigint << 32) | objid::bigint as key from pg_locks
       where locktype = 'advisory' and objsubid = 1 and mode = 'ShareLock'
         and database = (select oid from pg_database where datname = current_database())
     ) held
     where key between ${positionClaims.first} and ${positionClaims.last}`,
    [next?.position],
  );
  return rows[0]?.position ?? '0';
}

/** Call this before taking positions from the sequence, if the database is distributed. */
export function claimPositions(tx: Tx): void {
  tx.send(`select pg_advisory_xact_lock_shared(${positionClaims.first} + ${nextPosition}) from event_positions`);
}

const nextPosition = 'case when is_called then last_value + 1 else last_value end';
