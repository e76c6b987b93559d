import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findBrowser } from '../e2e/support/browser.ts';
import { startEmbeddedPostgres } from '../server/src/embedded/index.ts';
import { openDatabase } from '../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../server/src/kernel/database/migrate.ts';

/**
 * npm test [-- FILE …]: runs all tests on a PostgreSQL server started for this run, or on the one in DATABASE_URL. Each
 * file uses its own clone of a migrated template database. Nothing outside a temporary folder is changed, so an Aisle
 * server can run at the same time.
 */
const given = process.argv.slice(2);
const patterns = [
  'contract/**/*.test.ts',
  'demo/**/*.test.ts',
  'server/**/*.test.ts',
  'portal/**/*.test.ts',
  'tools/**/*.test.ts',
  'e2e/**/*.test.ts',
  'simulate/**/*.test.ts',
];
const files = given.length > 0 ? given : globSync(patterns, { exclude: ['**/node_modules/**'] }).toSorted();

// Extracts the browser once, before several files need it at the same time. The tests report a missing browser.
if (files.some((file) => file.includes('e2e/portal/'))) await findBrowser().catch(() => {});

const folder = mkdtempSync(join(tmpdir(), 'aisle-test-'));
const server = await startServer();
const template = `aisle_template_${randomBytes(6).toString('hex')}`;
let code = 1;
try {
  await onServer(`create database ${template}`);
  await migrateTemplate();
  console.log(`Running ${files.length} test files on ${server.label}.`);
  code = await runTests();
} finally {
  await onServer(`drop database if exists ${template} with (force)`).catch(() => {});
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(code);

async function startServer() {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL) return { url: DATABASE_URL, label: 'the PostgreSQL server in DATABASE_URL', stop: async () => {} };
  // Tests do not need durability. Tests that kill the database start their own server.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings });
  return { url: postgres.url, label: 'an embedded PostgreSQL server', stop: postgres.stop };
}

async function migrateTemplate(): Promise<void> {
  const url = new URL(server.url);
  url.pathname = `/${template}`;
  const db = openDatabase({
    url: url.href,
    connections: 4,
    preparedStatements: true,
    name: 'aisle test',
    onError: () => {},
  });
  await migrate(db, readMigrations(new URL('../server/migrations/', import.meta.url)));
  await db.close();
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

function runTests(): Promise<number> {
  const { DATABASE_URL: _, ...environment } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-timeout=300000', '--test-concurrency=3', ...files], {
    stdio: 'inherit',
    env: {
      ...environment,
      AISLE_TEST_SERVER: server.url,
      AISLE_TEST_TEMPLATE: template,
      // Halves the time that each file needs to load the server.
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('exit', (status) => resolve(status ?? 1)));
}
