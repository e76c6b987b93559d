import type { SubCode } from '@aisle/contract/sub-codes';
import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import type { Origin } from '../kernel/values/origin.ts';

export type CatalogJobType = 'CATALOG_UPDATE' | 'PRODUCT_CREATION' | 'CATALOG_EXPORT';
export type JobType = CatalogJobType | 'PROMOTION';
export type JobStatus = 'QUEUED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';

/** The reason a job failed, as a stable code and a message. */
export type JobError = { code: SubCode<'job'>; message: string };

export type JobRow<Type extends JobType = JobType> = {
  chain_id: string;
  job_id: string;
  type: Type;
  status: JobStatus;
  vendor_id: string | null;
  vendor_ids: string[];
  acceptance_no: string;
  open_tasks: number;
  total: number;
  succeeded: number;
  unchanged: number;
  failed: number;
  error: string | null;
  error_code: string | null;
  details: unknown;
  created_at: Date;
  updated_at: Date;
  file_expires_at: Date | null;
  file_name: string | null;
  /** Null in jobs of earlier versions. */
  origin: Origin | null;
  is_dry_run: boolean;
  /** When the job is to be applied; null means as soon as possible. */
  apply_at: Date | null;
  /** Whether the job still waits for `apply_at`. */
  is_scheduled: boolean;
  /** The job whose changes this job reverts. */
  reverts: string | null;
  /** The job that applies this preview. */
  applied_by: string | null;
};

export type Counts = { succeeded: number; unchanged: number; failed: number };

/** Null means all vendors. A job is visible only if all of its vendors are. */
export type VisibleVendors = readonly string[] | null;

const columns = `chain_id, job_id, type, status, vendor_id, vendor_ids, acceptance_no, open_tasks, total, succeeded,
  unchanged, failed, error, error_code, details, created_at, updated_at, file_expires_at, file_name, origin, is_dry_run,
  apply_at, is_scheduled, reverts, applied_by`;
// A transaction that started before the job was inserted can update the job, so `now()` can be before `created_at`.
const laterNow = 'greatest(now(), created_at)';
const visible = '($2::text[] is null or vendor_ids <@ $2)';

export async function insertJob(
  tx: Tx,
  chainId: string,
  job: Pick<
    JobRow,
    | 'job_id'
    | 'type'
    | 'vendor_id'
    | 'vendor_ids'
    | 'open_tasks'
    | 'total'
    | 'file_name'
    | 'details'
    | 'origin'
    | 'is_dry_run'
    | 'apply_at'
    | 'reverts'
  >,
): Promise<void> {
  await tx.query(
    `insert into jobs (chain_id, job_id, type, vendor_id, vendor_ids, open_tasks, total, file_name, details, origin,
       is_dry_run, apply_at, is_scheduled, reverts, created_at, updated_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::timestamptz, $12 is not null, $13, at, at
     from clock_timestamp() as at`,
    [
      chainId,
      job.job_id,
      job.type,
      job.vendor_id,
      job.vendor_ids,
      job.open_tasks,
      job.total,
      job.file_name,
      job.details,
      job.origin,
      job.is_dry_run,
      job.apply_at,
      job.reverts,
    ],
  );
}

/** Finds only jobs of these types, because each feature shows only its own jobs. */
export async function findJob<Type extends JobType>(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  types: readonly Type[],
  jobId: string,
): Promise<JobRow<Type> | undefined> {
  const rows = await db.query<JobRow<Type>>(
    `select ${columns} from jobs where chain_id = $1 and ${visible} and type = any ($3) and job_id = $4`,
    [chainId, visibleVendors, types, jobId],
  );
  return rows[0];
}

export async function getJob(tx: Tx, chainId: string, jobId: string): Promise<JobRow> {
  const rows = await tx.query<JobRow>(`select ${columns} from jobs where chain_id = $1 and job_id = $2`, [
    chainId,
    jobId,
  ]);
  return requireRow(rows, jobId);
}

export async function lockJob(tx: Tx, chainId: string, jobId: string): Promise<JobRow> {
  const rows = await tx.query<JobRow>(
    `select ${columns} from jobs where chain_id = $1 and job_id = $2 for no key update`,
    [chainId, jobId],
  );
  return requireRow(rows, jobId);
}

export type JobFilter = {
  status?: string | undefined;
  types: readonly CatalogJobType[];
  /** Only jobs that include this vendor. */
  vendorId?: string | undefined;
};

const filterSql = `chain_id = $1 and ${visible} and ($3::text is null or status = $3) and type = any ($4)
  and ($5::text is null or $5 = any (vendor_ids))`;

function filterValues(chainId: string, visibleVendors: VisibleVendors, filter: JobFilter): unknown[] {
  return [chainId, visibleVendors, filter.status, filter.types, filter.vendorId];
}

export function listJobs(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  filter: JobFilter,
  page: PageRequest,
): Promise<JobRow<CatalogJobType>[]> {
  return db.query(
    `select ${columns} from jobs where ${filterSql} order by created_at desc, job_id desc limit $6 offset $7`,
    [...filterValues(chainId, visibleVendors, filter), page.pageSize, page.offset],
  );
}

