import { recordEvent } from '../events/index.ts';
import { closeTask, deleteChunks, type Downloads, endJob, type JobRow, jobResponse, setError } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';

export type Ending = Downloads & { fileDays: number };

/** One task of the job is done; the last one ends the job. */
export async function finishTask(tx: Tx, chainId: string, jobId: string, ending: Ending): Promise<void> {
  const job = await closeTask(tx, chainId, jobId);
  if (job.open_tasks > 0) return;
  const hasFailed = job.error !== null || (job.total > 0 && job.failed === job.total);
  const error = job.error ?? (hasFailed ? 'Every item failed; the file says why.' : null);
  await endWithEvent(tx, chainId, job, { status: hasFailed ? 'FAILED' : 'COMPLETED', error }, ending);
}

/** A task gave up after its tries: the job fails, but its other tasks still run. */
export async function abandonTask(tx: Tx, chainId: string, jobId: string, reason: string, ending: Ending) {
  await setError(tx, chainId, jobId, reason);
  await finishTask(tx, chainId, jobId, ending);
}

async function endWithEvent(
  tx: Tx,
  chainId: string,
  job: JobRow,
  end: { status: 'COMPLETED' | 'FAILED'; error: string | null },
  ending: Ending,
): Promise<void> {
  await deleteChunks(tx, chainId, job.job_id);
  const ended = await endJob(tx, chainId, job.job_id, { ...end, fileDays: ending.fileDays });
  const type = job.type === 'CATALOG_EXPORT' ? 'catalog.export_finished' : 'catalog.job_finished';
  const body = await eventBody(tx, chainId, ended, ending);
  await recordEvent(tx, chainId, { type, vendorId: job.vendor_id, about: { jobId: job.job_id }, body });
}

/** Some values stand under two names: receivers written for either find theirs. */
async function eventBody(tx: Tx, chainId: string, job: JobRow, downloads: Downloads) {
  const response = await jobResponse(tx, chainId, job, downloads);
  return {
    job_id: response.job_id,
    job_type: response.job_type,
    status: response.job_status,
    job_status: response.job_status,
    ...(response.vendor_id !== undefined && { platform_vendor_id: response.vendor_id, vendor_id: response.vendor_id }),
    chain_id: chainId,
    ...(response.download_url !== undefined && {
      downloadURL: response.download_url,
      download_url: response.download_url,
    }),
    progress: response.progress,
    result: response.result,
    ...(response.error !== undefined && { error: response.error }),
  };
}
