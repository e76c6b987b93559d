import { randomBytes } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { distribute } from '../server/src/cluster/index.ts';
import { startEmbeddedPostgres } from '../server/src/embedded/index.ts';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../server/src/kernel/database/migrate.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';

/** A PostgreSQL server with a migrated template database, which each test file clones. */
export type TestServer = {
  label: string;
  url: string;
  /** A temporary folder, deleted when the server stops. */
  folder: string;
  /** The environment variables that tests need to find the server and to share a compile cache. */
  environment: Record<string, string | undefined>;
  stop(): Promise<void>;
};

/**
 * Starts PostgreSQL in a temporary folder, or uses the server in DATABASE_URL. If that is the coordinator of a Citus
 * cluster, AISLE_TEST_WORKERS has the URLs of its workers, separated by commas. The portal tests need a second template,
 * which also contains the demo chain. Tests that start their own PostgreSQL copy a prepared data folder.
 */
export async function startTestServer({ hasDemo = false, hasData = false } = {}): Promise<TestServer> {
  const folder = makeTemporaryFolder('test', chooseParent());
  const data = hasData ? await prepareData(join(folder, 'data')) : undefined;
  const server = await startServer(folder);
  const workers = process.env['AISLE_TEST_WORKERS']?.split(',') ?? [];
  const servers = [server.url, ...workers];
  const template = `aisle_template_${randomBytes(6).toString('hex')}`;
  const demoTemplate = `${template}_demo`;
  const stop = async () => {
    for (const name of [template, demoTemplate]) {
      for (const url of servers) await runOn(url, `drop database if exists ${name} with (force)`).catch(() => {});
    }
    await server.stop();
    removeTemporaryFolder(folder);
  };
  try {
    for (const url of servers) await runOn(url, `create database ${template}`);
    await withDatabase(server.url, template, (db) => migrate(db, readMigrations(migrations)));
    if (workers.length > 0) await distributeTemplate(servers, template);
    if (hasDemo) {
      for (const url of servers) await runOn(url, `create database ${demoTemplate} template ${template}`);
      await withDatabase(server.url, demoTemplate, (db) => fillDemo(db, folder));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const { DATABASE_URL: _, ...environment } = process.env;
  return {
    label: server.label,
    url: server.url,
    folder,
    environment: {
      ...environment,
      AISLE_TEST_SERVER: server.url,
      AISLE_TEST_TEMPLATE: template,
      ...(data && { AISLE_TEST_DATA: data }),
      // Halves the time that each file takes to load the server.
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
    },
    stop,
  };
}

/**
 * The folder is in memory if there is plenty of it. A test file creates and deletes a database of 750 files, and ext4
 * spends most of that time looking for inodes that were not deleted within the last minute.
 */
function chooseParent(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory) || process.availableMemory() < 2 * maxFolderBytes) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize < 2 * maxFolderBytes ? tmpdir() : memory;
}

/** More than the folder ever needs. Most of it is the write-ahead log, up to `max_wal_size`. */
const maxFolderBytes = 4 * 1024 ** 3;

/** Tests do not need durability. Tests that kill the database start their own server. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  update_process_title: 'off',
  max_connections: '300',
  // By default, PostgreSQL plans a statement again each of the first five times, and tests rarely execute one more often.
  plan_cache_mode: 'force_generic_plan',
};

async function startServer(folder: string) {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL) return { url: DATABASE_URL, label: 'the PostgreSQL server in DATABASE_URL', stop: async () => {} };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings });
  return { url: postgres.url, label: 'an embedded PostgreSQL server', stop: postgres.stop };
}

/** Creates a data folder with a migrated database, without a running server. */
async function prepareData(dataDir: string): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  await withDatabase(postgres.url, 'aisle', (db) => migrate(db, readMigrations(migrations)));
  await postgres.stop();
  return dataDir;
}

const migrations = new URL('../server/migrations/', import.meta.url);

/** Distributes a migrated database of the first server over the others. Each server has a database of this name. */
export async function distributeDatabase(servers: string[], name: string): Promise<void> {
  for (const url of servers) await withDatabase(url, name, (db) => db.query('create extension citus'));
  const [coordinator = '', ...workers] = servers;
  await withDatabase(coordinator, name, async (db) => {
    const addressOf = (url: string) => [new URL(url).hostname, Number(new URL(url).port)];
    await db.query('select citus_set_coordinator_host($1, $2)', addressOf(coordinator));
    for (const url of workers) await db.query('select citus_add_node($1, $2)', addressOf(url));
    await distribute(db, { withData: false });
  });
}

/** A test clones the database on every server. */
async function distributeTemplate(servers: string[], name: string): Promise<void> {
  await distributeDatabase(servers, name);
  // A database with connections cannot be cloned, and Citus keeps one for maintenance.
  for (const url of servers) {
    await runOn(url, `alter database ${name} with allow_connections false`);
    await runOn(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  }
}

async function withDatabase(server: string, name: string, work: (db: Database) => Promise<unknown>): Promise<void> {
  const url = new URL(server);
  url.pathname = `/${name}`;
  const db = openDatabase({
    url: url.href,
    connections: 4,
    preparedStatements: true,
    name: 'aisle test',
    onError: () => {},
  });
  await work(db).finally(() => db.close());
}

/** The servers that are started on clones of this database create their own credentials for the demo chain. */
async function fillDemo(db: Database, folder: string): Promise<void> {
  // Loads most of the server, which other runs do not need.
  const { seedDemo } = await import('../server/src/demo/index.ts');
  const { readConfig } = await import('../server/src/config.ts');
  const config = readConfig({ AISLE_DATA_DIR: folder, AISLE_PASSWORD_COST: '10' });
  await seedDemo(db, config, () => {}, undefined);
}

async function runOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
