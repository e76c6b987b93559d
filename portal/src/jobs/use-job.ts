import { useRead } from '../api/hooks.ts';
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
export function shownStatus(job: Pick<Job, 'job_status' | 'apply_at' | 'progress' | 'dry_run'>): string {
  if (isScheduled(job)) return 'SCHEDULED';
  const hasFailures = job.job_status === 'COMPLETED' && job.progress.failed > 0 && !job.dry_run;
  return hasFailures ? 'COMPLETED_WITH_FAILURES' : job.job_status;
}

/** Polls the job until it has ended. */
export function useJob(jobId: string): Job | undefined {
  const { data } = useRead(
    'getCatalogJob',
    { params: { job_id: jobId } },
    { refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : 700) },
  );
  return data?.job_id === jobId ? data : undefined;
}
