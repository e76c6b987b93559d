import type { Database, Db, QueryOptions, Tx } from './db.ts';
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

/** The same transaction, whose statements are shared by several requests. */
export function shareRows(tx: Tx, requests: number): Tx {
  return {
    ...tx,
    query: <Row>(text: string, values?: readonly unknown[], options?: QueryOptions) =>
      tx.query<Row>(text, values, { ...options, requests }),
  };
}

/**
 * The same, but they are reported when all rows of a statement have arrived. If requests share the statement, a part of
 * the bytes is reported.
 */
export function measureResults(db: Database, report: (bytes: number) => void): Database {
  return withQueries(db, (on) => <Row>(...statement: Parameters<Db['query']>) => {
    const result = on.query<Row>(...statement);
    result.then(
      (rows) => report(receivedBytes(rows) / (statement[2]?.requests ?? 1)),
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
