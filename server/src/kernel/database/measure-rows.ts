import type { Database, Db, QueryOptions } from './db.ts';
import { receivedBytes } from './statement.ts';

/** The same database, which also reports the bytes that are received for rows, while they arrive. */
export function measureRows(db: Database, report: (bytes: number) => void): Database {
  return withQueries(db, (on) => async <Row>(text: string, values?: readonly unknown[], options?: QueryOptions) => {
    let reported = 0;
    const onReceived = (bytes: number) => {
      const more = bytes - reported;
      reported = bytes;
      report(more);
    };
    const rows = await on.query<Row>(text, values, { ...options, onReceived });
    onReceived(receivedBytes(rows));
    return rows;
  });
}

/** The same, but they are reported when all rows of a statement have arrived. */
export function measureResults(db: Database, report: (bytes: number) => void): Database {
  return withQueries(db, (on) => <Row>(...statement: Parameters<Db['query']>) => {
    const result = on.query<Row>(...statement);
    result.then(
      (rows) => report(receivedBytes(rows)),
      () => {},
    );
    return result;
  });
}

function withQueries(db: Database, measured: (on: Db) => Db['query']): Database {
  return {
    ...db,
    query: measured(db),
    transaction: (work) => db.transaction((tx) => work({ ...tx, query: measured(tx) })),
  };
}
