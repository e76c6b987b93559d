import { AisleError, JobError, TimeoutError } from './errors.ts';
import type { CatalogJob, PromotionJob } from './generated/models.ts';
import type { FinishedOptions } from './options.ts';
import { sleep } from './time.ts';

const firstPollMs = 150;

/** Reads the job until it has finished. Throws a `JobError` if it failed. */
export async function waitForJob<Job extends CatalogJob | PromotionJob>(
  read: (signal: AbortSignal | undefined) => Promise<Job>,
  { signal, onProgress, pollMs = 3000, timeoutMs = Infinity }: FinishedOptions<Job> = {},
): Promise<Job> {
  const started = Date.now();
  for (let delay = Math.min(firstPollMs, pollMs); ; delay = Math.min(delay * 1.5, pollMs)) {
    const job = await read(signal);
    if (typeof (job as Partial<Job> | null)?.job_status !== 'string')
      throw new AisleError('The response is not a job.');
    onProgress?.(job);
    if (job.job_status === 'COMPLETED') return job;
    if (job.job_status === 'FAILED') throw new JobError(job);
    if (Date.now() - started + delay > timeoutMs) {
      throw new TimeoutError(`The job ${job.job_id} has not finished within ${timeoutMs} ms.`);
    }
    await sleep(delay, signal);
  }
}
