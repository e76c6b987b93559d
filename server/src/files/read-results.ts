import { columnsOf, ExportRow } from '@aisle/contract/jobs';
import { RejectionRow } from '@aisle/contract/promotion';
import { catalogLines } from '../catalog/index.ts';
import { type JobState, listJobStates, readPieces, resultRow, type VisibleVendors } from '../jobs/index.ts';
import type { Database, Db } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { streamFailedRows } from './failed-rows.ts';
import {
  type FileRow,
  findFileByJob,
  findFormat,
  findNewestAccepted,
  listAccepted,
  type ReadableFolders,
} from './queries.ts';
import { errorLine } from './reject-file.ts';
import { hasFailedRows } from './response.ts';
import { failedRowsName, parseResultName, resultName, type ResultName, statusName } from './rules/name.ts';
import { statusText } from './rules/status.ts';

/** A file in the folder /results. The size of failed rows is known only once they are read. */
export type ResultFile = { name: string; size?: number; modifiedAt: Date };

/** A file that can be read now. */
export type ReadableFile = { modifiedAt: Date; stream: AsyncIterable<Uint8Array> };

/**
 * Lists the results of uploaded files, newest first: for each job that has ended `<job id>.csv` and, if rows failed,
 * `<job id>.failed.csv`; and for the newest file of each name `<name>.status.csv` and, if rows failed,
 * `<name>.failed.csv`.
 */
export async function listResults(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  readable: ReadableFolders,
  page: PageRequest,
): Promise<ResultFile[]> {
  const files = await listAccepted(db, chainId, visibleVendors, readable, page);
  const ids = files.flatMap((file) => file.job_id ?? []);
  const jobs = new Map((await listJobStates(db, chainId, ids)).map((job) => [job.job_id, job]));
  const seen = new Set<string>();
  return files.flatMap((file) => {
    const job = jobs.get(file.job_id ?? '');
    if (!job) return [];
    const isNewest = !seen.has(file.base_name);
    seen.add(file.base_name);
    return listFor(file, job, isNewest).map((entry) => ({ ...entry, modifiedAt: job.updated_at }));
  });
}

/** Undefined if there is no such file in /results. */
export async function readResult(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  readable: ReadableFolders,
  name: string,
): Promise<ReadableFile | undefined> {
  const wanted = parseResultName(name);
  const file = wanted && (await findFileFor(db, chainId, visibleVendors, readable, wanted));
  const [job] = file?.job_id ? await listJobStates(db, chainId, [file.job_id]) : [];
  if (!wanted || !file || !job) return undefined;
  const stream = await openResult(db, chainId, wanted.kind, file, job);
  return stream && { modifiedAt: job.updated_at, stream };
}

/** A snapshot of a store's catalog as CSV. */
export function readExport(db: Database, chainId: string, vendorId: string): ReadableFile {
  return {
    modifiedAt: new Date(),
    stream: withFirst(`${columnsOf(ExportRow).join(',')}\n`, catalogLines(db, chainId, vendorId)),
  };
}

/** The failed rows of a file. Fails if there are none, or if they have expired. */
export async function getFailedRows(db: Db, chainId: string, file: FileRow): Promise<AsyncIterable<Uint8Array>> {
  const [job] = file.job_id === null ? [] : await listJobStates(db, chainId, [file.job_id]);
  if (!job || !hasFailedRows(job)) {
    throw new Failure('file_not_found', 'The file has no failed rows, or its job has not ended yet.');
  }
  if (isExpired(job)) throw new Failure('download_expired');
  return streamFailedRows(db, chainId, job, await findFormat(db, chainId, file.file_id));
}

function listFor(file: FileRow, job: JobState, isNewest: boolean): Omit<ResultFile, 'modifiedAt'>[] {
  const status = { name: statusName(file.base_name), size: Buffer.byteLength(statusText(file, job)) };
  const hasFailed = isReadable(job) && hasFailedRows(job);
  return [
    ...(isReadable(job) ? [{ name: resultName(job.job_id), ...sizeOf(job) }] : []),
    ...(hasFailed ? [{ name: failedRowsName(job.job_id) }] : []),
    ...(isNewest ? [status] : []),
    ...(hasFailed && isNewest ? [{ name: failedRowsName(file.base_name) }] : []),
  ];
}

/** A file can have a name that looks like the id of a job. */
async function findFileFor(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  readable: ReadableFolders,
  { kind, jobId, baseName }: ResultName,
): Promise<FileRow | undefined> {
  const byJob = jobId === undefined ? undefined : await findFileByJob(db, chainId, visibleVendors, readable, jobId);
  if (byJob || kind === 'result') return byJob;
  return findNewestAccepted(db, chainId, visibleVendors, readable, baseName);
}

async function openResult(
  db: Db,
  chainId: string,
  kind: ResultName['kind'],
  file: FileRow,
  job: JobState,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  if (kind === 'status') return once(statusText(file, job));
  if (!isReadable(job)) return undefined;
  if (kind === 'result') {
    return job.file_expires_at === null
      ? once(textWithoutFile(job))
      : withFirst(headOf(job), readPieces(db, chainId, job.job_id));
  }
  return hasFailedRows(job)
    ? streamFailedRows(db, chainId, job, await findFormat(db, chainId, file.file_id))
    : undefined;
}

/** Whether the job has ended and its result has not expired. */
function isReadable(job: JobState): boolean {
  return (job.status === 'COMPLETED' || job.status === 'FAILED') && !isExpired(job);
}

function isExpired({ file_expires_at: at }: JobState): boolean {
  return at !== null && at.getTime() <= Date.now();
}

/** Empty if the file was written by an earlier version. */
function sizeOf(job: JobState): { size?: number } {
  if (job.file_expires_at === null) return { size: Buffer.byteLength(textWithoutFile(job)) };
  return job.file_bytes === null ? {} : { size: Buffer.byteLength(headOf(job)) + job.file_bytes };
}

/** Nothing is stored for a promotion without rejections, or for a job that failed because of an internal error. */
function textWithoutFile(job: JobState): string {
  if (job.error === null) return headOf(job);
  return `${headOf(job)}${errorLine(job, { code: job.error_code ?? '', message: job.error })}`;
}

function headOf({ type, vendor_id, is_dry_run }: JobState): string {
  const row = type === 'PROMOTION' ? RejectionRow : resultRow({ type, vendor_id, is_dry_run });
  return `${columnsOf(row).join(',')}\n`;
}

async function* withFirst(line: string, lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(line);
  yield* lines;
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
