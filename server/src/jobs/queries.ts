import type { Db, Tx } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';

export type CatalogJobType = 'CATALOG_UPDATE' | 'PRODUCT_CREATION' | 'CATALOG_EXPORT';
export type JobType = CatalogJobType | 'PROMOTION';
export type JobStatus = 'QUEUED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';

export type JobRow<Type extends JobType = CatalogJobType> = {
  chain_id: string;
  job_id: string;
  type: Type;
  status: JobStatus;
  vendor_id: string | null;
  acceptance_no: string;
  open_tasks: number;
  total: number;
  succeeded: number;
  unchanged: number;
  failed: number;
  error: string | null;
  details: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
  file_expires_at: Date | null;
};

export type Counts = { succeeded: number; unchanged: number; failed: number };

export type Feedback = {
  status: 'FAILED' | 'DUPLICATED' | 'MISSING' | 'POINTLESS';
  row_no: number;
  vendor_id: string;
  sku: string | null;
  rejected_data: string | null;
  rejected_reason: string;
};

/** Null: every vendor. A job is visible where all of its vendors are. */
export type VisibleVendors = readonly string[] | null;

const columns = `chain_id, job_id, type, status, vendor_id, acceptance_no, open_tasks, total, succeeded, unchanged,
  failed, error, details, created_at, updated_at, file_expires_at`;
const visible = '($2::text[] is null or vendor_ids <@ $2)';

export async function insertJob(
  tx: Tx,
  chainId: string,
  job: {
    job_id: string;
    type: JobType;
    vendor_id: string | null;
    vendor_ids: string[];
    open_tasks: number;
    total: number;
    details: Record<string, unknown>;
  },
): Promise<void> {
  await tx.query(
    `insert into jobs (chain_id, job_id, type, vendor_id, vendor_ids, open_tasks, total, details, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())`,
    [chainId, job.job_id, job.type, job.vendor_id, job.vendor_ids, job.open_tasks, job.total, job.details],
  );
}

/** A job of one of these types: each feature sees its own. */
export async function findJob<Type extends JobType>(
  db: Db,
  chainId: string,
  only: VisibleVendors,
  types: readonly Type[],
  jobId: string,
): Promise<JobRow<Type> | undefined> {
  const rows = await db.query<JobRow<Type>>(
    `select ${columns} from jobs where chain_id = $1 and ${visible} and type = any ($3) and job_id = $4`,
    [chainId, only, types, jobId],
  );
  return rows[0];
}

export async function getJob(tx: Tx, chainId: string, jobId: string): Promise<JobRow<JobType>> {
  const rows = await tx.query<JobRow<JobType>>(`select ${columns} from jobs where chain_id = $1 and job_id = $2`, [
    chainId,
    jobId,
  ]);
  if (!rows[0]) throw new Error(`The job ${jobId} is gone.`);
  return rows[0];
}

/** The job as it is once nobody else works on it, held until the transaction ends. */
export async function lockJob(tx: Tx, chainId: string, jobId: string): Promise<JobRow<JobType>> {
  const rows = await tx.query<JobRow<JobType>>(
    `select ${columns} from jobs where chain_id = $1 and job_id = $2 for no key update`,
    [chainId, jobId],
  );
  if (!rows[0]) throw new Error(`The job ${jobId} is gone.`);
  return rows[0];
}

export type JobFilter = { status?: string | undefined; types: readonly CatalogJobType[] };

export function listJobs(
  db: Db,
  chainId: string,
  only: VisibleVendors,
  filter: JobFilter,
  page: PageRequest,
): Promise<JobRow[]> {
  return db.query(
    `select ${columns} from jobs
     where chain_id = $1 and ${visible} and ($3::text is null or status = $3) and type = any ($4)
     order by created_at desc, job_id desc limit $5 offset $6`,
    [chainId, only, filter.status, filter.types, page.pageSize, page.offset],
  );
}

