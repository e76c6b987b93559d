import type { UploadedFile } from '@aisle/contract/files';
import type { Static } from 'typebox';
import type { Links } from '../config.ts';
import { type JobState, type JobType, listJobStates } from '../jobs/index.ts';
import type { Db } from '../kernel/database/db.ts';
import type { FileRow } from './queries.ts';
import { countRows } from './rules/status.ts';

type FileResponse = Static<typeof UploadedFile>;
type FileJob = FileResponse['jobs'][number];

export async function fileResponses(db: Db, chainId: string, rows: FileRow[], links: Links): Promise<FileResponse[]> {
  const ids = rows.flatMap((row) => row.job_id ?? []);
  const jobs = new Map((await listJobStates(db, chainId, ids)).map((job) => [job.job_id, job]));
  return rows.map((row) => fileResponse(row, row.job_id === null ? undefined : jobs.get(row.job_id), links));
}

/** Whether the job has ended and has failed rows. If the file could not be read, the reason is one of them. */
export function hasFailedRows(job: Pick<JobState, 'failed' | 'error_code' | 'file_expires_at'>): boolean {
  return (job.failed > 0 || job.error_code === 'unreadable_file') && job.file_expires_at !== null;
}

function fileResponse(row: FileRow, job: JobState | undefined, links: Links): FileResponse {
  return {
    file_id: row.file_id,
    name: row.name,
    folder: row.folder,
    size: row.size,
    state: row.state,
    received_at: (row.accepted_at ?? row.created_at).toISOString(),
    uploaded_by: row.uploaded_by,
    address: row.address,
    channel: row.channel,
    jobs: job ? [jobOf(job)] : [],
    ...(job && hasFailedRows(job) && { failed_rows_url: `${links.file(row.chain_id, row.file_id)}/failed-rows` }),
  };
}

function jobOf(job: JobState): FileJob {
  const { job_id, type, status, failed, error, error_code, is_dry_run, apply_at } = job;
  return {
    job_id,
    job_type: type as Exclude<JobType, 'CATALOG_EXPORT'>,
    job_status: status,
    ...(is_dry_run && { dry_run: true }),
    ...(apply_at !== null && { apply_at: apply_at.toISOString() }),
    failed,
    ...countRows(job),
    ...(error !== null && { error }),
    ...(error_code !== null && { error_code }),
  };
}
