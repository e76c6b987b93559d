import { writeCsv } from '@aisle/contract/csv';
import type { JobState } from '../../jobs/index.ts';

/** How far the job of a file has come, as a CSV file with one row. It exists as soon as the file is accepted. */
export function statusText(file: { name: string; folder: string }, job: JobState): string {
  const counts = countRows(job);
  return writeCsv([
    ['file_name', 'folder', 'job_id', 'status', 'rows', 'stores', 'succeeded', 'unchanged', 'failed', 'error'],
    [
      file.name,
      file.folder,
      job.job_id,
      job.status,
      counts ? String(counts.rows) : '',
      counts ? String(counts.stores) : '',
      String(job.succeeded),
      String(job.unchanged),
      String(job.failed),
      job.error ?? '',
    ],
  ]);
}

/**
 * How many rows have been read, and how many stores each of them is applied to. A job counts every row once per store.
 * Undefined for a promotion, whose rows name its stores.
 */
export function countRows({ type, total, vendors }: Pick<JobState, 'type' | 'total' | 'vendors'>) {
  return type === 'PROMOTION' ? undefined : { rows: total / Math.max(1, vendors), stores: vendors };
}