export async function countJobs(db: Db, chainId: string, only: VisibleVendors, filter: JobFilter): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from jobs
     where chain_id = $1 and ${visible} and ($3::text is null or status = $3) and type = any ($4)`,
    [chainId, only, filter.status, filter.types],
  );
  return rows[0]?.count ?? 0;
}

export async function markStarted(db: Db, chainId: string, jobId: string): Promise<void> {
  await db.query(
    "update jobs set status = 'IN_PROGRESS', updated_at = now() where chain_id = $1 and job_id = $2 and status = 'QUEUED'",
    [chainId, jobId],
  );
}

/** Adds what a slice has done; `total` is given where it is known only now. */
export async function addProgress(tx: Tx, chainId: string, jobId: string, counts: Counts): Promise<void> {
  await tx.query(
    `update jobs set status = 'IN_PROGRESS', succeeded = succeeded + $3, unchanged = unchanged + $4,
       failed = failed + $5, updated_at = now()
     where chain_id = $1 and job_id = $2`,
    [chainId, jobId, counts.succeeded, counts.unchanged, counts.failed],
  );
}

export async function setTotal(tx: Tx, chainId: string, jobId: string, total: number): Promise<void> {
  await tx.query('update jobs set total = $3 where chain_id = $1 and job_id = $2', [chainId, jobId, total]);
}

/** One task less; the row as it is now. Its lock makes the last task of a job know that it is the last. */
export async function closeTask<Type extends JobType = CatalogJobType>(
  tx: Tx,
  chainId: string,
  jobId: string,
): Promise<JobRow<Type>> {
  const rows = await tx.query<JobRow<Type>>(
    `update jobs set open_tasks = open_tasks - 1, updated_at = now() where chain_id = $1 and job_id = $2
     returning ${columns}`,
    [chainId, jobId],
  );
  return rows[0] as JobRow<Type>;
}

/** Written down for `closeTask` to find: the job will be FAILED, whatever its other tasks do. */
export async function setError(tx: Tx, chainId: string, jobId: string, error: string): Promise<void> {
  await tx.query('update jobs set error = $3 where chain_id = $1 and job_id = $2', [chainId, jobId, error]);
}

export async function addDetails(tx: Tx, chainId: string, jobId: string, details: Record<string, unknown>) {
  await tx.query('update jobs set details = details || $3 where chain_id = $1 and job_id = $2', [
    chainId,
    jobId,
    details,
  ]);
}

export async function endJob(
  tx: Tx,
  chainId: string,
  jobId: string,
  end: { status: 'COMPLETED' | 'FAILED'; error: string | null; fileDays: number },
): Promise<JobRow> {
  const rows = await tx.query<JobRow>(
    `update jobs set status = $3, error = $4, updated_at = now(),
       file_expires_at = case when exists (
         select from job_file_parts p where p.chain_id = $1 and p.job_id = $2) then now() + make_interval(days => $5) end
     where chain_id = $1 and job_id = $2 returning ${columns}`,
    [chainId, jobId, end.status, end.error, end.fileDays],
  );
  return rows[0] as JobRow;
}

export async function insertChunk(
  tx: Tx,
  chainId: string,
  jobId: string,
  chunk: { kind: string; no: number; bytes: Uint8Array },
): Promise<void> {
  await tx.query('insert into job_chunks (chain_id, job_id, kind, chunk_no, bytes) values ($1, $2, $3, $4, $5)', [
    chainId,
    jobId,
    chunk.kind,
    chunk.no,
    Buffer.from(chunk.bytes.buffer, chunk.bytes.byteOffset, chunk.bytes.byteLength),
  ]);
}

export async function getChunk(tx: Tx, chainId: string, jobId: string, kind: string, no: number): Promise<Buffer> {
  const rows = await tx.query<{ bytes: Buffer }>(
    'select bytes from job_chunks where chain_id = $1 and job_id = $2 and kind = $3 and chunk_no = $4',
    [chainId, jobId, kind, no],
  );
  const bytes = rows[0]?.bytes;
  if (!bytes) throw new Error(`The job ${jobId} has lost its ${kind} ${no}.`);
  return bytes;
}

/** True for the one who is to do this chunk; the others wait for it and get false. */
export async function claimChunk(tx: Tx, chainId: string, jobId: string, kind: string, no: number): Promise<boolean> {
  const rows = await tx.query(
    `update job_chunks set done = true
     where chain_id = $1 and job_id = $2 and kind = $3 and chunk_no = $4 and not done returning 1`,
    [chainId, jobId, kind, no],
  );
  return rows.length === 1;
}

export async function deleteChunks(tx: Tx, chainId: string, jobId: string): Promise<void> {
  await tx.query('delete from job_chunks where chain_id = $1 and job_id = $2', [chainId, jobId]);
}

/** Keeps at most about `most` of each status: two slices at once may keep a few more, which reading leaves out. */
export async function addFeedback(
  tx: Tx,
  chainId: string,
  jobId: string,
  rows: Feedback[],
  most: number,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `with known as (
       select status, count(*) as count from job_feedback where chain_id = $1 and job_id = $2 group by status
     ), given as (
       select r.*, row_number() over (partition by r.status order by r.row_no) as position
       from jsonb_to_recordset($3) as r (
         status text, row_no integer, vendor_id text, sku text, rejected_data text, rejected_reason text)
     )
     insert into job_feedback (chain_id, job_id, status, row_no, vendor_id, sku, rejected_data, rejected_reason)
     select $1, $2, g.status, g.row_no, g.vendor_id, g.sku, g.rejected_data, g.rejected_reason
     from given g left join known k on k.status = g.status
     where g.position + coalesce(k.count, 0) <= $4`,
    [chainId, jobId, JSON.stringify(rows), most],
  );
}

/** The first thousand of each status of each job. */
export function listFeedback(db: Db, chainId: string, jobIds: string[]): Promise<(Feedback & { job_id: string })[]> {
  return db.query(
    `select job_id, status, row_no, vendor_id, sku, rejected_data, rejected_reason
     from (
       select f.*, row_number() over (partition by job_id, status order by vendor_id, row_no) as position
       from job_feedback f where chain_id = $1 and job_id = any ($2)
     ) f
     where position <= 1000 order by job_id, vendor_id, row_no`,
    [chainId, jobIds],
  );
}

export async function deleteExpiredFiles(tx: Tx): Promise<number> {
  const gone = await tx.query<{ count: number }>(
    `with expired as (
       select chain_id, job_id from jobs j where file_expires_at < now()
         and exists (select from job_file_parts p where p.chain_id = j.chain_id and p.job_id = j.job_id) limit 1000
     ), gone as (
       delete from job_file_parts p using expired e where p.chain_id = e.chain_id and p.job_id = e.job_id returning 1
     ) select count(*)::int as count from gone`,
  );
  return gone[0]?.count ?? 0;
}

export async function deleteOldJobs(tx: Tx, days: number): Promise<number> {
  const gone = await tx.query<{ count: number }>(
    `with gone as (
       delete from jobs where created_at < now() - make_interval(days => $1) and status in ('COMPLETED', 'FAILED')
       returning 1
     ) select count(*)::int as count from gone`,
    [days],
  );
  return gone[0]?.count ?? 0;
}
