import { listAllVendors } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { decompress } from '../kernel/bodies/chunk-compression.ts';
import { applyChunk, recordEntries } from './apply-chunk.ts';
import { findPricedVendors } from './apply-promotion.ts';
import { emptyIncomingEntries } from './apply-queries.ts';
import { cancelByIdentity, openPromotion } from './open-promotion.ts';
import { publishPromotion } from './queries.ts';
import { readPromotion } from './read-promotion.ts';

/**
 * Applies a request immediately, without a job, in the caller's transaction. Used for seeding. `now` can be in the
 * past, so that a promotion that has already ended is accepted. Vendors are platform ids or `*`. SKUs that cannot be
 * applied are skipped.
 */
export async function applyPromotionNow(
  tx: Tx,
  chainId: string,
  promotionId: string,
  request: unknown,
  now: Date,
): Promise<void> {
  const { header, chunks } = readPromotion(request, { now: now.getTime() });
  const isForAll = header.vendors === '*';
  const vendors = header.vendors === '*' ? await vendorIds(tx, chainId) : header.vendors;
  const requested = { header, isForAll, vendors };
  if (!header.active) return void (await cancelByIdentity(tx, chainId, requested));
  const row = await openPromotion(tx, chainId, requested, promotionId);
  if (!row) return;
  const target = { ...row, isForAll, isSharded: false };
  for (const chunk of chunks) {
    await applyChunk(
      tx,
      chainId,
      target,
      await decompress(chunk.lines),
      await findPricedVendors(tx, chainId, vendors),
      0,
    );
    await recordEntries(tx, chainId, target, vendors);
    await emptyIncomingEntries(tx);
  }
  await publishPromotion(tx, chainId, row.promotion_id, header);
}

async function vendorIds(tx: Tx, chainId: string): Promise<string[]> {
  return (await listAllVendors(tx, chainId)).map((vendor) => vendor.vendor_id);
}
