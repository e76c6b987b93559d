import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startEmbeddedPostgres } from '../server/src/embedded/index.ts';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../server/src/kernel/database/migrate.ts';
import { makeChain } from '../server/test/support/chain.ts';
import { copyCluster } from './support/copy-cluster.ts';
import { fillDataFolder } from './support/data-folder.ts';
import { makeFolder } from './support/folder.ts';
import { waitFor } from './support/wait.ts';

/**
 * Follows "Your own PostgreSQL" in the operator guide, but with the PostgreSQL that is installed with Aisle, which
 * does not include pg_basebackup, so the test calls the functions that pg_basebackup uses and copies the files itself.
 */
const { folder, remove } = makeFolder();
after(remove);
const archive = join(folder, 'wal');
mkdirSync(archive);
chmodSync(archive, 0o777);

test('a base backup and the archived WAL restore the database to the moment before a mistake', async () => {
  const archiving = { archive_mode: 'on', archive_command: `cp "%p" "${archive}/%f"` };
  const original = await start('original', archiving);
  const kept = await makeChain(original);
  await copyCluster(original.url, join(folder, 'original/postgres'), join(folder, 'restored/postgres'));
  const later = await makeChain(original);
  const [moment] = await original.db.query<{ at: string }>('select clock_timestamp()::text as at');
  await original.db.query('delete from vendors');
  await archiveAll(original.db);
  await original.stop();

  writeFileSync(join(folder, 'restored/postgres/recovery.signal'), '');
  const recovered = await start('restored', {
    restore_command: `cp "${archive}/%f" "%p"`,
    recovery_target_time: moment?.at ?? '',
    recovery_target_action: 'promote',
  });
  await waitFor(30, 'the end of the recovery', async () => {
    const [row] = await recovered.db.query<{ busy: boolean }>('select pg_is_in_recovery() as busy');
    return row?.busy === false || undefined;
  });
  const vendors = await recovered.db.query<{ vendor_id: string }>('select vendor_id from vendors');
  assert.deepEqual(
    vendors.map((row) => row.vendor_id).toSorted(),
    [...kept.vendors, ...later.vendors].toSorted(),
    'everything that was committed before the mistake is there',
  );
  await makeChain(recovered);
  await recovered.stop();
});

async function start(name: string, settings: Record<string, string>) {
  if (name === 'original') fillDataFolder(join(folder, name));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, name), settings });
  const options = { connections: 4, preparedStatements: true, name: 'test', onError: () => {} };
  const db = openDatabase({ url: postgres.url, ...options });
  if (name === 'original') await migrate(db, readMigrations(new URL('../server/migrations/', import.meta.url)));
  return { db, url: postgres.url, stop: () => db.close().then(postgres.stop) };
}

async function archiveAll(db: Database): Promise<void> {
  const [row] = await db.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
  await waitFor(30, 'the WAL archive', async () => {
    const [last] = await db.query<{ file: string | null }>('select last_archived_wal as file from pg_stat_archiver');
    return (last?.file ?? '') >= (row?.file ?? '') || undefined;
  });
}
