import { columnsOf, ExportRow } from '@aisle/contract/jobs';
import { RejectionRow } from '@aisle/contract/promotion';
import { catalogLines } from '../catalog/index.ts';
import { findJob, type JobRow, listJobStatuses, readPieces, resultRow, type VisibleVendors } from '../jobs/index.ts';
import type { Database, Db } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { streamFailedRows } from './failed-rows.ts';
import { type FileRow, findFileByJob, findFormat, listAccepted, listNamed } from './queries.ts';
import { hasFailedRows } from './response.ts';
import { failedRowsName } from './rules/name.ts';

/** A file in the folder /results. */
export type ResultFile = { name: string; modifiedAt: Date };

/** Whether the reader can see the results of files in this folder. */
export type ResultFilter = (file: Pick<FileRow, 'folder'>) => boolean;

/** A file that can be read now. */
export type ReadableFile = { modifiedAt: Date; stream: AsyncIterable<Uint8Array> };

/**
 * Lists the result files of jobs that were created from uploaded files, newest first: `<job id>.csv` and, if rows
 * failed, `<name>.failed.csv`. If several uploaded files have the same name, only the newest one has a `.failed.csv`
 * file, because that is the one to correct.
 */
export async function listResults(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  page: PageRequest,
  isReadable: ResultFilter = () => true,
): Promise<ResultFile[]> {
  const files = (await listAccepted(db, chainId, visibleVendors, page)).filter(isReadable);
  const ids = files.flatMap((file) => file.job_id ?? []);
  const jobs = new Map((await listJobStatuses(db, chainId, ids)).map((job) => [job.job_id, job]));
  const seen = new Set<string>();
  return files.flatMap((file) => {
    const job = jobs.get(file.job_id ?? '');
    if (!job || job.file_expires_at === null) return [];
    const failedName = failedRowsName(file.name);
    const modifiedAt = file.accepted_at ?? file.created_at;
    const isNewest = !seen.has(failedName);
    seen.add(failedName);
    const failed = hasFailedRows(job) && isNewest ? [{ name: failedName, modifiedAt }] : [];
    return [{ name: `${job.job_id}.csv`, modifiedAt }, ...failed];
  });
}

/** Undefined if there is no such file in /results. */
export async function readResult(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  name: string,
  isReadable: ResultFilter = () => true,
): Promise<ReadableFile | undefined> {
  const [, jobId] = /^([0-9a-f-]{36})\.csv$/.exec(name) ?? [];
  if (jobId !== undefined) return readJobFile(db, chainId, visibleVendors, jobId, isReadable);
  if (!name.endsWith('.failed.csv')) return undefined;
  const candidates = await listNamed(db, chainId, visibleVendors, name.slice(0, -'.failed.csv'.length));
  const file = candidates.find((candidate) => failedRowsName(candidate.name) === name && isReadable(candidate));
  if (!file) return undefined;
  const stream = await findFailedRows(db, chainId, file);
  return stream && { modifiedAt: file.accepted_at ?? file.created_at, stream };
}

/** A snapshot of a store's catalog as CSV. */
export function readExport(db: Database, chainId: string, vendorId: string): ReadableFile {
  return {
    modifiedAt: new Date(),
    stream: withFirst(columnsOf(ExportRow), catalogLines(db, chainId, vendorId)),
  };
}

/** The failed rows of a file. Fails if there are none, or if they have expired. */
export async function getFailedRows(db: Db, chainId: string, file: FileRow): Promise<AsyncIterable<Uint8Array>> {
  const rows = await findFailedRows(db, chainId, file);
  if (!rows) throw new Failure('file_not_found', 'The file has no failed rows, or its job has not ended yet.');
  return rows;
}

async function findFailedRows(db: Db, chainId: string, file: FileRow) {
  const [job] = file.job_id === null ? [] : await listJobStatuses(db, chainId, [file.job_id]);
  if (!job || !hasFailedRows(job)) return undefined;
  if (job.file_expires_at && job.file_expires_at.getTime() <= Date.now()) throw new Failure('download_expired');
  return streamFailedRows(db, chainId, job, await findFormat(db, chainId, file.file_id));
}

const jobTypes = ['CATALOG_UPDATE', 'PRODUCT_CREATION', 'PROMOTION'] as const;

async function readJobFile(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  jobId: string,
  isReadable: ResultFilter,
): Promise<ReadableFile | undefined> {
  const job = await findJob(db, chainId, visibleVendors, jobTypes, jobId);
  const file = job && (await findFileByJob(db, chainId, visibleVendors, jobId));
  if (!job || !file || !isReadable(file) || job.file_expires_at === null) return undefined;
  return { modifiedAt: job.updated_at, stream: withFirst(columnsOf(rowOf(job)), readPieces(db, chainId, jobId)) };
}

function rowOf({ type, vendor_id }: JobRow) {
  return type === 'PROMOTION' ? RejectionRow : resultRow({ type, vendor_id });
}

async function* withFirst(columns: string[], lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${columns.join(',')}\n`);
  yield* lines;
}
