import { CreationLogRow, ExportRow, LogRow } from '@aisle/contract/jobs';
import { PreviewRow } from '@aisle/contract/preview-row';
import type { TObject } from 'typebox';
import type { CatalogJobType, JobRow } from './queries.ts';

type ResultJob = Pick<JobRow<CatalogJobType>, 'type' | 'vendor_id' | 'is_dry_run'>;

/** The schema of the rows in a job's file. If the job updates several vendors, each row names its vendor. */
export function resultRow({ type, vendor_id, is_dry_run: isDryRun }: ResultJob): TObject {
  if (isDryRun) return PreviewRow;
  if (type === 'CATALOG_EXPORT') return ExportRow;
  return type === 'CATALOG_UPDATE' && vendor_id !== null ? LogRow : CreationLogRow;
}
