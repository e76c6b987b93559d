import type { Feedback } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import {
  applyToVendor,
  deleteEntries,
  fillIncomingEntries,
  findIncomingRange,
  type PricedVendor,
  type Target,
  type VendorOutcome,
  writeEntries,
} from './apply-queries.ts';

export type ChunkOutcome = { applied: number; rejected: number; feedback: Feedback[]; log: string };

/** Applies the SKUs of a chunk to some vendors, in the caller's transaction. */
export async function applyChunk(
  tx: Tx,
  chainId: string,
  target: Target,
  lines: Buffer,
  vendors: PricedVendor[],
  maxFeedback: number,
): Promise<ChunkOutcome> {
  await fillIncomingEntries(tx, lines);
  const range = await findIncomingRange(tx);
  const total: ChunkOutcome = { applied: 0, rejected: 0, feedback: [], log: '' };
  const max = { missing: maxFeedback, pointless: maxFeedback };
  for (const vendor of vendors) {
    const outcome = await applyToVendor(tx, chainId, target, vendor, range, max);
    max.missing -= outcome.missing.length;
    max.pointless -= outcome.pointless.length;
    total.applied += outcome.applied;
    total.rejected += outcome.missing_count + outcome.pointless_count;
    total.feedback.push(...feedbackOf(vendor, outcome));
    total.log += outcome.log ?? '';
  }
  return total;
}

/** Updates the promotion's list of SKUs. Called after the chunk was applied to all vendors, in the transaction of the last. */
export async function recordEntries(tx: Tx, chainId: string, target: Target, vendorIds: string[]): Promise<void> {
  await writeEntries(tx, chainId, target, target.isForAll ? ['*'] : vendorIds);
  await deleteEntries(tx, chainId, target.promotion_id);
}

function feedbackOf({ vendor_id }: PricedVendor, { missing, pointless }: VendorOutcome): Feedback[] {
  const row =
    (status: Feedback['status'], code: string, reason: string) => (entry: { row_no: number; sku: string }) => ({
      ...entry,
      status,
      vendor_id,
      code,
      rejected_data: entry.sku,
      rejected_reason: reason,
    });
  return [
    ...missing.map(row('MISSING', 'product_not_found', 'The vendor has no product with this SKU.')),
    ...pointless.map(row('POINTLESS', 'discount_not_below_price', 'The discounted price is not below the price.')),
  ];
}
