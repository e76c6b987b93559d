import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database, Db } from './db.ts';
import { isConflict, isLocked } from './errors.ts';
import { locks } from './locks.ts';
import { OperatorError } from '../failures/operator-error.ts';
import { splitStatements } from './split-statements.ts';

export type Migration = { version: number; name: string; sql: string };

/** What a distributed database does in the transaction of each migration, before and after its statements. */
export type Steps = Record<'before' | 'after', (connection: Pick<Db, 'query'>) => Promise<void>>;

/** This version of Aisle does not match the database. The message says what to do. */
export class MigrationError extends OperatorError {}

export function readMigrations(folder: URL): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.toSorted().map((file) => ({
    version: Number(file.slice(0, 4)),
    name: file.slice(5, -4),
    sql: readFileSync(new URL(file, folder), 'utf8'),
  }));
}

/**
 * Migrates the database, forward only. Each migration runs in a transaction, and only one process migrates at a time. A
 * migration that was changed after it was applied is rejected, because databases with the same version would differ.
 */
export async function migrate(db: Database, migrations: Migration[], steps?: Steps): Promise<Migration[]> {
  const client = await db.pool.connect();
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    await client.query(`select pg_advisory_lock(${locks.migration})`);
    await client.query(`create table if not exists migrations (
      version integer primary key, name text not null, applied_at timestamptz not null default now())`);
    await client.query('alter table migrations add column if not exists sha256 text');
    const pending = pendingMigrations(migrations, await listApplied(client));
    await recordMissingHashes(client, migrations);
    for (const group of groupPending(pending)) await apply(client, group, steps);
    return pending;
  } finally {
    await client.query(`select pg_advisory_unlock(${locks.migration})`).catch(() => {});
    // The connection is destroyed, because its statement timeout is off.
    client.release(true);
  }
}

/**
 * Whether every migration in this version has been applied. Newer migrations do not matter, because they only add to
 * the schema.
 */
export async function isMigrated(db: Database, migrations: Migration[]): Promise<boolean> {
  const rows = await db.query<{ present: boolean }>("select to_regclass('migrations') is not null as present");
  if (!rows[0]?.present) return false;
  const applied = await db.query<{ version: number }>('select version from migrations');
  const known = new Set(applied.map((row) => row.version));
  return migrations.every((migration) => known.has(migration.version));
}

/** Ignores line endings, which can differ in a checkout on Windows. */
export function hashMigration({ sql }: Migration): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}

type Applied = { version: number; sha256: string | null };

async function listApplied(client: pg.PoolClient): Promise<Applied[]> {
  const result = await client.query<Applied>('select version, sha256 from migrations order by version');
  return result.rows;
}

function pendingMigrations(known: Migration[], applied: Applied[]): Migration[] {
  const newest = known.at(-1)?.version ?? 0;
  const unknown = applied.find(({ version }) => version > newest);
  if (unknown !== undefined) {
    throw new MigrationError(
      `The database is at migration ${unknown.version}, but this version of Aisle supports only ${newest}; start a newer version.`,
    );
  }
  const hashes = new Map(applied.map(({ version, sha256 }) => [version, sha256]));
  const changed = known.find(
    (migration) => (hashes.get(migration.version) ?? hashMigration(migration)) !== hashMigration(migration),
  );
  if (changed) {
    throw new MigrationError(
      `Migration ${changed.version} (${changed.name}) differs from the one applied to this database; restore the original file, or start the version that applied it.`,
    );
  }
  return known.filter(({ version }) => !hashes.has(version));
}

/**
 * The migrations that are applied in the same transaction. Between 43 and 44, a table has a column more than before and
 * after them, with which requests of the previous version fail.
 */
function groupPending(pending: Migration[]): Migration[][] {
  return pending.reduce<Migration[][]>((groups, migration) => {
    const last = groups.at(-1);
    if (migration.version === 44 && last?.at(-1)?.version === 43) last.push(migration);
    else groups.push([migration]);
    return groups;
  }, []);
}

/** Databases that were migrated by older versions have no hashes. */
async function recordMissingHashes(client: pg.PoolClient, migrations: Migration[]): Promise<void> {
  await client.query(
    `update migrations m set sha256 = known.sha256
     from unnest($1::int[], $2::text[]) as known (version, sha256)
     where m.version = known.version and m.sha256 is null`,
    [migrations.map(({ version }) => version), migrations.map(hashMigration)],
  );
}

/**
 * Requests of the previous version can deadlock with a migration, and all requests for a table wait behind a migration
 * that waits for it. So a migration gives up after a short wait, before PostgreSQL would look for deadlocks and let a
 * request fail, and is repeated. If a table is always in use, it waits after all.
 */
async function apply(client: pg.PoolClient, group: Migration[], steps?: Steps): Promise<void> {
  const started = performance.now();
  for (let conflicts = 0; ; ) {
    const isPatient = performance.now() - started > maxImpatientMs;
    try {
      await client.query(`set lock_timeout = ${isPatient ? 0 : lockTimeoutMs}`);
      return await applyOnce(client, group, steps);
    } catch (error) {
      if (isConflict(error)) conflicts += 1;
      if (conflicts < maxConflicts && (isConflict(error) || isLocked(error))) {
        await sleep(lockTimeoutMs * Math.random());
        continue;
      }
      const names = group.map(({ version, name }) => `${version} (${name})`).join(' and ');
      throw new Error(`Migration ${names} failed: ${(error as Error).message}`, { cause: error });
    }
  }
}

const maxConflicts = 10;
/** Less than PostgreSQL's default for `deadlock_timeout`, one second. */
const lockTimeoutMs = 400;
const maxImpatientMs = 30_000;

async function applyOnce(client: pg.PoolClient, group: Migration[], steps?: Steps): Promise<void> {
  const connection: Pick<Db, 'query'> = {
    query: async <Row>(text: string, values?: readonly unknown[]) =>
      (await client.query(text, values as unknown[])).rows as Row[],
  };
  await client.query('begin');
  try {
    await steps?.before(connection);
    for (const { sql } of group) for (const statement of splitStatements(sql)) await client.query(statement);
    await steps?.after(connection);
    for (const migration of group) {
      const row = [migration.version, migration.name, hashMigration(migration)];
      await client.query('insert into migrations (version, name, sha256) values ($1, $2, $3)', row);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
