import type { Database } from './db.ts';

/**
 * Whether the database can be written to. Resolves to `ok`, or to a description of the problem, and rejects if the
 * database is unreachable.
 *
 * A row that fits into an existing page can be written even when the disk is full, and a larger write would leave dead
 * rows and WAL behind on every check. So this writes about 1 MB to a temporary file on the same disk, which PostgreSQL
 * deletes at the end of the statement: `generate_series` does not fit into the memory it is allowed to use.
 */
export async function checkWrite(db: Database): Promise<string> {
  const [row] = await db.query<{ is_read_only: boolean }>(
    "select current_setting('transaction_read_only') = 'on' as is_read_only",
  );
  if (row?.is_read_only) return 'the database is read-only';
  await db.transaction(async (tx) => {
    tx.send("set local work_mem = '64kB'");
    await tx.query('select count(*) from generate_series(1, 50000)');
  });
  return 'ok';
}
