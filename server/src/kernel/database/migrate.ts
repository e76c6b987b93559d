import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Database } from './db.ts';
import { locks } from './locks.ts';

export type Migration = { version: number; name: string; sql: string };

/** The database was migrated by a newer version of the software. */
export class DatabaseTooNewError extends Error {}

export function readMigrations(folder: URL): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.toSorted().map((file) => ({
    version: Number(file.slice(0, 4)),
    name: file.slice(5, -4),
    sql: readFileSync(new URL(file, folder), 'utf8'),
  }));
}

/** Brings the database up to date: forward only, each migration in a transaction, one process at a time. */
export async function migrate(db: Database, migrations: Migration[]): Promise<Migration[]> {
  const client = await db.pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query(`select pg_advisory_lock(${locks.migration})`);
    await client.query(`create table if not exists migrations (
      version integer primary key, name text not null, applied_at timestamptz not null default now())`);
    const pending = pendingMigrations(migrations, await appliedVersions(client));
    for (const migration of pending) await apply(client, migration);
    return pending;
  } finally {
    await client.query(`select pg_advisory_unlock(${locks.migration})`).catch(() => {});
    // The connection is destroyed, because its statement timeout is off.
    client.release(true);
  }
}

/** Whether every migration of this version has been applied. Newer ones do not matter, because they only add. */
export async function isMigrated(db: Database, migrations: Migration[]): Promise<boolean> {
  const rows = await db.query<{ present: boolean }>("select to_regclass('migrations') is not null as present");
  if (!rows[0]?.present) return false;
  const applied = await db.query<{ version: number }>('select version from migrations');
  const known = new Set(applied.map((row) => row.version));
  return migrations.every((migration) => known.has(migration.version));
}

async function appliedVersions(client: pg.PoolClient): Promise<number[]> {
  const result = await client.query<{ version: number }>('select version from migrations order by version');
  return result.rows.map((row) => row.version);
}

function pendingMigrations(known: Migration[], applied: number[]): Migration[] {
  const newest = known.at(-1)?.version ?? 0;
  const unknown = applied.find((version) => version > newest);
  if (unknown !== undefined) {
    throw new DatabaseTooNewError(
      `The database is at migration ${unknown}, but this version of Aisle supports only ${newest}; start a newer version.`,
    );
  }
  return known.filter((migration) => !applied.includes(migration.version));
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into migrations (version, name) values ($1, $2)', [migration.version, migration.name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    const reason = (error as Error).message;
    throw new Error(`Migration ${migration.version} (${migration.name}) failed: ${reason}`, { cause: error });
  }
}
