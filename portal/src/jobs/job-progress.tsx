import { Progress } from '@mantine/core';
import { useMessages } from '../messages/use-messages.ts';
import { hasEnded, type Job } from './status.ts';

/** A progress bar with sections for changed, unchanged and failed items. */
export function JobProgress({ job, size = 'lg' }: { job: Job; size?: 'sm' | 'lg' }) {
  const t = useMessages();
  const { total, processed } = job.progress;
  const { succeeded, unchanged, failed } = sharesOf(job);
  return (
    <Progress.Root size={size} aria-label={t('jobs.doneOf', { processed, total })}>
      <Progress.Section value={succeeded} color="aisle" aria-label={t('jobs.done')} />
      <Progress.Section value={unchanged} color="gray.5" aria-label={t('jobs.unchanged')} />
      <Progress.Section value={failed} color="red.6" aria-label={t('jobs.failed')} />
    </Progress.Root>
  );
}

/** In percent. A job without items is done or failed as a whole. */
function sharesOf(job: Job): { succeeded: number; unchanged: number; failed: number } {
  const { total, succeeded, unchanged, failed } = job.progress;
  const isFailed = job.job_status === 'FAILED';
  if (total === 0) {
    return { succeeded: hasEnded(job) && !isFailed ? 100 : 0, unchanged: 0, failed: isFailed ? 100 : 0 };
  }
  const share = (part: number) => (100 * part) / total;
  const rest = isFailed ? total - succeeded - unchanged : failed;
  return { succeeded: share(succeeded), unchanged: share(unchanged), failed: share(rest) };
}
