import {
  deleteChunks,
  type Downloads,
  endJob,
  findJob,
  type JobRow,
  lockJob,
  markCancelled,
  setError,
  type VisibleVendors,
} from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, notFound } from '../kernel/failures/failure.ts';
import { recordJobEnd } from './end-job.ts';

type UpdateRow = JobRow<'CATALOG_UPDATE'>;

/** Cancels a job that still waits for its time. Its status becomes FAILED, and the usual event is recorded. */
export async function cancelJob(
  tx: Tx,
  chainId: string,
  visibleVendors: VisibleVendors,
  jobId: string,
  by: { name: string; downloads: Downloads },
): Promise<UpdateRow> {
  const job = await lockUpdateJob(tx, chainId, visibleVendors, jobId);
  if (!job.is_scheduled) {
    throw new Failure('job_state_conflict', 'Only a job that waits for its apply_at can be cancelled.');
  }
  await markCancelled(tx, chainId, jobId);
  await setError(tx, chainId, jobId, { code: 'cancelled', message: `Cancelled by ${by.name} before it was applied.` });
  await deleteChunks(tx, chainId, jobId);
  const ended = (await endJob(tx, chainId, jobId, 0)) as UpdateRow;
  await recordJobEnd(tx, chainId, ended, by.downloads);
  return ended;
}

/** Locks a catalog update that the caller can see. */
export async function lockUpdateJob(
  tx: Tx,
  chainId: string,
  visibleVendors: VisibleVendors,
  jobId: string,
): Promise<UpdateRow> {
  const found = await findJob(
    tx,
    chainId,
    visibleVendors,
    ['CATALOG_UPDATE', 'PRODUCT_CREATION', 'CATALOG_EXPORT'],
    jobId,
  );
  if (!found) throw notFound('job_not_found', jobId);
  if (found.type !== 'CATALOG_UPDATE') {
    throw new Failure(
      'job_state_conflict',
      `This is possible only for CATALOG_UPDATE jobs, and the job is a ${found.type}.`,
    );
  }
  return (await lockJob(tx, chainId, jobId)) as UpdateRow;
}
