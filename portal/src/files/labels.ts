import type { FileKind } from '@aisle/contract/file-columns';
import type { ResponseBody } from '../api/operations.ts';
import type { Store } from '../api/store.tsx';
import { formatNumber } from '../kit/format.ts';

export type UploadedFile = ResponseBody<'getFile'>;

export const kindLabels: Record<FileKind, { title: string; about: string }> = {
  catalog: {
    title: 'Prices and stock',
    about: 'Updates existing products. Empty cells leave values unchanged, and unknown SKUs are reported.',
  },
  products: {
    title: 'New products',
    about: 'Creates products. Existing products are not changed.',
  },
  promotions: {
    title: 'Promotions',
    about: 'Creates or changes one promotion. Each row is a product with its discount.',
  },
};

export const channelLabels: Record<UploadedFile['channel'], string> = { sftp: 'SFTP', portal: 'Portal', api: 'API' };

/** What the files in a folder change, for example "Prices and stock: Marina". */
export function describeFolder(folder: string, stores: Pick<Store, 'vendor_id' | 'name'>[]): string {
  const [, kind = '', vendorId] = folder.split('/');
  const title = kindLabels[kind as FileKind]?.title ?? folder;
  if (vendorId === undefined) return title;
  const store = vendorId === 'all' ? 'all stores' : stores.find((one) => one.vendor_id === vendorId)?.name;
  return `${title}: ${store ?? vendorId}`;
}

/** The status of the file's job, or the state of the file until it has one. */
export function statusOf({ state, jobs }: Pick<UploadedFile, 'state' | 'jobs'>): string {
  return jobs[0]?.job_status ?? state;
}

/** The reason if the file was rejected, otherwise how many rows failed. Undefined if there is no problem. */
export function describeProblem({ jobs }: Pick<UploadedFile, 'jobs'>): string | undefined {
  const [job] = jobs;
  if (job?.error !== undefined) return job.error;
  if (!job || job.failed === 0) return undefined;
  return job.failed === 1 ? '1 failed row' : `${formatNumber(job.failed)} failed rows`;
}

/** Whether the status can still change. */
export function isOpen(file: Pick<UploadedFile, 'state' | 'jobs'>): boolean {
  return !['COMPLETED', 'FAILED'].includes(statusOf(file));
}
