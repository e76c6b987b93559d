import type { Db } from '../kernel/database/db.ts';
import type { JobRow } from './queries.ts';

/**
 * How far a job has come. `vendors` is how many vendors it has, and `file_bytes` the size of its file without the names
 * of the columns, or null if that is not known.
 */
export type JobState = Pick<
  JobRow,
  | 'job_id'
  | 'type'
  | 'status'
  | 'vendor_id'
  | 'total'
  | 'succeeded'
  | 'unchanged'
  | 'failed'
  | 'error'
  | 'error_code'
  | 'updated_at'
  | 'file_expires_at'
  | 'is_dry_run'
  | 'is_scheduled'
  | 'apply_at'
> & { vendors: number; file_bytes: number | null };

export function listJobStates(db: Db, chainId: string, jobIds: string[]): Promise<JobState[]> {
  return db.query(
    `select job_id, type, status, vendor_id, total, succeeded, unchanged, failed, error, error_code, updated_at,
       file_expires_at, is_dry_run, is_scheduled, apply_at, cardinality(vendor_ids) as vendors,
       file_bytes::float8 as file_bytes
     from jobs where chain_id = $1 and job_id = any ($2)`,
    [chainId, jobIds],
  );
}

/** Whether another job reverts this one, at least in part. */
export async function isReverted(db: Db, chainId: string, jobId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from jobs r join jobs j on j.chain_id = $1 and j.job_id = $2
     where r.chain_id = $1 and r.reverts = $2 and r.created_at >= j.created_at limit 1`,
    [chainId, jobId],
  );
  return rows.length > 0;
}
