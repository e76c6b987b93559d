import type { Db } from '../kernel/database/db.ts';

/** The names of those who created the jobs, as far as they are known. */
export function listJobOrigins(db: Db, chainId: string, jobIds: string[]): Promise<{ job_id: string; name: string }[]> {
  return db.query(
    `select job_id, origin ->> 'name' as name from jobs
     where chain_id = $1 and job_id = any ($2) and origin is not null`,
    [chainId, jobIds],
  );
}
