import { recordEvent } from '../events/index.ts';
import { type CatalogJobType, type Downloads, type JobError, type JobRow, jobResponse } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { deletePreviewSkus } from './preview-queries.ts';

type CatalogJobRow = JobRow<CatalogJobType>;

export function findError({ total, failed }: CatalogJobRow): JobError | undefined {
  if (total === 0 || failed < total) return undefined;
  return { code: 'nothing_applied', message: 'All items failed; the result file has the reasons.' };
}

/**
 * A preview has no event, because it changes nothing that the partner's systems need to know. The SKUs that it has kept
 * to find repeats are deleted.
 */
export async function recordJobEnd(tx: Tx, chainId: string, job: CatalogJobRow, downloads: Downloads): Promise<void> {
  if (job.is_dry_run) return deletePreviewSkus(tx, chainId, job.job_id);
  const type = job.type === 'CATALOG_EXPORT' ? 'catalog.export_finished' : 'catalog.job_finished';
  const body = await eventBody(tx, chainId, job, downloads);
  recordEvent(tx, chainId, { type, vendorId: job.vendor_id, about: { jobId: job.job_id }, body });
}

/** Some values are sent under two names, because some receivers read one name and some read the other. */
async function eventBody(tx: Tx, chainId: string, job: CatalogJobRow, downloads: Downloads) {
  const response = await jobResponse(tx, chainId, job, downloads);
  return {
    job_id: response.job_id,
    job_type: response.job_type,
    status: response.job_status,
    job_status: response.job_status,
    ...(response.vendor_id !== undefined && { platform_vendor_id: response.vendor_id, vendor_id: response.vendor_id }),
    chain_id: chainId,
    ...(response.file_name !== undefined && { file_name: response.file_name }),
    ...(response.download_url !== undefined && {
      downloadURL: response.download_url,
      download_url: response.download_url,
    }),
    progress: response.progress,
    result: response.result,
    ...(response.error !== undefined && { error: response.error }),
  };
}
