import type { ResponseBody } from '../api/operations.ts';

export type Job = ResponseBody<'getCatalogJob'>;

export function hasEnded({ job_status }: Pick<Job, 'job_status'>): boolean {
  return job_status === 'COMPLETED' || job_status === 'FAILED';
}

/** Whether the job waits for its time. */
export function isScheduled({ job_status, apply_at }: Pick<Job, 'job_status' | 'apply_at'>): boolean {
  return job_status === 'QUEUED' && apply_at !== undefined && Date.parse(apply_at) > Date.now();
}

/** The status as it is shown, which distinguishes more cases than the API. */
export function shownStatus(
  job: Pick<Job, 'job_status' | 'apply_at' | 'progress' | 'dry_run' | 'applied_job_id'>,
): string {
  if (isScheduled(job)) return 'SCHEDULED';
  if (job.job_status !== 'COMPLETED') return job.job_status;
  if (job.dry_run) return job.applied_job_id === undefined ? 'NOT_APPLIED' : 'COMPLETED';
  return job.progress.failed > 0 ? 'COMPLETED_WITH_FAILURES' : 'COMPLETED';
}

/**
 * The items that failed. If the job could not start, for example because its file cannot be read, its error is listed
 * as an item without a SKU, too.
 */
export function failedItems({ error, result }: Pick<Job, 'error' | 'result'>) {
  return result.item_level_feedback.filter(
    ({ sku, rejection_reasons: [reason] }) => sku !== null || reason?.rejected_reason !== error,
  );
}
