import { acceptJob, shareChunks } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { newId } from '../kernel/values/ids.ts';
import { promotionJob } from './job.ts';
import type { PromotionPlan } from './read-promotion.ts';

/** The vendor ids in a request: those of the chain's vendors, and unknown ones. */
export type VendorTarget = { known: string[]; unknown: string[] };

/** A chain's promotion jobs run one at a time, in the order they were accepted. */
export async function acceptPromotion(
  tx: Tx,
  chainId: string,
  { header: { vendors, ...header }, total, hasAdditions, chunks }: PromotionPlan,
  { known, unknown }: VendorTarget,
): Promise<string> {
  const jobId = newId();
  return acceptJob(tx, chainId, promotionJob, {
    jobId,
    vendorId: null,
    vendorIds: [...known, ...unknown],
    total: total * known.length,
    details: {
      header,
      isForAll: vendors === '*',
      vendors: known,
      invalid_vendors: unknown,
      hasAdditions,
      chunks: chunks.map((chunk) => chunk.skus),
    },
    chunks: chunks.map(({ lines }, no) => ({ kind: 'entries', no, bytes: lines })),
    tasks: shareChunks(chunks.length).map((share) => ({
      lane: `promotions ${chainId}`,
      payload: { job_id: jobId, ...share, vendor: 0 },
    })),
  });
}
