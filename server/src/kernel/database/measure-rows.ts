import type { Database, Db, QueryOptions } from './db.ts';
import { receivedBytes } from './statement.ts';

/** The same database, which also reports the bytes that are received for rows, while they arrive. */
export function measureRows(db: Database, report: (bytes: number) => void): Database {
  const measured =
    (on: Db): Db['query'] =>
    async <Row>(text: string, values?: readonly unknown[], options?: QueryOptions) => {
      let reported = 0;
      const onReceived = (bytes: number) => {
        const more = bytes - reported;
        reported = bytes;
        report(more);
      };
      const rows = await on.query<Row>(text, values, { ...options, onReceived });
      onReceived(receivedBytes(rows));
      return rows;
    };
  return {
    ...db,
    query: measured(db),
    transaction: (work) => db.transaction((tx) => work({ ...tx, query: measured(tx) })),
  };
}
