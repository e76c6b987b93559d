import type { Db } from './db.ts';

/** Runs a delete or update without `returning`, and counts the rows it affected. */
export async function countAffected(db: Db, statement: string, values: readonly unknown[] = []): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `with affected as (${statement} returning 1) select count(*)::int as count from affected`,
    values,
  );
  return rows[0]?.count ?? 0;
}
