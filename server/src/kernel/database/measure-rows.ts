import type { Database, Db } from './db.ts';
import { receivedBytes } from './statement.ts';

/** The same database, which also reports how many bytes were received for the rows that are read. */
export function measureRows(db: Database, report: (bytes: number) => void): Database {
  const measured =
    (on: Db): Db['query'] =>
    async <Row>(...statement: Parameters<Db['query']>) => {
      const rows = await on.query<Row>(...statement);
      report(receivedBytes(rows));
      return rows;
    };
  return {
    ...db,
    withoutTimeout: db.withoutTimeout,
    withIdleLimit: db.withIdleLimit,
    query: measured(db),
    transaction: (work) => db.transaction((tx) => work({ ...tx, query: measured(tx) })),
  };
}
