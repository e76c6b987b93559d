import type { Tx } from '../kernel/db.ts';
import { unpack } from '../kernel/pack.ts';
import { applyChunk, listChunk } from './apply-chunk.ts';
import { judgedVendors } from './apply-promotion.ts';
import { emptyIncomingEntries } from './apply-queries.ts';
import { cancelNamed, openPromotion } from './open-promotion.ts';
import { publishPromotion } from './queries.ts';
import { readPromotion } from './read-promotion.ts';

/**
 * Puts a promotion into effect at once, inside the caller's transaction and without a job: for seeding. `now` may lie in
 * the past, so that the promotion has ended today. The vendors are platform ids.
 */
export async function applyPromotionNow(
  tx: Tx,
  chainId: string,
  vendorIds: string[],
  promotion: Record<string, unknown>,
  now: Date,
): Promise<void> {
  const body = Buffer.from(JSON.stringify({ ...promotion, vendors: vendorIds }));
  const plan = readPromotion(body, { now: now.getTime() });
  const named = { header: plan.header, isForAll: false, vendors: vendorIds };
  if (!plan.header.active) {
    await cancelNamed(tx, chainId, named);
    return;
  }
  const row = await openPromotion(tx, chainId, named, true);
  if (!row) return;
  const target = { ...row, isForAll: false };
  const vendors = await judgedVendors(tx, chainId, vendorIds);
  for (const chunk of plan.chunks) {
    await applyChunk(tx, chainId, target, await unpack(chunk.lines), vendors, 0);
    await listChunk(tx, chainId, target, vendorIds);
    await emptyIncomingEntries(tx);
  }
  await publishPromotion(tx, chainId, row.promotion_id, plan.header);
}
