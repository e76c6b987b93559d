import type { Tx } from './db.ts';
import { namedLock } from './locks.ts';

/**
 * Positions of changes, and why a reader that follows them misses none.
 *
 * Transactions do not commit in the order they write, so neither the time of a change nor a number taken while writing it
 * can be a cursor: a reader that has passed 8 would never see a 7 that commits later. So a change gets its position after
 * its commit. Whoever reads the changes of a chain first places the committed ones that have no position yet, under a lock
 * that is held until the positions are committed, each higher than all positions of the chain before. A reader that sees a
 * position sees all lower ones, and a transaction that stays open delays only its own changes: they come when it commits.
 *
 * A reader gets rows in their current state. A change that a later one replaced is skipped, because the row comes with the
 * later change, whose position is higher: it could only be made after the first was committed.
 *
 * A position is the time of placing in microseconds, or one more than the last position if the clock is behind it. The
 * order depends only on the latter; the time is used to find where to start for changes since a given time. Unlike a
 * sequence it needs no global counter, so everything stays within the rows of one chain, and after restoring a backup new
 * positions are still higher than those that readers have seen. Reading up to the oldest running transaction
 * (pg_snapshot_xmin) instead would need no placing, but every long transaction on the server would delay every reader, and
 * cursors would not survive a dump and restore.
 *
 * Readers place because most chains have none; a chore places the rest, so that the first reader finds little to do.
 */
export async function lockPositions(tx: Tx, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${namedLock('placing')})`, [name]);
}

/** The lowest position of a change that is placed at this time, unless higher ones exist. */
export function positionAt(time: Date): number {
  return time.getTime() * 1000;
}

/** Where a walk through the changes since a time starts: the clocks of the servers may differ. */
export function startOfWalk(since: Date): number {
  return Math.max(0, positionAt(since) - clockToleranceMs * 1000);
}

export const clockToleranceMs = 5 * 60_000;
