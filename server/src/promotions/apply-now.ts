import { listAllVendors } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { decompress } from '../kernel/bodies/compress.ts';
import { applyChunk, listChunk } from './apply-chunk.ts';
import { findPricedVendors } from './apply-promotion.ts';
import { emptyIncomingEntries } from './apply-queries.ts';
import { cancelNamed, openPromotion } from './open-promotion.ts';
import { publishPromotion } from './queries.ts';
import { readPromotion } from './read-promotion.ts';

/**
 * Does what a request asks for at once, inside the caller's transaction and without a job: for seeding. `now` may lie in
 * the past, for a promotion that has ended. Vendors are platform ids or `*`; what cannot be applied is left out.
 */
export async function applyPromotionNow(
  tx: Tx,
  chainId: string,
  promotionId: string,
  request: unknown,
  now: Date,
): Promise<void> {
  const { header, chunks } = readPromotion(Buffer.from(JSON.stringify(request)), { now: now.getTime() });
  const isForAll = header.vendors === '*';
  const vendors = header.vendors === '*' ? await vendorIds(tx, chainId) : header.vendors;
  const named = { header, isForAll, vendors };
  if (!header.active) return void (await cancelNamed(tx, chainId, named));
  const row = await openPromotion(tx, chainId, named, promotionId);
  if (!row) return;
  const target = { ...row, isForAll };
  for (const chunk of chunks) {
    await applyChunk(
      tx,
      chainId,
      target,
      await decompress(chunk.lines),
      await findPricedVendors(tx, chainId, vendors),
      0,
    );
    await listChunk(tx, chainId, target, vendors);
    await emptyIncomingEntries(tx);
  }
  await publishPromotion(tx, chainId, row.promotion_id, header);
}

async function vendorIds(tx: Tx, chainId: string): Promise<string[]> {
  return (await listAllVendors(tx, chainId)).map((vendor) => vendor.vendor_id);
}
