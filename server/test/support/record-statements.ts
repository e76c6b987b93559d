import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Db, Tx } from '../../src/kernel/database/db.ts';

/** A statement that the server executed, and the function that it is in. */
export type RecordedStatement = { text: string; path: string; name: string };

/**
 * Records the statements of the server in a file, which `tools/test.ts` checks at the end of the run. A statement is
 * recorded when a process executes it for the first time. The statements of the tests themselves are not recorded.
 */
export function recordStatements(db: Database): Database {
  const { AISLE_TEST_STATEMENTS: folder } = process.env;
  return folder === undefined ? db : recording(db, join(folder, `${process.pid}.jsonl`));
}

function recording(db: Database, file: string): Database {
  const withQuery = <Each extends Db>(one: Each): Each => ({
    ...one,
    query: (...statement: Parameters<Db['query']>) => {
      record(file, statement[0]);
      return one.query(...statement);
    },
  });
  const withSend = (tx: Tx): Tx => ({
    ...withQuery(tx),
    send(...statement) {
      record(file, statement[0]);
      tx.send(...statement);
    },
  });
  // The spread would evaluate the getters, which open a database each.
  return Object.defineProperties(
    { ...withQuery(plain(db)) },
    {
      transaction: { value: (work: (tx: Tx) => unknown) => db.transaction((tx) => work(withSend(tx))) },
      reserved: { value: withQuery(db.reserved) },
      withoutTimeout: { get: () => recording(db.withoutTimeout, file) },
      withIdleLimit: { get: () => recording(db.withIdleLimit, file) },
      forTasks: { get: () => recording(db.forTasks, file) },
    },
  );
}

function plain(db: Database): Database {
  const { pool, query, runSlow, onNotified, watchNodes, openNode, forgetPlans, abandon, close } = db;
  return { pool, query, runSlow, onNotified, watchNodes, openNode, forgetPlans, abandon, close } as Database;
}

const recorded = new Set<string>();

function record(file: string, text: string): void {
  if (recorded.has(text)) return;
  const place = findPlace();
  if (place === undefined) return;
  recorded.add(text);
  appendFileSync(file, `${JSON.stringify({ text, ...place } satisfies RecordedStatement)}\n`);
}

/** The function outside of the kernel's database code that the statement comes from, unless that is a test. */
function findPlace(): Omit<RecordedStatement, 'text'> | undefined {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const { stack = '' } = new Error('place');
  Error.stackTraceLimit = before;
  const frames = stack.split('\n').flatMap((line) => {
    const [, name = '', path] =
      /^\s*at (?:async )?(?:(\S+) .*?)?\(?file:\/\/\S*?\/((?:server|e2e|simulate|tools|cli)\/\S+?\.ts):/.exec(line) ??
      [];
    return path === undefined || path.endsWith('/record-statements.ts') ? [] : [{ path, name }];
  });
  const caller = frames.find(({ path }) => !path.startsWith('server/src/kernel/database/')) ?? frames[0];
  return caller?.path.startsWith('server/src/') && !caller.path.endsWith('.test.ts') ? caller : undefined;
}
