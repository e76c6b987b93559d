import type { OrderStatus } from '@aisle/contract/order';
import type { Database } from '../kernel/database/db.ts';
import { startOfWalk } from '../kernel/database/positions.ts';
import { assignPending } from './assign-positions.ts';
import { findLastPosition, listChangedOrders, maxExamined } from './change-queries.ts';
import type { Visibility } from './get-order.ts';
import type { OrderRow } from './rules/order-response.ts';
import type { OrderCursor } from './rules/order-cursor.ts';
import { oldestReadable } from './rules/time-range.ts';

export type OrderWalk = {
  /** Where the walk continues. A new walk starts at `since`, or at the oldest order that can be read. */
  cursor: OrderCursor | undefined;
  since: Date | undefined;
  status: OrderStatus | undefined;
  limit: number;
};

/**
 * Returns a chain's next orders, sorted by their last change. See kernel/database/positions.ts for why none are missed.
 */
export async function listOrderChanges(
  db: Database,
  chainId: string,
  walk: OrderWalk,
  { vendorIds, readableDays, now }: Visibility & { readableDays: number },
): Promise<{ rows: OrderRow[]; next: OrderCursor; hasMore: boolean }> {
  const hasUnassigned = await assignPending(db, chainId);
  const createdSince = oldestReadable(readableDays, now);
  const { position, since } = walk.cursor ?? (await findStart(db, chainId, walk.since, createdSince));
  const filter = { vendorIds, status: walk.status, createdSince, since };
  const { rows, examined, lastExamined } = await listChangedOrders(db, chainId, position, filter, walk.limit);
  const last = rows.length < walk.limit ? lastExamined : rows.at(-1)?.position;
  const next = { position: last ?? position, since };
  const hasMore = examined === maxExamined || next.position < (lastExamined ?? 0) || hasUnassigned;
  return { rows, next, hasMore };
}

/** Every change to a readable order was made after `createdSince`, so no walk needs to start earlier. */
async function findStart(
  db: Database,
  chainId: string,
  since: Date | undefined,
  createdSince: Date,
): Promise<OrderCursor> {
  if (since === undefined || since <= createdSince) return { position: startOfWalk(createdSince), since: undefined };
  const upTo = await findLastPosition(db, chainId);
  return { position: startOfWalk(since), since: { ms: since.getTime(), upTo } };
}
