import type { Database } from '../kernel/database/db.ts';
import { startOfWalk } from '../kernel/database/positions.ts';
import { receivedBytes } from '../kernel/database/statement.ts';
import { assignPending, assignPendingOfAll } from './assign-positions.ts';
import { findHighestPosition, lockAllPositions, maxExamined } from './change-queries.ts';
import {
  type ChangedOrder,
  findLastPositionOfAll,
  listNextChanges,
  listOrdersOfChanges,
  type OrderConditions,
  type Selection,
} from './platform-queries.ts';
import { type PlatformCursor, startCursor } from './rules/platform-cursor.ts';
import type { OrderRow } from './rules/order-response.ts';

export type PlatformWalk = {
  /** Where the walk continues. A new walk starts at `since`, or with the oldest order. */
  cursor: PlatformCursor | undefined;
  since: Date | undefined;
  selection: Selection;
  conditions: Omit<OrderConditions, 'since'>;
  limit: number;
  /** Whether the database is distributed. */
  isSharded: boolean;
};

/**
 * Returns the next orders of all chains, or of one, sorted by their last change. Positions are assigned across chains,
 * so a cursor is a position as in a chain's own list; see kernel/database/positions.ts for why none are missed.
 */
export async function listAllOrderChanges(
  db: Database,
  { cursor, since, selection, conditions, limit, isSharded }: PlatformWalk,
): Promise<{ rows: OrderRow[]; next: PlatformCursor; hasMore: boolean }> {
  const { chainId } = selection;
  const hasUnassigned = await (chainId === undefined ? assignPendingOfAll(db) : assignPending(db, chainId));
  const start = cursor ?? (await findStart(db, since));
  const upTo = isSharded ? await findSettledPosition(db) : undefined;
  const changes = await listNextChanges(db, selection, start, upTo);
  const found: ChangedOrder[] = [];
  let [examined, bytes] = [0, 0];
  while (found.length < limit && examined < changes.length && bytes < maxPageBytes) {
    const part = changes.slice(examined, examined + partSize);
    const orders = await listOrdersOfChanges(db, part, { ...conditions, since: start.since });
    found.push(...orders);
    bytes += receivedBytes(orders);
    examined += part.length;
  }
  const rows = found.slice(0, limit);
  // If orders were left out, the next page starts after the last one that was not.
  const last = found.length > limit ? rows.at(-1) : changes[examined - 1];
  const next = last ? { ...start, position: last.position, orderId: last.order_id } : start;
  const isCut = found.length > limit || examined < changes.length;
  return { rows, next, hasMore: isCut || changes.length === maxExamined || hasUnassigned };
}

/**
 * A read of all nodes has a snapshot per node, so it can see a position without a lower one on another node. No
 * positions are being assigned while this holds the lock, so a later statement sees all positions up to this one.
 */
function findSettledPosition(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    await lockAllPositions(tx);
    return findHighestPosition(tx);
  });
}

/** The number of changes whose orders are read together. An order can have more than a megabyte, so a page can be cut. */
const partSize = 25;
const maxPageBytes = 16 * 1024 * 1024;

async function findStart(db: Database, since: Date | undefined): Promise<PlatformCursor> {
  if (since === undefined) return startCursor;
  const upTo = await findLastPositionOfAll(db);
  return { ...startCursor, position: startOfWalk(since), since: { ms: Math.max(0, since.getTime()), upTo } };
}
