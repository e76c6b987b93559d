import type { Tx } from './db.ts';
import { namedLock } from './locks.ts';

/**
 * Positions put the changes in a chain in a fixed order, so that a reader that follows the positions misses no change.
 *
 * Transactions do not commit in the order they write, so neither the time of a change nor a number assigned while
 * writing it can be a cursor: a reader that has passed 8 would never see a 7 that commits later. So a change gets its
 * position after it is committed. A request that reads the changes in a chain first assigns positions to the committed
 * changes that have none. Each position is higher than all earlier ones in the chain, and a lock is held until the
 * positions are committed. So a reader that sees a position sees all lower ones, and a transaction that stays open
 * delays only its own changes.
 *
 * A reader gets rows in their current state. If a row was changed several times, only the last change is returned. The
 * last change has the highest position, because it could be made only after the earlier changes were committed.
 *
 * A position is the time of its assignment in microseconds, or one more than the last position if the clock is behind.
 * The order does not depend on the clock. The time is used only to find the first change after a given time. Unlike a
 * sequence, this needs no counter, and after a backup is restored, new positions are still higher than those that
 * readers have seen. The alternative, reading up to the oldest running transaction (pg_snapshot_xmin), needs no assigned
 * positions, but every long transaction on the database server would delay every reader, and cursors would not survive a
 * dump and restore.
 *
 * Positions are assigned when changes are read, because most chains have no readers. A chore assigns the rest, so that
 * the first reader has little to do.
 */
export async function lockPositions(tx: Tx, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${namedLock('positions')})`, [name]);
}

/**
 * A SQL expression for the lowest position that can be assigned now. It uses the database's clock, because a process
 * whose clock is behind would assign positions that readers with `updated_since` have already passed.
 */
export const positionNow = '(extract(epoch from now()) * 1000000)::bigint';

/** The position from which to read the changes since a given time, allowing for clock differences between servers. */
export function startOfWalk(since: Date): number {
  return Math.max(0, (since.getTime() - clockToleranceMs) * 1000);
}

export const clockToleranceMs = 5 * 60_000;
