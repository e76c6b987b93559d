import type { FileItem } from '../catalog/index.ts';
import { findVendors, listAllVendors } from '../identity/index.ts';
import { extendJob, fileRowsKind, insertChunk, setError } from '../jobs/index.ts';
import { wakeBatch } from '../kernel/background/queue.ts';
import type { Tx } from '../kernel/database/db.ts';
import { addPromotionFile, readPromotionRows, type VendorTarget } from '../promotions/index.ts';
import { deleteParts } from './part-queries.ts';
import { updateFormat } from './queries.ts';
import { rejectFile } from './reject-file.ts';
import { type Next, type Reading, readNext } from './read-next.ts';
import type { WindowError } from './read-window.ts';
import type { Format } from './rules/format.ts';
import { encodeRows, type UploadedRows } from './stored-rows.ts';

/**
 * Reads a whole file as one promotion, in one slice. A promotion is applied as a whole, so the size of the file is
 * limited like that of a request.
 */
export async function readPromotionFile(reading: Reading): Promise<'done'> {
  const { tx, chainId, file, job, options } = reading;
  const read = await readRows(reading, options.maxPromotionPairs);
  const error = 'error' in read ? read.error : await addRows(reading, read.rows);
  if (!('error' in read)) {
    await updateFormat(tx, chainId, file.file_id, read.format);
    const bytes = await encodeRows(read.uploaded);
    await insertChunk(tx, chainId, job.job_id, { kind: fileRowsKind, no: 0, bytes });
  }
  if (error) {
    await rejectFile(tx, chainId, job, error);
    await extendJob(tx, chainId, job.job_id, { items: 0, details: { is_open: false } });
  }
  await deleteParts(tx, chainId, file.file_id);
  await wakeBatch(tx, chainId, job.job_id);
  return 'done';
}

type ReadRows = { rows: FileItem[]; uploaded: UploadedRows; format: Format };

async function readRows(reading: Reading, maxRows: number): Promise<ReadRows | { error: WindowError }> {
  const rows: FileItem[] = [];
  const uploaded: UploadedRows[] = [];
  let format: Format | null = null;
  for (let line = 1; ; ) {
    const next: Next = await readNext(reading, 'promotions', { line }, format);
    if ('error' in next) return next;
    format = next.window.format;
    line = next.window.line;
    uploaded.push(next.rows);
    for (const part of next.window.chunks) {
      if ('items' in part) for (const item of part.items) rows.push(item);
    }
    if (rows.length > maxRows) return { error: { line, column: 1, reason: `the file has more than ${maxRows} rows` } };
    if (next.isEnd && rows.length === 0) return { error: { line, column: 1, reason: noRows } };
    if (next.isEnd) return { rows, uploaded: join(uploaded), format };
  }
}

function join(rows: UploadedRows[]): UploadedRows {
  return { line: rows[0]?.line ?? 1, bytes: Buffer.concat(rows.map(({ bytes }) => bytes)) };
}

const noRows = 'the file has no rows below the names of the columns';

/** Adds the rows to the job. Returns an error if they are not a promotion that the uploader can change. */
async function addRows(
  { tx, chainId, file, job, options }: Reading,
  rows: FileItem[],
): Promise<WindowError | undefined> {
  const own = file.vendor_ids ? await findVendors(tx, chainId, file.vendor_ids) : await listAllVendors(tx, chainId);
  const read = readPromotionRows(rows, { now: Date.now(), locale: own[0]?.locale ?? 'en_US' });
  const at = { line: rows[0]?.line ?? 1, column: 1 };
  if ('error' in read) return { ...at, ...read.error };
  const { plan, failed } = read;
  if (!plan) {
    const message = 'All rows failed; see the file for the reasons.';
    await setError(tx, chainId, job.job_id, { code: 'nothing_applied', message });
  }
  // If the uploader is limited to some vendors, `*` means those vendors.
  if (plan?.header.vendors === '*' && file.vendor_ids) plan.header.vendors = file.vendor_ids;
  const ownIds = own.map((vendor) => vendor.vendor_id).toSorted();
  const target = await findTarget(tx, chainId, plan?.header.vendors ?? [], ownIds);
  const foreign =
    file.vendor_ids === null ? [] : [...target.unknown, ...target.known.filter((id) => !ownIds.includes(id))];
  if (foreign.length > 0) return { ...at, reason: `the uploader cannot change these stores: ${foreign.join(', ')}` };
  const pairs = (plan?.total ?? 0) * target.known.length;
  if (pairs > options.maxPromotionPairs) return { ...at, reason: tooManyPairs(options.maxPromotionPairs) };
  await addPromotionFile(tx, chainId, job.job_id, plan, target, failed);
  return undefined;
}

async function findTarget(tx: Tx, chainId: string, ids: string[] | '*', own: string[]): Promise<VendorTarget> {
  if (ids === '*') return { known: own, unknown: [] };
  const found = new Map((await findVendors(tx, chainId, ids)).map((vendor) => [vendor.requested_id, vendor.vendor_id]));
  return { known: [...new Set(found.values())].toSorted(), unknown: ids.filter((id) => !found.has(id)) };
}

function tooManyPairs(max: number): string {
  return `the promotion must have at most ${max} SKUs, each counted once per store`;
}
