import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, openDatabase } from '../../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../../server/src/kernel/database/migrate.ts';
import { distributeDatabase } from '../../tools/test-database.ts';

export type BenchDatabase = {
  url: string;
  db: Database;
  /** Completes what the servers would do later because of earlier changes, so that it does not slow down what follows. */
  settle(): Promise<void>;
  drop(): Promise<void>;
};

/** A new, migrated database on the first server. If there are others, it is distributed over them. */
export async function createDatabase(servers: string[]): Promise<BenchDatabase> {
  const name = `aisle_bench_${randomBytes(6).toString('hex')}`;
  const url = new URL(servers[0] ?? '');
  url.pathname = `/${name}`;
  const options = { connections: 16, preparedStatements: true, name: 'aisle bench', onError: () => {} };
  for (const server of servers) await runOn(server, `create database ${name}`);
  const db = openDatabase({ url: url.href, ...options });
  const settle = async () => {
    for (const server of servers) {
      const local = new URL(server);
      local.pathname = url.pathname;
      await runOn(local.href, 'vacuum (analyze, skip_locked)');
      await runOn(local.href, 'checkpoint');
    }
  };
  const drop = async () => {
    await db.close();
    for (const server of servers) await runOn(server, `drop database ${name} with (force)`);
  };
  try {
    await migrate(db, readMigrations(new URL('../../server/migrations/', import.meta.url)));
    if (servers.length > 1) await distributeDatabase(servers, name);
  } catch (error) {
    await drop();
    throw error;
  }
  return { url: url.href, db, settle, drop };
}

async function runOn(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
