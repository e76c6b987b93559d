import type { CatalogJob } from '@aisle/contract/jobs';
import type { Static } from 'typebox';
import type { Db } from '../kernel/database/db.ts';
import type { Origin } from '../kernel/values/origin.ts';
import { type Feedback, listFeedback } from './feedback-queries.ts';
import type { CatalogJobType, JobRow } from './queries.ts';
import { type Downloads, signedUrl } from './signed-url.ts';

export type JobResponse = Static<typeof CatalogJob>;
type CatalogJobRow = JobRow<CatalogJobType>;

export async function jobResponse(
  db: Db,
  chainId: string,
  job: CatalogJobRow,
  downloads: Downloads,
): Promise<JobResponse> {
  return toResponse(job, await listFeedback(db, chainId, [job.job_id]), downloads);
}

/** Yields responses one by one, because each can list a thousand failures. */
export async function jobResponses(
  db: Db,
  chainId: string,
  jobs: CatalogJobRow[],
  downloads: Downloads,
): Promise<Iterable<JobResponse>> {
  const ids = jobs.map((job) => job.job_id);
  const feedback = Map.groupBy(await listFeedback(db, chainId, ids), (row) => row.job_id);
  return jobs.values().map((job) => toResponse(job, feedback.get(job.job_id) ?? [], downloads));
}

function toResponse(job: CatalogJobRow, feedback: Feedback[], downloads: Downloads): JobResponse {
  const download = downloadUrl(job, downloads);
  const { total, succeeded, unchanged, failed } = job;
  return {
    job_id: job.job_id,
    job_status: job.status,
    job_type: job.type,
    ...(job.vendor_id !== null && { vendor_id: job.vendor_id }),
    ...(job.file_name !== null && { file_name: job.file_name }),
    ...(job.origin !== null && { created_by: originResponse(job.origin) }),
    ...(job.is_dry_run && { dry_run: true }),
    ...(job.is_dry_run && job.file_expires_at !== null && { expires_at: job.file_expires_at.toISOString() }),
    ...(job.applied_by !== null && { applied_job_id: job.applied_by }),
    ...(job.apply_at !== null && { apply_at: job.apply_at.toISOString() }),
    ...(job.reverts !== null && { reverts_job_id: job.reverts }),
    created_at: job.created_at.toISOString(),
    updated_at: job.updated_at.toISOString(),
    progress: { total, processed: succeeded + unchanged + failed, succeeded, unchanged, failed },
    ...download,
    result: {
      item_level_feedback: feedback.flatMap(itemFeedback),
      duplicated_products: duplicatedSkus(feedback),
      ...download,
    },
    ...(job.error !== null && { error: job.error }),
    ...(job.error_code !== null && { error_code: job.error_code }),
  };
}

function originResponse({ name, channel, address }: Origin) {
  return { name, channel, address };
}

function downloadUrl(job: CatalogJobRow, downloads: Downloads): { download_url?: string } {
  if (job.file_expires_at === null) return {};
  return { download_url: signedUrl(downloads.links.catalogDownload(job.chain_id, job.job_id), downloads) };
}

function itemFeedback({ status, sku, vendor_id, code, rejected_data, rejected_reason }: Feedback) {
  if (status !== 'FAILED' && status !== 'SUPERSEDED') return [];
  return [{ sku, vendor_id, status, code, rejection_reasons: [{ rejected_data, rejected_reason }] }];
}

function duplicatedSkus(feedback: Feedback[]): string[] {
  const skus = feedback.filter((row) => row.status === 'DUPLICATED').map((row) => row.sku ?? '');
  return [...new Set(skus)];
}
