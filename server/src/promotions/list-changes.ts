import type { Database } from '../kernel/database/db.ts';
import {
  assignPositions,
  getChangeState,
  hasPendingChanges,
  isCovered,
  listChangedSkus,
  listChangesAfter,
  type PromotionChange,
} from './change-queries.ts';
import { listPromotionsById, type PromotionRow } from './queries.ts';

/** The changes to a chain's promotions, for readers that keep a copy of the prices. */
export type PromotionChanges = {
  /** The last position. */
  position: number;
  /** Starts and ends up to this time have positions, so prices must be shown as of this time or later. */
  seenUntil: Date;
  isCovered(position: number): Promise<boolean>;
  /** The changes after a position or, if it `isBegun`, starting with the one at this position. */
  listAfter(
    from: { position: number; isBegun: boolean },
    limit: number,
  ): Promise<(PromotionChange & { promotion: PromotionRow | undefined })[]>;
  listSkus(change: PromotionChange, after: string, limit: number): Promise<string[]>;
};

/** Assigns positions to the changes that have none, and returns functions that read them. */
export async function openPromotionChanges(db: Database, chainId: string): Promise<PromotionChanges> {
  if (await hasPendingChanges(db, chainId)) await db.transaction((tx) => assignPositions(tx, chainId));
  return {
    ...(await getChangeState(db, chainId)),
    isCovered: (position) => isCovered(db, chainId, position),
    async listAfter({ position, isBegun }, limit) {
      const from = isBegun ? { after: position - 1, begun: position } : { after: position, begun: undefined };
      const changes = await listChangesAfter(db, chainId, from, limit);
      const ids = [...new Set(changes.map((change) => change.promotion_id))];
      const rows = ids.length === 0 ? [] : await listPromotionsById(db, chainId, ids);
      const byId = new Map(rows.map((row) => [row.promotion_id, row]));
      return changes.map((change) => ({ ...change, promotion: byId.get(change.promotion_id) }));
    },
    listSkus: (change, after, limit) => listChangedSkus(db, chainId, change, after, limit),
  };
}
