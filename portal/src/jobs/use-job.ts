import { useRead } from '../api/hooks.ts';
import { hasEnded, type Job } from './status.ts';

/** Polls the job until it has ended. */
export function useJob(jobId: string): Job | undefined {
  const { data } = useRead(
    'getCatalogJob',
    { params: { job_id: jobId } },
    { refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : 700) },
  );
  return data?.job_id === jobId ? data : undefined;
}
