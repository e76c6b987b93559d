import { findJob, readJob, type VisibleVendors } from '../jobs/index.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { Failure, notFound } from '../kernel/failures/failure.ts';
import { acceptPreview, type JobTerms } from './accept-job.ts';
import { lockUpdateJob } from './cancel-job.ts';
import { updateJob } from './jobs.ts';

/** Creates a job that applies the items of a preview. */
export async function applyPreview(
  tx: Tx,
  chainId: string,
  visibleVendors: VisibleVendors,
  jobId: string,
  terms: JobTerms,
): Promise<string> {
  const preview = await lockUpdateJob(tx, chainId, visibleVendors, jobId);
  checkPreview(preview);
  if (preview.applied_by !== null) {
    throw new Failure('job_state_conflict', `Job ${preview.applied_by} already applies this preview.`);
  }
  if (preview.status !== 'COMPLETED') {
    const reason = preview.status === 'FAILED' ? 'it has failed' : 'it is not complete yet';
    throw new Failure('job_state_conflict', `The preview cannot be applied, because ${reason}.`);
  }
  const job = readJob(updateJob, preview);
  if (job.details.has_barcodes && visibleVendors !== null) {
    const detail =
      'The preview contains barcodes, which belong to the products in all stores, so applying it requires a credential that is not limited to some vendors.';
    throw new Failure('forbidden', detail);
  }
  return acceptPreview(tx, chainId, job, terms);
}

/** Finds a preview that the caller can see. Fails if the job is not a preview, or if it has expired. */
export async function getPreview(db: Db, chainId: string, visibleVendors: VisibleVendors, jobId: string) {
  const job = await findJob(
    db,
    chainId,
    visibleVendors,
    ['CATALOG_UPDATE', 'PRODUCT_CREATION', 'CATALOG_EXPORT'],
    jobId,
  );
  if (!job) throw notFound('job_not_found', jobId);
  checkPreview(job);
  return job;
}

function checkPreview(job: { is_dry_run: boolean; file_expires_at: Date | null }): void {
  if (!job.is_dry_run)
    throw new Failure('job_state_conflict', 'The job is not a preview; it was sent without dry_run.');
  if (job.file_expires_at !== null && job.file_expires_at.getTime() <= Date.now())
    throw new Failure('download_expired');
}
