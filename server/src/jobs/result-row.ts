import { CreationLogRow, ExportRow, LogRow } from '@aisle/contract/jobs';
import type { TObject } from 'typebox';
import type { CatalogJobType, JobRow } from './queries.ts';

/** The row of a job's file. An update of several vendors, which is created from a file, has a vendor in each row. */
export function resultRow({ type, vendor_id }: Pick<JobRow<CatalogJobType>, 'type' | 'vendor_id'>): TObject {
  if (type === 'CATALOG_EXPORT') return ExportRow;
  return type === 'CATALOG_UPDATE' && vendor_id !== null ? LogRow : CreationLogRow;
}
