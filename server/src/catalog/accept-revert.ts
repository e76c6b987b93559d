import { acceptJob, type JobRow, type VisibleVendors } from '../jobs/index.ts';
import { compress } from '../kernel/bodies/chunk-compression.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import type { Origin } from '../kernel/values/origin.ts';
import { vendorLane } from './accept-job.ts';
import { lockUpdateJob } from './cancel-job.ts';
import { revertJob } from './jobs.ts';
import { countChanges, countChangedItems, findUnchangedSkus } from './revert-queries.ts';

type RevertTerms = { skus: string[] | undefined; isLimited: boolean; origin: Origin };

/** Accepts a job that restores what another job has changed (see revert-update.ts). */
export async function acceptRevert(
  tx: Tx,
  chainId: string,
  visibleVendors: VisibleVendors,
  revertedId: string,
  { skus, isLimited, origin }: RevertTerms,
): Promise<string> {
  const reverted = await lockUpdateJob(tx, chainId, visibleVendors, revertedId);
  if (reverted.is_dry_run)
    throw new Failure('job_state_conflict', 'A preview changes nothing, so it cannot be reverted.');
  if (reverted.status !== 'COMPLETED' && reverted.status !== 'FAILED') {
    throw new Failure('job_state_conflict', 'The job has not ended yet. Revert it when it has.');
  }
  const [unchanged] = skus ? await findUnchangedSkus(tx, chainId, revertedId, skus) : [];
  if (unchanged !== undefined) {
    const message = `must contain only SKUs that the job has changed, and it has not changed ${unchanged}`;
    throw invalid([{ pointer: '/skus', code: 'not_allowed', message }]);
  }
  if (!skus) await rejectUnknownChanges(tx, chainId, reverted);
  const vendors = await countChanges(tx, chainId, revertedId, skus);
  if (vendors.length === 0) {
    const detail = 'There is nothing to revert: the job changed nothing, or it changed it more than 30 days ago.';
    throw new Failure('job_state_conflict', detail);
  }
  const jobId = newId();
  return acceptJob(tx, chainId, revertJob, {
    jobId,
    vendorId: reverted.vendor_id,
    vendorIds: reverted.vendor_ids,
    total: vendors.reduce((sum, { items }) => sum + items, 0),
    origin,
    reverts: revertedId,
    details: { reverts: revertedId, is_limited: isLimited, has_skus: skus !== undefined },
    chunks: skus ? [{ kind: 'skus', no: 0, bytes: compress(JSON.stringify(skus)) }] : [],
    tasks: vendors.map(({ vendor_id }, index) => ({
      lane: vendorLane(chainId, vendor_id),
      payload: { job_id: jobId, vendor_id, index, part: 0, rows: 0 },
    })),
  });
}

/** Otherwise the job would be reverted in part. During an upgrade, old workers apply slices without recording them. */
async function rejectUnknownChanges(
  tx: Tx,
  chainId: string,
  { job_id, succeeded }: Pick<JobRow, 'job_id' | 'succeeded'>,
): Promise<void> {
  const known = await countChangedItems(tx, chainId, job_id);
  if (known >= succeeded) return;
  const reason = 'the others are more than 30 days old or were made by an earlier version of Aisle';
  const advice = known > 0 ? ' Send skus to revert some of the known changes.' : '';
  const detail = `Only ${known} of the ${succeeded} changes of the job are known: ${reason}.${advice}`;
  throw new Failure('job_state_conflict', detail);
}
