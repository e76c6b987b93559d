import pg from 'pg';
import { isUnusable } from './errors.ts';
import { createGroup, type Result, type StatementText } from './group.ts';
import { configOf, type ConnectedClient, noteBytes, onConnection, runStatement, type Wire } from './statement.ts';
import type { QueryOptions } from './tx.ts';

type Statement = [text: string, values?: readonly unknown[], options?: QueryOptions];

type Entry = {
  statement: Statement;
  config: StatementText;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
};

/** How many statements share a connection at most. They are executed one after the other. */
const maxJoined = 4;
/** A statement that took longer the last time is not joined, so that others do not wait for it. */
const maxQuickMs = 25;
/** There are a few hundred. The limit bounds the memory if a text varies unexpectedly. */
const maxTexts = 2000;

/**
 * Runs single statements. Those that start in the same turn of the event loop, which happens under load, are joined if
 * they only read, are quick, and belong to the same chain: they are sent together, on one connection, with one Sync
 * message. This saves most of the messages between the processes, which take a fifth of the time of a small request. A
 * statement that starts alone does not wait for others.
 *
 * If a statement fails, PostgreSQL skips those after it. All of these are then executed alone, so none of them notices
 * the others.
 */
export function createJoiner(pool: pg.Pool, wire: Wire): <Row>(...statement: Statement) => Promise<Row[]> {
  const quick = new Map<string, boolean>();
  let waiting: Entry[] = [];
  const note = (text: string, startedAt: number) => {
    if (quick.size < maxTexts || quick.has(text)) quick.set(text, performance.now() - startedAt <= maxQuickMs);
  };
  const runAlone = (...statement: Statement): Promise<unknown[]> =>
    onConnection(pool, async (client) => {
      const startedAt = performance.now();
      const rows = await runStatement(client, wire, ...statement);
      note(statement[0], startedAt);
      return rows;
    });
  const finishAlone = ({ statement, resolve, reject }: Entry) => runAlone(...statement).then(resolve, reject);
  const runTogether = async (entries: Entry[]): Promise<void> => {
    const client = (await pool.connect()) as ConnectedClient;
    const startedAt = performance.now();
    const results = await sendTogether(client, wire, entries);
    const failure = results.find((result) => result.status === 'rejected')?.reason as Error | undefined;
    client.release(failure && !isHarmless(failure) ? failure : undefined);
    for (const [index, entry] of entries.entries()) {
      const result = results[index];
      note(entry.statement[0], startedAt);
      if (result?.status === 'fulfilled') entry.resolve(noteBytes(result.value.rows, result.value.bytes));
      else if (isHarmless(result?.reason)) void finishAlone(entry);
      else entry.reject(result?.reason);
    }
  };
  const run = (entries: Entry[]) => {
    const [only] = entries;
    if (entries.length === 1 && only) void finishAlone(only);
    else runTogether(entries).catch((error: unknown) => entries.forEach(({ reject }) => reject(error)));
  };
  const flush = () => {
    const entries = waiting;
    waiting = [];
    for (const own of Map.groupBy(entries, ownerOf).values()) {
      for (let at = 0; at < own.length; at += maxJoined) run(own.slice(at, at + maxJoined));
    }
  };
  return <Row>(...statement: Statement) => {
    const [text] = statement;
    const isJoinable = quick.get(text) && wire.settings === undefined && statement[1]?.length && isRead(text);
    if (!isJoinable) return runAlone(...statement) as Promise<Row[]>;
    return new Promise<Row[]>((resolve, reject) => {
      // Fails here if a value cannot be converted, before anything is sent.
      const config = configOf(wire, ...statement);
      waiting.push({ statement, config, resolve: resolve as Entry['resolve'], reject });
      if (waiting.length === 1) setImmediate(flush);
    });
  };
}

function sendTogether(
  client: ConnectedClient,
  wire: Wire,
  entries: readonly Entry[],
): Promise<PromiseSettledResult<Result>[]> {
  const results: Promise<Result>[] = [];
  const statements = entries.map(({ config, statement: [, , options] }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    results.push(promise);
    return { config, resolve, reject, onReceived: options?.onReceived };
  });
  client.query(createGroup(statements, { types: client, ...wire }));
  return Promise.allSettled(results);
}

/** The first value of every statement is its chain. Statements of different chains never wait for each other. */
function ownerOf({ statement: [, values] }: Entry): unknown {
  return values?.[0];
}

/** PostgreSQL has reported the error, and the connection can be used again. */
function isHarmless(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isUnusable(error);
}

const reads = new Map<string, boolean>();

/** Whether the statement has no effects, so that it can be repeated. Undetected reads are only slower. */
function isRead(text: string): boolean {
  let known = reads.get(text);
  if (known === undefined) {
    known =
      /^\s*select\b/i.test(text) &&
      !/\b(?:for (?:update|share|no key|key)|pg_\w+|nextval|setval|set_config)\b/i.test(text);
    if (reads.size < maxTexts) reads.set(text, known);
  }
  return known;
}
