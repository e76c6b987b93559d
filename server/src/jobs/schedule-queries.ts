import type { Db, Tx } from '../kernel/database/db.ts';

/** Uses the clock of the database, as the queue does. */
export async function secondsUntil(db: Db, at: Date): Promise<number> {
  const rows = await db.query<{ seconds: number }>(
    'select extract(epoch from $1::timestamptz - now())::float8 as seconds',
    [at],
  );
  return Math.max(0, rows[0]?.seconds ?? 0);
}

/**
 * The job gets a new acceptance number, because it takes its place among the other jobs only now. A sharded database
 * cannot take a number from a sequence in the statement that stores it.
 */
export async function markPlaced(tx: Tx, chainId: string, jobId: string): Promise<void> {
  const rows = await tx.query<{ acceptance_no: string }>("select nextval('acceptance_numbers') as acceptance_no");
  await tx.query(
    `update jobs set is_scheduled = false, acceptance_no = $3, updated_at = greatest(now(), created_at)
     where chain_id = $1 and job_id = $2`,
    [chainId, jobId, rows[0]?.acceptance_no],
  );
}

/** A cancelled job has no tasks, and a file that is still being read is not read to its end. */
export async function markCancelled(tx: Tx, chainId: string, jobId: string): Promise<void> {
  await tx.query(
    `update jobs set is_scheduled = false, open_tasks = 0,
       details = case when details ? 'is_open' then details || '{"is_open": false}' else details end
     where chain_id = $1 and job_id = $2`,
    [chainId, jobId],
  );
}

/** Moves the chunks of a preview to the job that applies it, and marks the preview as applied. */
export async function moveChunks(tx: Tx, chainId: string, from: string, to: string): Promise<void> {
  await tx.query('update job_chunks set job_id = $3 where chain_id = $1 and job_id = $2', [chainId, from, to]);
  await tx.query('update jobs set applied_by = $3 where chain_id = $1 and job_id = $2', [chainId, from, to]);
}
