import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { beginWithoutTimeout, type Database, type Tx } from './db.ts';
import { translateError, translateErrors } from './errors.ts';
import type { ConnectedClient } from './statement.ts';
import { chooseReader, isReplicaFailure } from './replica.ts';

export async function copyInto(tx: Tx, target: string, text: Buffer): Promise<void> {
  // Waits for everything that has been sent, because COPY uses the connection itself.
  await tx.query('select');
  await pipeline(Readable.from([text]), tx.client.query(copyFrom(`copy ${target} from stdin`)));
}

/**
 * Creates a temporary table, unless the connection already has it. The table is emptied when the transaction ends. Its
 * comment shows the columns: behind a pooler, another version can have created a table with this name and other columns.
 */
export async function createTemporary(tx: Tx, name: string, columns: string): Promise<void> {
  const [table] = await tx.query<{ columns: string | null }>(
    `select obj_description(oid, 'pg_class') as columns from pg_class where oid = to_regclass('pg_temp.${name}')`,
  );
  if (table?.columns === columns) return;
  const run = (text: string) => tx.send(text, [], { prepare: false });
  if (table) run(`drop table pg_temp.${name}`);
  run(`create temporary table ${name} (${columns}) on commit delete rows`);
  run(`comment on table pg_temp.${name} is ${pg.escapeLiteral(columns)}`);
}

/**
 * Streams a query's rows as CSV, from one snapshot and on a separate connection, of the replica if there is one. COPY takes no parameters, so all
 * values in `query` must already be safe. If the consumer stops early, the connection is closed, because it would still
 * be sending rows to the next one who uses it.
 */
export async function* copyOut(db: Database, query: string): AsyncGenerator<Buffer> {
  const reader = await chooseReader(db);
  const client = (await translateErrors(() => reader.pool.connect())) as ConnectedClient;
  let failure: Error | undefined = new Error('The rows were not read to the end.');
  const silence = startSilence(client);
  try {
    await client.query(beginWithoutTimeout);
    const stream = client.query(copyTo(`copy (${query}) to stdout with (format csv)`));
    for await (const chunk of stream) {
      silence.stop();
      yield chunk as Buffer;
      silence.start();
    }
    await client.query('commit');
    failure = undefined;
  } catch (error) {
    failure = error as Error;
    // Rows that were already passed on cannot be read again here. The next attempt uses the primary.
    if (reader !== db && isReplicaFailure(error)) db.replica?.avoid();
    throw translateError(error);
  } finally {
    silence.stop();
    client.release(failure);
  }
}

/** How long the server can send nothing. The transaction of an export, on the primary, is ended after this time too. */
const maxSilentMs = 30_000;

/** Closes the connection to a server that sends nothing, for example a frozen replica. COPY has no other deadline. */
function startSilence({ connection }: ConnectedClient): { start(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => connection.stream.destroy(new Error('Query read timeout'));
  const start = () => {
    timer = setTimeout(giveUp, maxSilentMs);
  };
  start();
  return { start, stop: () => clearTimeout(timer) };
}
