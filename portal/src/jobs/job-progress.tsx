import { Progress } from '@mantine/core';
import { hasEnded, type Job } from './use-job.ts';

/** A progress bar with sections for changed, unchanged and failed items. */
export function JobProgress({ job, size = 'lg' }: { job: Job; size?: 'sm' | 'lg' }) {
  const { total, processed, succeeded, unchanged, failed } = job.progress;
  const share = (part: number) => (total === 0 ? (hasEnded(job) ? 100 : 0) : (100 * part) / total);
  return (
    <Progress.Root size={size} aria-label={`${processed} of ${total}`}>
      <Progress.Section value={share(total === 0 ? 1 : succeeded)} color="aisle" aria-label="Done" />
      <Progress.Section value={total === 0 ? 0 : share(unchanged)} color="gray.5" aria-label="Unchanged" />
      <Progress.Section value={total === 0 ? 0 : share(failed)} color="red.6" aria-label="Failed" />
    </Progress.Root>
  );
}
