import type { Db } from './db.ts';

/** The number of rows that PostgreSQL expects a statement to return. It does not run the statement. */
export async function estimateRows(db: Db, statement: string, values: readonly unknown[]): Promise<number> {
  const rows = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) ${statement}`,
    [...values],
    { prepare: false },
  );
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
