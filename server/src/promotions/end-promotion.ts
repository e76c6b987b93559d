import { addDetails, closeTask, deleteChunks, endJob, setError } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { JobDetails } from './accept-promotion.ts';
import { deleteUnpublished, publishPromotion } from './queries.ts';

/** One task of the job is done; the last one ends the job, and only then a new promotion counts. */
export async function finishPromotionTask(tx: Tx, chainId: string, jobId: string, fileDays: number): Promise<void> {
  const job = await closeTask<'PROMOTION'>(tx, chainId, jobId);
  if (job.open_tasks > 0) return;
  const details = job.details as JobDetails;
  const isApplied = job.error === null && (job.succeeded > 0 || !details.header.active);
  await settle(tx, chainId, jobId, details, isApplied);
  await deleteChunks(tx, chainId, jobId);
  const status = isApplied ? 'COMPLETED' : 'FAILED';
  await endJob(tx, chainId, jobId, {
    status,
    error: isApplied ? null : (job.error ?? nothingApplied(details)),
    fileDays,
  });
}

/** A task gave up after its tries: the job fails, but its other task still runs. */
export async function abandonPromotionTask(
  tx: Tx,
  chainId: string,
  jobId: string,
  reason: string,
  fileDays: number,
): Promise<void> {
  await setError(tx, chainId, jobId, reason);
  await finishPromotionTask(tx, chainId, jobId, fileDays);
}

async function settle(tx: Tx, chainId: string, jobId: string, details: JobDetails, isApplied: boolean): Promise<void> {
  const { promotion_id: promotionId, header } = details;
  if (!promotionId || !header.active) return;
  if (isApplied) await publishPromotion(tx, chainId, promotionId, header);
  else if (await deleteUnpublished(tx, chainId, promotionId)) {
    await addDetails(tx, chainId, jobId, { promotion_id: null });
  }
}

function nothingApplied({ vendors }: JobDetails): string {
  if (vendors.length === 0) return 'nothing_applied: none of the ids is a vendor of the chain.';
  return 'nothing_applied: no SKU could be applied at any vendor; the result says why.';
}
