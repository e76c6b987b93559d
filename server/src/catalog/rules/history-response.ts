import type { ProductChange } from '@aisle/contract/history';
import type { Static } from 'typebox';
import type { HistoryRow } from '../history-queries.ts';

/** `jobCreators` are the names of those who created the jobs, by job id. */
export function historyResponse(
  row: HistoryRow,
  jobCreators: ReadonlyMap<string, string>,
): Static<typeof ProductChange> {
  const changedBy = row.changed_by ?? (row.job_id === null ? undefined : jobCreators.get(row.job_id));
  return {
    changed_at: row.changed_at.toISOString(),
    source: row.job_id !== null ? 'JOB' : row.order_id !== null ? 'ORDER' : 'UPDATE',
    ...(row.job_id !== null && { job_id: row.job_id }),
    ...(row.order_id !== null && { order_id: row.order_id }),
    ...(changedBy !== undefined && { changed_by: changedBy }),
    old: valuesOf(row.old_price, row.old_quantity, row.old_active, row.old_maximum),
    new: valuesOf(row.new_price, row.new_quantity, row.new_active, row.new_maximum),
  };
}

function valuesOf(price: string, quantity: number | null, active: boolean, maximum: number | null) {
  return { price: Number(price), quantity, active, maximum_sales_quantity: maximum };
}
