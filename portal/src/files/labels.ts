import type { FileKind } from '@aisle/contract/file-kinds';
import type { ResponseBody } from '../api/operations.ts';
import type { Store } from '../api/store.tsx';
import { isScheduled } from '../jobs/status.ts';
import type { Translate } from '../messages/catalogue.ts';
import { jobErrorText } from '../messages/server-text.ts';

export type UploadedFile = ResponseBody<'getFile'>;

/** The texts for each kind of file. */
export const kindLabels = {
  catalog: { title: 'files.kind.catalog', about: 'files.kind.catalogAbout' },
  products: { title: 'files.kind.products', about: 'files.kind.productsAbout' },
  promotions: { title: 'files.kind.promotions', about: 'files.kind.promotionsAbout' },
} as const satisfies Record<FileKind, object>;

/** The key of the text about a column. */
export function columnKey(kind: FileKind, name: string): string {
  return kind === 'promotions' && name === 'active' ? 'column.activeInPromotion' : `column.${name}`;
}

/** What the files in a folder change, for example "Prices and stock: Marina". */
export function describeFolder(t: Translate, folder: string, stores: Pick<Store, 'vendor_id' | 'name'>[]): string {
  const [, kind = '', vendorId] = folder.split('/');
  const label = kindLabels[kind as FileKind];
  if (!label) return folder;
  if (vendorId === undefined) return t(label.title);
  if (vendorId === 'all') return t('files.kindForAll', { kind: t(label.title) });
  const store = stores.find((one) => one.vendor_id === vendorId)?.name ?? vendorId;
  return t('files.kindForStore', { kind: t(label.title), store });
}

/** The status of the file's job, or the state of the file until it has one. A preview has not changed anything. */
export function statusOf({ state, jobs }: Pick<UploadedFile, 'state' | 'jobs'>): string {
  const [job] = jobs;
  if (!job) return state;
  if (isScheduled(job)) return 'SCHEDULED';
  if (job.job_status !== 'COMPLETED') return job.job_status;
  if (job.dry_run) return 'PREVIEW';
  return job.failed > 0 ? 'COMPLETED_WITH_FAILURES' : 'COMPLETED';
}

/** How many rows failed, or the reason if the file could not be read. Undefined if there is no problem. */
export function describeProblem(t: Translate, { jobs }: Pick<UploadedFile, 'jobs'>): string | undefined {
  const [job] = jobs;
  if (!job) return undefined;
  const { failed, rows = 0, stores = 1, error, error_code: code } = job;
  if (failed > 0 && failed === rows * stores) return t('files.allFailed', { count: rows });
  if (error !== undefined) return jobErrorText(code, error);
  if (failed === 0) return undefined;
  if (stores === 1) return t('files.failedRows', { count: failed });
  const size = { rows: t('files.rowCount', { count: rows }), stores: t('files.storeCount', { count: stores }) };
  return t('files.failures', { count: failed, ...size });
}

/** Whether the status can still change. */
export function isOpen(file: Pick<UploadedFile, 'state' | 'jobs'>): boolean {
  return !['COMPLETED', 'COMPLETED_WITH_FAILURES', 'FAILED', 'PREVIEW'].includes(statusOf(file));
}
