import type { promotionRoutes } from '@aisle/contract/promotions';
import type { ResponseOf } from '@aisle/contract/route';
import type { FailedRow, Feedback } from '../../jobs/index.ts';
import type { PromotionJob } from '../job.ts';
import type { EntryRow, PromotionRow } from '../queries.ts';
import { promotionState } from './running.ts';

type PromotionResponse = ResponseOf<typeof promotionRoutes.listPromotions>['body']['promotions'][number];
type EntryResponse = ResponseOf<typeof promotionRoutes.getPromotion>['body']['discount'][number];
type JobResponse = ResponseOf<typeof promotionRoutes.getPromotionJob>['body'];

export function promotionResponse(row: PromotionRow, now: Date): PromotionResponse {
  const { max_discount_per_order: money, max_items_per_order: items, global_limit: units } = row;
  return {
    promotion_id: row.promotion_id,
    vendors: row.vendor_ids ?? ['*'],
    type: row.type,
    active: !row.is_cancelled,
    state: promotionState(row, now),
    reason: row.reason,
    display_name: row.display_name,
    conditions: {
      start_time: row.start_time.toISOString(),
      end_time: row.end_time.toISOString(),
      ...(row.purchased_quantity !== null && { purchased_quantity: row.purchased_quantity }),
      ...(row.discounted_quantity !== null && { discounted_quantity: row.discounted_quantity }),
    },
    limits: {
      ...(money !== null && { max_discount_per_order: Number(money) }),
      ...(items !== null && { max_items_per_order: items }),
      ...(units !== null && { global_limit: units }),
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function entryResponse(
  { sku, discount_subtype, discount_value, max_quantity }: EntryRow,
  title: Record<string, string> | undefined,
): EntryResponse {
  return {
    discount_subtype,
    discount_value: Number(discount_value),
    active: true,
    sku: [sku],
    ...(max_quantity !== null && { max_quantity }),
    ...(title && { title }),
  };
}

/** A running job is shown as QUEUED, because promotion jobs have only three states in the API. */
export function promotionJobResponse(
  job: PromotionJob,
  feedback: Feedback[],
  invalidRows: FailedRow[],
  downloadUrl: string,
): JobResponse {
  const { details } = job;
  const status = job.status === 'IN_PROGRESS' ? 'QUEUED' : job.status;
  return {
    job_id: job.job_id,
    job_status: status,
    ...(job.file_name !== null && { file_name: job.file_name }),
    // Clients do not see a new promotion until the job has ended.
    promotion_id: status === 'QUEUED' ? null : (details.promotion_id ?? null),
    created_at: job.created_at.toISOString(),
    updated_at: job.updated_at.toISOString(),
    result: {
      applied: job.succeeded,
      invalid_vendors: details.invalid_vendors,
      missing_skus: skusByVendor(feedback, 'MISSING'),
      invalid_discounted_skus: skusByVendor(feedback, 'POINTLESS'),
      ...(job.unchanged > 0 && { skus_not_in_promotion: skusByVendor(feedback, 'ABSENT') }),
      ...(invalidRows.length > 0 && { invalid_rows: invalidRows.map(({ line, reason }) => ({ line, reason })) }),
      ...(job.file_expires_at !== null && { download_url: downloadUrl }),
    },
    ...(job.error !== null && { error: errorText(job.error, job.error_code) }),
  };
}

/** Clients read the code before the colon. In rows from earlier versions, the text already includes the code. */
function errorText(error: string, code: string | null): string {
  return code === null ? error : `${code}: ${error}`;
}

function skusByVendor(feedback: Feedback[], status: Feedback['status']): Record<string, string[]> {
  const rows = feedback.filter((row) => row.status === status);
  const byVendor = Map.groupBy(rows, (row) => row.vendor_id);
  return Object.fromEntries([...byVendor].map(([vendor, list]) => [vendor, list.map((row) => row.sku ?? '')]));
}
