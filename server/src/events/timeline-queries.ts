import type { Tx } from '../kernel/database/db.ts';
import { currentTimeline } from '../kernel/database/replica.ts';
import { skipPositions } from './queries.ts';

/**
 * With asynchronous replication, a failover loses the newest events, and with them the fact that their positions were
 * assigned. A client that has read them would never see the new events that get the same positions. So the first
 * publisher on a new timeline skips positions, whether events were lost or not.
 */
export async function findNewTimeline(tx: Tx): Promise<number | undefined> {
  const rows = await tx.query<{ published: number; current: number }>(
    `select timeline as published, ${currentTimeline} as current from feed_timeline`,
  );
  const [row] = rows;
  return row && row.current !== row.published ? row.current : undefined;
}

/** On a distributed database, several publishers can find the timeline at the same time. The others wait for the first. */
export async function skipLostPositions(tx: Tx, timeline: number): Promise<void> {
  const changed = await tx.query('update feed_timeline set timeline = $1 where timeline <> $1 returning 1', [timeline]);
  if (changed.length > 0) await skipPositions(tx);
}
