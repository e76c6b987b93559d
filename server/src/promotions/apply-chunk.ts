import type { Feedback } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import {
  applyToVendor,
  deleteEntries,
  fillIncomingEntries,
  findIncomingRange,
  type PricedVendor,
  recordChangedEntries,
  type Rejection,
  type Target,
  type VendorOutcome,
  writeEntries,
} from './apply-queries.ts';
import { type RejectionCode, type RejectionStatus, rejections } from './rules/rejections.ts';

export type ChunkOutcome = { applied: number; absent: number; rejected: number; feedback: Feedback[]; log: string };

/** Applies the SKUs in a chunk to the given vendors, in the caller's transaction. */
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
  const total: ChunkOutcome = { applied: 0, absent: 0, rejected: 0, feedback: [], log: '' };
  const max = { MISSING: maxFeedback, POINTLESS: maxFeedback, ABSENT: maxFeedback };
  for (const vendor of vendors) {
    const outcome = await applyToVendor(tx, chainId, target, vendor, range, rejectionsUpTo(max));
    for (const { status } of outcome.first) max[status] -= 1;
    total.applied += outcome.applied;
    total.absent += outcome.absent;
    total.rejected += outcome.rejected;
    total.feedback.push(...feedbackOf(vendor, outcome));
    total.log += outcome.log ?? '';
  }
  return total;
}

/**
 * Updates the promotion's list of SKUs. Called once the chunk has been applied to all vendors, in the transaction for
 * the last vendor.
 */
export async function recordEntries(tx: Tx, chainId: string, target: Target, vendorIds: string[]): Promise<void> {
  await writeEntries(tx, chainId, target, target.isForAll ? ['*'] : vendorIds);
  await deleteEntries(tx, chainId, target.promotion_id);
  if (target.is_published) await recordChangedEntries(tx, chainId, target.promotion_id);
}

function rejectionsUpTo(max: Record<RejectionStatus, number>): Rejection[] {
  const codes = Object.keys(rejections) as RejectionCode[];
  return codes.map((code) => ({ code, ...rejections[code], max: max[rejections[code].status] }));
}

function feedbackOf({ vendor_id }: PricedVendor, { first }: VendorOutcome): Feedback[] {
  return first.map(({ code, ...entry }) => ({
    ...entry,
    vendor_id,
    code,
    rejected_data: entry.sku,
    rejected_reason: rejections[code].reason,
  }));
}
