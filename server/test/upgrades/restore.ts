import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { loadTables, readDump } from '../../src/kernel/database/dump.ts';
import type { World } from './world.ts';

/** What an older version contained, recorded by `tools/upgrades/dump.ts`. */
export type Recorded = { commit: string; dumped_at: string; world: World; responses: Record<string, unknown> };

export function readRecorded(name: string): Recorded {
  return JSON.parse(readCompressed(`${name}.json.gz`).toString());
}

/** Creates the older version's tables and loads its data, as if it had been dumped just now. */
export async function restoreDump(url: string, name: string): Promise<void> {
  const [schema = '', data] = readCompressed(`${name}.sql.gz`).toString().split('\n-- data\n');
  assert.ok(data !== undefined, `${name}.sql.gz contains data`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(schema);
    await loadTables(client, readDump(asChunks(Buffer.from(data))), () => {});
    await moveToNow(client, new Date(readRecorded(name).dumped_at));
  } finally {
    await client.end();
  }
}

/**
 * Moves all times to the present. Otherwise, housekeeping would delete old events, closed stores would reopen, and so
 * on. The shift is a multiple of 15 minutes, because the tallies count intervals of that length.
 */
async function moveToNow(client: pg.Client, dumpedAt: Date): Promise<void> {
  const minutes = Math.floor((Date.now() - dumpedAt.getTime()) / 900_000) * 15;
  const { rows } = await client.query<{ table: string; changes: string }>(
    `select table_name as table, string_agg(format('%1$I = %1$I + interval ''%2$s min''', column_name, $1::int), ', ') as changes
     from information_schema.columns c
     where table_schema = 'public' and data_type = 'timestamp with time zone'
     group by table_name`,
    [minutes],
  );
  await client.query('set session_replication_role = replica');
  for (const { table, changes } of rows) await client.query(`update ${table} set ${changes}`);
}

async function* asChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function readCompressed(file: string): Buffer {
  return gunzipSync(readFileSync(new URL(file, import.meta.url)));
}
