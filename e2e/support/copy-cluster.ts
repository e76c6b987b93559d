import { cpSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import pg from 'pg';

/**
 * Copies the files of a running server as `pg_basebackup` does, which is not installed with Aisle. Replaying the WAL
 * repairs files that change during the copy.
 */
export async function copyCluster(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("select pg_backup_start('test', true)");
  const isSkipped = (path: string) =>
    /^(pg_wal\/.|pg_replslot\/.|postmaster\.|standby\.signal|.*pgsql_tmp|.*pg_internal\.init)/.test(path);
  cpSync(from, to, { recursive: true, filter: (path) => !isSkipped(relative(from, path)) });
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  await client.end();
}
