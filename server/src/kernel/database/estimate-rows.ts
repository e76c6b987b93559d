import type { Db } from './db.ts';

/** The number of rows that PostgreSQL expects a statement to return. It does not run the statement. */
export async function estimateRows(db: Db, statement: string, values: readonly unknown[]): Promise<number> {
  const rows = await db.query<{ 'QUERY PLAN': [Explained] }>(`explain (format json) ${statement}`, [...values], {
    prepare: false,
  });
  return rows[0] ? expectedRows(rows[0]['QUERY PLAN'][0]) : 0;
}

/** A plan as EXPLAIN returns it. That of a distributed database contains those of the nodes, and has no estimate itself. */
export type Explained = {
  Plan: { 'Plan Rows': number; 'Distributed Query'?: { Job: { Tasks: { 'Remote Plan': [Explained][] }[] } } };
};

export function expectedRows({ Plan: plan }: Explained): number {
  const tasks = plan['Distributed Query']?.Job.Tasks;
  if (!tasks) return plan['Plan Rows'];
  return tasks.flatMap((task) => task['Remote Plan']).reduce((sum, [remote]) => sum + expectedRows(remote), 0);
}
