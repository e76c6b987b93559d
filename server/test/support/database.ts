import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, openDatabase, type Tx } from '../../src/kernel/database/db.ts';
import { recordStatements } from './record-statements.ts';
import { assertEventsMatchContract } from './recorded-events.ts';

/** Set by `tools/test.ts`, which starts PostgreSQL or uses DATABASE_URL, and migrates a template database. */
export const serverUrl = required('AISLE_TEST_SERVER');
export const templateName = required('AISLE_TEST_TEMPLATE');
/** A template that also contains the demo chain. It exists only if the run includes portal tests. */
export const demoTemplateName = `${templateName}_demo`;

/** Whether the tests run on a Citus cluster. Then a statement that changes rows must name the chain. */
export const isCluster = process.env['AISLE_TEST_WORKERS'] !== undefined;

export type TestDatabase = {
  url: string;
  db: Database;
  /** Drops the database. Fails if a recorded event does not match the contract. */
  drop(): Promise<void>;
};

/**
 * Creates a separate database for one test file by cloning the migrated template. Copying its files takes an eighth of
 * the time that PostgreSQL's default strategy takes, which copies the pages through the write-ahead log.
 */
export async function cloneDatabase(template = templateName): Promise<TestDatabase> {
  const name = `aisle_test_${randomBytes(6).toString('hex')}`;
  await onServer(`create database ${name} template ${template} strategy file_copy`);
  const url = databaseUrl(name);
  const options = { connections: 10, preparedStatements: true, name: 'aisle test', onError: () => {} };
  const db = recordStatements(openDatabase({ url, ...options }));
  return {
    url,
    db,
    async drop() {
      try {
        await assertEventsMatchContract(db);
      } finally {
        await db.close();
        await onServer(`drop database if exists ${name} with (force)`);
      }
    },
  };
}

/** Creates a database without tables. Recorded events are not checked when it is dropped. */
export async function createEmptyDatabase(): Promise<Omit<TestDatabase, 'db'>> {
  const name = `aisle_test_${randomBytes(6).toString('hex')}`;
  await onServer(`create database ${name}`);
  return { url: databaseUrl(name), drop: () => onServer(`drop database if exists ${name} with (force)`) };
}

/** Makes the database reachable, or closes all of its connections and rejects new ones. */
export async function setReachable({ url }: { url: string }, isReachable: boolean): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onServer(`alter database ${name} with allow_connections ${isReachable}`);
  if (!isReachable) await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
}

/** Makes all transactions in the database read-only, or writable again. Closes all connections to apply the setting. */
export async function setReadOnly({ url }: { url: string }, isReadOnly: boolean): Promise<void> {
  await changeSetting({ url }, 'default_transaction_read_only', isReadOnly ? 'on' : 'off');
}

/** Changes a PostgreSQL setting for the database, and closes all connections, so that new ones use the setting. */
export async function changeSetting({ url }: { url: string }, setting: string, value: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onServer(`alter database ${name} set ${setting} = ${value}`);
  await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
}

/** A cluster rejects triggers on distributed tables, unless this setting allows them in the transaction. */
export async function allowTriggers(tx: Tx): Promise<void> {
  if (isCluster) await tx.query("select set_config('citus.enable_unsafe_triggers', 'on', true)");
}

export function databaseUrl(name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** The workers of a Citus cluster have a database of the same name each (see `tools/test-database.ts`). */
async function onServer(sql: string): Promise<void> {
  const { AISLE_TEST_WORKERS: workers } = process.env;
  for (const url of [serverUrl, ...(workers?.split(',') ?? [])]) await runOn(url, sql);
}

/** Retries, because cloning a template fails while another clone is in progress. */
async function runOn(url: string, sql: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(sql);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 100));
    } finally {
      await client.end();
    }
  }
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error('Start the tests with "npm test", which provides the database.');
  return value;
}
