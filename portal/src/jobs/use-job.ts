import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';

export type Job = ResponseBody<'getCatalogJob'>;

export function hasEnded({ job_status }: Pick<Job, 'job_status'>): boolean {
  return job_status === 'COMPLETED' || job_status === 'FAILED';
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
