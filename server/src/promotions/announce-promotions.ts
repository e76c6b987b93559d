import { recordPlatformEvent } from '../events/index.ts';
import { type Chains, listReachable, runIfReachable } from '../kernel/background/chain-loop.ts';
import { readTime } from '../kernel/database/clock.ts';
import type { Database } from '../kernel/database/db.ts';
import { type Announcement, listUnannounced, markAnnounced, type Unannounced } from './announce-queries.ts';
import { promotionResponse } from './rules/response.ts';

const maxPromotions = 100;

/**
 * A promotion starts and ends without a transaction, so a worker records these events, each together with the state that
 * it has announced. Returns whether there may be more. `chains` is undefined if the database is not distributed.
 */
export async function announcePromotions(db: Database, chains: Chains | undefined): Promise<boolean> {
  const due = await listReachable(chains, (ids) => listUnannounced(db, maxPromotions, ids));
  for (const one of due) await runIfReachable(chains, one.chain_id, () => announce(db, one));
  return due.length >= maxPromotions;
}

function announce(db: Database, { chain_id: chainId, promotion_id: promotionId, next }: Unannounced): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await markAnnounced(tx, chainId, promotionId, next);
    if (!row) return;
    // By the same clock as `listUnannounced`. Otherwise, a promotion that has just started can still be UPCOMING.
    const now = await readTime(tx);
    recordPlatformEvent(tx, chainId, {
      type: types[next],
      body: { chain_id: chainId, promotion: promotionResponse(row, now) },
      vendorId: null,
      subject: `promotion ${promotionId}`,
    });
  });
}

const types = { STARTED: 'promotion.started', ENDED: 'promotion.ended' } as const satisfies Record<
  Announcement,
  string
>;
