/**
 * Writes and loads the data in all tables as SQL text: one `copy … from stdin` section per table, as pg_dump writes it.
 * The embedded PostgreSQL does not include pg_dump. The text contains no schema, because the migrations create it: a
 * dump is loaded into a database that has the same migrations, and psql can load it too.
 */
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { beginWithoutTimeout, type Db } from './db.ts';
import { locks } from './locks.ts';

export type DumpedMigration = { version: number; name: string; sha256: string | null };

/** Called after each chunk with the totals so far. */
export type Progress = (progress: { table: string; bytes: number }) => void;

/**
 * Runs `work` in a transaction that sees one snapshot, so that what it reads is consistent while other connections
 * write. Migrations wait until `work` is done.
 */
export async function inSnapshot<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('set statement_timeout = 0');
  await client.query(`select pg_advisory_lock_shared(${locks.migration})`);
  await client.query('begin isolation level repeatable read, read only');
  return work();
}

export async function listMigrations(client: pg.ClientBase): Promise<DumpedMigration[]> {
  const found = await client.query("select to_regclass('migrations') is not null as present");
  if (!found.rows[0].present) return [];
  // Goes through jsonb, because databases with only the first migrations do not have the column `sha256`.
  const sql = `select version, name, to_jsonb(m) ->> 'sha256' as sha256 from migrations m order by version`;
  return (await client.query<DumpedMigration>(sql)).rows;
}

/** Yields the data in all tables. Must be called in a snapshot. Unlogged tables contain nothing worth keeping. */
export async function* dumpTables(client: pg.ClientBase, onProgress: Progress): AsyncGenerator<Buffer | string> {
  const tables = await listTables(client);
  yield 'set session_replication_role = replica;\n';
  yield `truncate ${tables.map(({ name }) => name).join(', ')};\n`;
  let bytes = 0;
  for (const { name, columns } of tables) {
    yield `copy ${name} (${columns}) from stdin;\n`;
    for await (const chunk of client.query(copyTo(`copy ${name} (${columns}) to stdout`))) {
      bytes += (chunk as Buffer).length;
      onProgress({ table: name, bytes });
      yield chunk as Buffer;
    }
    yield '\\.\n';
  }
  for (const statement of await listSequenceValues(client)) yield `${statement}\n`;
  yield `${lastLine}\n`;
}

const lastLine = 'set session_replication_role = origin;';

/** The text is not a complete dump. */
export class IncompleteDumpError extends Error {}

/**
 * Executes what `dumpTables` wrote. Constraints between tables are not checked, because the dump is consistent. If
 * this fails, close the connection, so that nothing is changed.
 */
export async function loadTables(client: pg.ClientBase, text: DumpReader, onProgress: Progress): Promise<void> {
  let bytes = 0;
  let last = '';
  await client.query(beginWithoutTimeout);
  for (let line = await text.readLine(); line !== undefined; line = await text.readLine()) {
    last = line;
    const table = /^copy (\S+) \(.*\) from stdin;$/.exec(line)?.[1];
    if (table === undefined) await client.query(line);
    else {
      const count = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          bytes += chunk.length;
          onProgress({ table, bytes });
          yield chunk;
        }
      };
      await pipeline(count(text.readSection()), client.query(copyFrom(line.replace(/;$/, ''))));
    }
  }
  if (last !== lastLine) throw new IncompleteDumpError('The end of the dump is missing.');
  await client.query('commit');
}

/** Without statistics, the first queries on the loaded tables would be slow. */
export async function updateStatistics(db: Db): Promise<void> {
  await db.query('analyze');
}

/** Reads a dump line by line, and the rows of a table in chunks of any size. */
export type DumpReader = {
  /** The next line without its line feed, or undefined at the end of the text. */
  readLine(): Promise<string | undefined>;
  /** Everything up to the line `\.`, which ends the rows of a table. */
  readSection(): AsyncGenerator<Buffer>;
};

export function readDump(source: AsyncIterable<Buffer>): DumpReader {
  const chunks = source[Symbol.asyncIterator]();
  let pending: Buffer = Buffer.alloc(0);
  const readMore = async (): Promise<boolean> => {
    const next = await chunks.next();
    if (next.done !== true) pending = pending.length > 0 ? Buffer.concat([pending, next.value]) : next.value;
    return next.done !== true;
  };
  const take = (length: number) => {
    const taken = pending.subarray(0, length);
    pending = pending.subarray(length);
    return taken;
  };
  return {
    async readLine() {
      let end = pending.indexOf('\n');
      while (end === -1 && (await readMore())) end = pending.indexOf('\n');
      if (end === -1) return pending.length > 0 ? take(pending.length).toString() : undefined;
      return take(end + 1)
        .subarray(0, -1)
        .toString();
    },
    async *readSection() {
      while (pending.length < 3 && (await readMore()));
      const isEmpty = pending.subarray(0, 3).equals(sectionEnd.subarray(1));
      for (let end = pending.indexOf(sectionEnd); !isEmpty; end = pending.indexOf(sectionEnd)) {
        if (end !== -1) {
          yield take(end + 1);
          break;
        }
        // The end may be split between two chunks.
        if (pending.length >= sectionEnd.length) yield take(pending.length - sectionEnd.length + 1);
        if (!(await readMore())) throw new IncompleteDumpError('The dump ends in the middle of a table.');
      }
      take(sectionEnd.length - 1);
    },
  };
}

const sectionEnd = Buffer.from('\n\\.\n');

async function listTables(client: pg.ClientBase): Promise<{ name: string; columns: string }[]> {
  const { rows } = await client.query<{ name: string; columns: string }>(
    `select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace = 'public'::regnamespace
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.oid order by c.relname`,
  );
  return rows;
}

/**
 * Sequences are not part of the snapshot. They are read after all tables, so their values are at least as high as any
 * value in the tables.
 */
async function listSequenceValues(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('select setval(%L, %s, %L);', c.oid::regclass,
       coalesce(pg_sequence_last_value(c.oid), s.seqstart), pg_sequence_last_value(c.oid) is not null) as statement
     from pg_class c join pg_sequence s on s.seqrelid = c.oid
     where c.relnamespace = 'public'::regnamespace order by c.relname`,
  );
  return rows.map(({ statement }) => statement);
}
