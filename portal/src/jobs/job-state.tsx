import { Scheduled, State } from '../kit/state.tsx';
import { isScheduled, type Job, shownStatus } from './status.ts';

/** The status of a job, with the time if it waits for one. */
export function JobState({ job }: { job: Job }) {
  if (job.apply_at !== undefined && isScheduled(job)) return <Scheduled at={job.apply_at} />;
  return <State value={shownStatus(job)} />;
}
