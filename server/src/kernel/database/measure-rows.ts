import type { Database, Db } from './db.ts';

/** The same database, which also reports the approximate size of the rows that are read, in bytes. */
export function measureRows(db: Database, report: (bytes: number) => void): Database {
  const measured =
    (on: Db): Db['query'] =>
    async <Row>(...statement: Parameters<Db['query']>) => {
      const rows = await on.query<Row>(...statement);
      report(sizeOf(rows));
      return rows;
    };
  return {
    ...db,
    withoutTimeout: db.withoutTimeout,
    query: measured(db),
    transaction: (work) => db.transaction((tx) => work({ ...tx, query: measured(tx) })),
  };
}

/** Strings and bytes are counted by length. The rest is small, unless there is very much of it. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let size = 8;
  for (const name in value) size += 8 + sizeOf((value as Record<string, unknown>)[name]);
  return size;
}
