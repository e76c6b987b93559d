import { recordPlatformEvent } from '../events/index.ts';
import type { Database } from '../kernel/database/db.ts';
import { type Announcement, listUnannounced, markAnnounced } from './announce-queries.ts';
import { promotionResponse } from './rules/response.ts';

const maxPromotions = 100;

/**
 * A promotion starts and ends without a transaction, so a worker records these events, each together with the state that
 * it has announced. Returns whether there may be more.
 */
export async function announcePromotions(db: Database): Promise<boolean> {
  const due = await listUnannounced(db, maxPromotions);
  for (const { chain_id: chainId, promotion_id: promotionId, next } of due) {
    await db.transaction(async (tx) => {
      const row = await markAnnounced(tx, chainId, promotionId, next);
      if (!row) return;
      recordPlatformEvent(tx, chainId, {
        type: types[next],
        body: { chain_id: chainId, promotion: promotionResponse(row, new Date()) },
        vendorId: null,
        subject: `promotion ${promotionId}`,
      });
    });
  }
  return due.length >= maxPromotions;
}

const types = { STARTED: 'promotion.started', ENDED: 'promotion.ended' } as const satisfies Record<
  Announcement,
  string
>;