export async function countJobs(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  filter: JobFilter,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from jobs where ${filterSql}`,
    filterValues(chainId, visibleVendors, filter),
  );
  return rows[0]?.count ?? 0;
}

export async function markStarted(db: Db, chainId: string, jobId: string): Promise<void> {
  await db.query(
    `update jobs set status = 'IN_PROGRESS', updated_at = ${laterNow}
     where chain_id = $1 and job_id = $2 and status = 'QUEUED'`,
    [chainId, jobId],
  );
}

export function addProgress(tx: Tx, chainId: string, jobId: string, counts: Counts): void {
  tx.send(
    `update jobs set status = 'IN_PROGRESS', succeeded = succeeded + $3, unchanged = unchanged + $4,
       failed = failed + $5, updated_at = ${laterNow}
     where chain_id = $1 and job_id = $2`,
    [chainId, jobId, counts.succeeded, counts.unchanged, counts.failed],
  );
}

export async function setTotal(tx: Tx, chainId: string, jobId: string, total: number): Promise<void> {
  await tx.query('update jobs set total = $3 where chain_id = $1 and job_id = $2', [chainId, jobId, total]);
}

/**
 * Adds items and details that were read from a file after the job was accepted. Returns false if the job is not open any
 * more, because it was cancelled.
 */
export async function extendJob(
  tx: Tx,
  chainId: string,
  jobId: string,
  { items, details }: { items: number; details: Record<string, unknown> },
): Promise<boolean> {
  const rows = await tx.query(
    `update jobs set total = total + $3, details = details || $4, updated_at = ${laterNow}
     where chain_id = $1 and job_id = $2 and details ->> 'is_open' is distinct from 'false' returning 1`,
    [chainId, jobId, items, details],
  );
  return rows.length === 1;
}

/** Decrements the number of open tasks. The row lock ensures that exactly one of the job's tasks sees 0. */
export async function closeTask(tx: Tx, chainId: string, jobId: string): Promise<JobRow> {
  const rows = await tx.query<JobRow>(
    `update jobs set open_tasks = open_tasks - 1, updated_at = ${laterNow} where chain_id = $1 and job_id = $2
     returning ${columns}`,
    [chainId, jobId],
  );
  return requireRow(rows, jobId);
}

/** Makes the job end as FAILED (see `endJob`), whatever the results of its other tasks. */
export async function setError(tx: Tx, chainId: string, jobId: string, { code, message }: JobError): Promise<void> {
  await tx.query('update jobs set error_code = $3, error = $4 where chain_id = $1 and job_id = $2', [
    chainId,
    jobId,
    code,
    message,
  ]);
}

export async function addDetails(tx: Tx, chainId: string, jobId: string, details: Record<string, unknown>) {
  await tx.query('update jobs set details = details || $3 where chain_id = $1 and job_id = $2', [
    chainId,
    jobId,
    details,
  ]);
}

/**
 * Sets the status to COMPLETED, or to FAILED if `setError` was called. If some parts of the file were written by an
 * earlier version, the size of the file is not known.
 */
export async function endJob(tx: Tx, chainId: string, jobId: string, fileDays: number): Promise<JobRow> {
  const rows = await tx.query<JobRow>(
    `update jobs set status = case when error is null then 'COMPLETED' else 'FAILED' end, updated_at = ${laterNow},
       file_expires_at = case when is_dry_run or file.parts > 0 then file.expires_at end,
       file_bytes = case when file.parts = file.sized_parts then file.bytes end
     from (select count(*) as parts, count(content_bytes) as sized_parts, sum(content_bytes) as bytes,
             now() + make_interval(days => $3) as expires_at
           from job_file_parts where chain_id = $1 and job_id = $2) file
     where chain_id = $1 and job_id = $2 returning ${columns}`,
    [chainId, jobId, fileDays],
  );
  return requireRow(rows, jobId);
}

/**
 * Deletes the files of up to `max` jobs, and the stored rows of uploaded files in which some rows failed. They expire with
 * the job's file.
 */
export async function deleteExpiredFiles(tx: Tx, max: number): Promise<number> {
  for (const table of ['job_failures', 'job_chunks']) {
    await tx.query(
      `delete from ${table} t using jobs j where j.chain_id = t.chain_id and j.job_id = t.job_id
         and j.file_expires_at < now()`,
    );
  }
  return countAffected(
    tx,
    `delete from job_file_parts p using (
       select chain_id, job_id from jobs j where file_expires_at < now()
         and exists (select from job_file_parts p where p.chain_id = j.chain_id and p.job_id = j.job_id) limit $1
     ) expired
     where p.chain_id = expired.chain_id and p.job_id = expired.job_id`,
    [max],
  );
}

export function deleteOldJobs(tx: Tx, days: number): Promise<number> {
  return countAffected(
    tx,
    `delete from jobs where created_at < now() - make_interval(days => $1) and status in ('COMPLETED', 'FAILED')
       and coalesce(apply_at, created_at) < now() - make_interval(days => $1)`,
    [days],
  );
}

function requireRow([row]: JobRow[], jobId: string): JobRow {
  if (!row) throw new Error(`The job ${jobId} does not exist.`);
  return row;
}
