import { writeCsv } from '@aisle/contract/csv';
import { addFeedback, type JobRow, setError, writePart } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { WindowError } from './read-window.ts';

/** Makes the job end as FAILED, and adds a row with the reason to its result file and feedback. */
export async function rejectFile(tx: Tx, chainId: string, job: JobRow, error: WindowError): Promise<void> {
  const message = `Line ${error.line}, column ${error.column}: ${error.reason}.`;
  await setError(tx, chainId, job.job_id, { code: 'unreadable_file', message });
  // The file of a preview contains only items, and the reason is in the job's error.
  if (job.is_dry_run) return;
  const row = errorLine(job, { code: 'unreadable_file', message, line: error.line });
  await writePart(tx, chainId, job.job_id, lastPart, row);
  if (job.type === 'PROMOTION') return;
  await addFeedback(tx, chainId, job.job_id, [
    {
      status: 'FAILED',
      row_no: error.line,
      vendor_id: job.vendor_id ?? '',
      sku: null,
      code: 'unreadable_file',
      rejected_data: null,
      rejected_reason: message,
    },
  ]);
}

/** The line of a result file that says why the whole file failed. */
export function errorLine(
  job: Pick<JobRow, 'type' | 'vendor_id'>,
  { code, message, line }: { code: string; message: string; line?: number },
): string {
  if (job.type === 'PROMOTION') return writeCsv([['', '', code, message]]);
  const cells = ['', code, 'FAILED', message, line === undefined ? '' : String(line), ''];
  return writeCsv([job.type === 'CATALOG_UPDATE' && job.vendor_id !== null ? cells : [...cells, '']]);
}

/** Sorts after the parts for the rows that were read. */
const lastPart = Number.MAX_SAFE_INTEGER;
