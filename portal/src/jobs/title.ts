import { humanize } from '../kit/format.ts';
import type { Translate } from '../messages/catalogue.ts';
import type { Job } from './status.ts';

export function titleOf(job: Job, t: Translate): string {
  if (job.dry_run) return t('jobs.preview');
  return job.reverts_job_id === undefined ? humanize(job.job_type) : t('jobs.revertOf');
}
