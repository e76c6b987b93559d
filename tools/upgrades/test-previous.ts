import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../server/src/embedded/index.ts';
import { openDatabase } from '../../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../../server/src/kernel/database/migrate.ts';
import { extractCommit, previousVersion } from './archive.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';

/**
 * npm run test-previous [-- FILE …]: runs the API tests of the previous version, with its code, on a database that was
 * migrated by this version. They must pass, because both versions share the database during a rolling upgrade.
 */
const given = process.argv.slice(2);
const previous = extractCommit(previousVersion);
const folder = makeTemporaryFolder('test-previous');
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };
const postgres = await startEmbeddedPostgres({ dataDir: folder, settings });
const template = 'aisle_template';
let code = 1;
try {
  await createTemplate();
  code = await runTests();
} finally {
  await postgres.stop();
}
process.exit(code);

async function createTemplate(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${template}`).finally(() => client.end());
  const url = new URL(postgres.url);
  url.pathname = `/${template}`;
  const options = { connections: 4, preparedStatements: true, name: 'aisle test', onError: () => {} };
  const db = openDatabase({ url: url.href, ...options });
  await migrate(db, readMigrations(new URL('../../server/migrations/', import.meta.url)));
  await db.close();
}

function runTests(): Promise<number> {
  const files =
    given.length > 0 ? given : globSync('server/test/api/**/*.test.ts', { cwd: previous.folder }).toSorted();
  const child = spawn(process.execPath, ['--test', '--test-timeout=300000', '--test-concurrency=3', ...files], {
    cwd: previous.folder,
    stdio: 'inherit',
    env: { ...process.env, AISLE_TEST_SERVER: postgres.url, AISLE_TEST_TEMPLATE: template },
  });
  return new Promise((resolve) => child.on('exit', (status) => resolve(status ?? 1)));
}
