import { addDetails, type JobError } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { PromotionJob } from './job.ts';
import { deleteUnpublished, publishPromotion, recordStopped } from './queries.ts';

/**
 * A cancellation succeeds if it found its promotion, even if the promotion has no SKUs. A request that only removes
 * SKUs succeeds even if the promotion does not contain them.
 */
export function findError({ succeeded, unchanged, failed, details }: PromotionJob): JobError | undefined {
  if (succeeded > 0 || !details.header.active || (unchanged > 0 && failed === 0)) return undefined;
  const message =
    details.vendors.length === 0
      ? 'None of the ids belongs to a vendor in the chain.'
      : 'No SKU could be applied at any vendor; see the result for the reasons.';
  return { code: 'nothing_applied', message };
}

/**
 * Publishes the promotion, so that it takes effect, or deletes a new promotion if nothing was applied. A job that was
 * stopped can have changed some prices of an earlier promotion.
 */
export async function finishPromotion(
  tx: Tx,
  chainId: string,
  { job_id, status, succeeded, details }: PromotionJob,
): Promise<void> {
  const { promotion_id: promotionId, header } = details;
  if (!promotionId || !header.active) return;
  if (status === 'COMPLETED') await publishPromotion(tx, chainId, promotionId, header);
  else if (await deleteUnpublished(tx, chainId, promotionId)) {
    await addDetails(tx, chainId, job_id, { promotion_id: null });
  } else if (succeeded > 0) await recordStopped(tx, chainId, promotionId);
}
