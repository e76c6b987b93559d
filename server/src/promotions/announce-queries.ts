import type { Db, Tx } from '../kernel/database/db.ts';
import { columns, type PromotionRow } from './queries.ts';

export type Announcement = 'STARTED' | 'ENDED';
export type Unannounced = { chain_id: string; promotion_id: string; next: Announcement };

/**
 * The promotions, in these or (null) all chains, that have started or ended since their last event. One that started and ended while no
 * worker was running is listed twice, one after the other. One that has ended and was extended starts again.
 */
export function listUnannounced(db: Db, limit: number, chainIds: readonly string[] | null): Promise<Unannounced[]> {
  const inChains = '($2::uuid[] is null or chain_id = any ($2))';
  return db.query(
    `(select chain_id, promotion_id, 'STARTED' as next from promotions
      where ${inChains} and announced is null and ${hasStarted} order by start_time limit $1)
     union all
     (select chain_id, promotion_id, 'STARTED' from promotions
      where ${inChains} and announced = 'ENDED' and end_time > now() and ${hasStarted} limit $1)
     union all
     (select chain_id, promotion_id, 'ENDED' from promotions
      where ${inChains} and announced = 'STARTED' and end_time <= now() order by end_time limit $1)
     union all
     (select chain_id, promotion_id, 'ENDED' from promotions
      where ${inChains} and announced = 'STARTED' and is_cancelled limit $1)`,
    [limit, chainIds],
  );
}

const hasStarted = 'start_time <= now() and is_published and not is_cancelled';

/** Returns the promotion, or undefined if another process was faster, or the promotion has changed in the meantime. */
export async function markAnnounced(
  tx: Tx,
  chainId: string,
  promotionId: string,
  next: Announcement,
): Promise<PromotionRow | undefined> {
  const rows = await tx.query<PromotionRow>(
    `update promotions set announced = $3
     where chain_id = $1 and promotion_id = $2 and announced is distinct from $3 and ${isDue[next]}
     returning ${columns}`,
    [chainId, promotionId, next],
  );
  return rows[0];
}

const isDue = {
  STARTED: `${hasStarted} and (announced is null or end_time > now())`,
  ENDED: "announced = 'STARTED' and (end_time <= now() or is_cancelled)",
} as const satisfies Record<Announcement, string>;
