/**
 * A backup of the embedded database is one gzip file of SQL: a comment that describes the backup, and the data in all
 * tables (see kernel/database/dump.ts). It contains no schema, so it can be restored on another platform, by a newer
 * version of Aisle and by a newer version of PostgreSQL.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pipeline as decompress, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { restartProductWalks } from './catalog/index.ts';
import { skipPositions } from './events/index.ts';
import type { Database } from './kernel/database/db.ts';
import {
  type DumpedMigration,
  type DumpReader,
  dumpTables,
  IncompleteDumpError,
  inSnapshot,
  listMigrations,
  loadTables,
  type Progress,
  readDump,
  updateStatistics,
} from './kernel/database/dump.ts';
import { hashMigration, type Migration, migrate } from './kernel/database/migrate.ts';
import { repeatOpenOrders } from './orders/index.ts';
import { restartPromotionWalks } from './promotions/index.ts';
import { hostKeyFile } from './sftp/index.ts';
import { version } from './version.ts';
import { OperatorError } from './kernel/failures/operator-error.ts';

/** The backup cannot be made or restored. The message says why. */
export class BackupError extends OperatorError {}

type Print = (sentence: string) => void;
type Backup = { dataDir: string; file: string; print: Print; signal: AbortSignal };

/**
 * The files in the data folder that belong to the database: the encryption key, the SFTP server's host key and the
 * demo's logins.
 */
export const backedUpFiles = ['secret.key', hostKeyFile, 'demo.json'];

/** Writes everything that was committed before the call. The server can keep running. */
export async function backUp(databaseUrl: string, { dataDir, file, print, signal }: Backup): Promise<void> {
  const target = resolve(file);
  checkTarget(target);
  // Another backup to the same file must not write into this one.
  const unfinished = `${target}.unfinished-${randomBytes(4).toString('hex')}`;
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'aisle backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    await inSnapshot(client, async () => {
      const text = Readable.from(writeText(client, dataDir, reporter('Backing up', print)));
      const output = createWriteStream(unfinished, { mode: 0o600, flush: true });
      await pipeline(text, createGzip(), output, { signal });
    });
    checkTarget(target);
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw describeFileError(error, target);
  } finally {
    await client.end();
  }
  const keyNote = existsSync(join(dataDir, 'secret.key')) ? ' It contains the encryption key, so keep it safe.' : '';
  print(`The backup is in ${target} (${mebibytes(statSync(target).size)} MB).${keyNote}`);
}

/** A backup file, opened for restoring. */
export type OpenBackup = { path: string; about: About; text: DumpReader };

type About = {
  aisle: string;
  created_at: string;
  migrations: DumpedMigration[];
  files: Record<string, string>;
};

/** Reads the description. Fails if this version of Aisle cannot restore the backup. */
export async function openBackup(file: string, migrations: Migration[]): Promise<OpenBackup> {
  const path = resolve(file);
  try {
    const text = readDump(decompress(createReadStream(path), createGunzip(), () => {}));
    const line = (await text.readLine()) ?? '';
    if (!line.startsWith(prefix)) throw new BackupError(`${path} is not an Aisle backup.`);
    const about = JSON.parse(line.slice(prefix.length)) as About;
    if (!Array.isArray(about.migrations) || !about.files) throw new SyntaxError('The description is incomplete.');
    checkMigrations(about, migrations);
    return { path, about, text };
  } catch (error) {
    throw describeFileError(error, path);
  }
}

/** Loads the backup into an empty database, and migrates the database to this version. */
export async function loadBackup(
  db: Database,
  { path, about, text }: OpenBackup,
  migrations: Migration[],
  print: Print,
): Promise<void> {
  const versions = new Set(about.migrations.map((one) => one.version));
  await migrate(
    db,
    migrations.filter((migration) => versions.has(migration.version)),
  );
  await loadInto(db, path, text, reporter('Restoring', print));
  await migrate(db, migrations);
  await catchUpReaders(db);
  await updateStatistics(db);
}

/** Clients that have read further than the backup must neither miss what changes now, nor keep what was undone. */
async function catchUpReaders(db: Database): Promise<void> {
  await Promise.all([skipPositions(db), restartProductWalks(db), restartPromotionWalks(db), repeatOpenOrders(db)]);
}

/** Writes the files that were backed up with the database into the data folder. */
export function writeBackedUpFiles({ about }: OpenBackup, folder: string): void {
  for (const name of backedUpFiles) {
    const content = about.files[name];
    if (content !== undefined) writeFileSync(join(folder, name), content, { mode: 0o600, flush: true });
  }
}

/** Does not use `db.transaction`, which retries after a lost connection, because the text can be read only once. */
async function loadInto(db: Database, path: string, text: DumpReader, onProgress: Progress): Promise<void> {
  const client = await db.pool.connect();
  try {
    await loadTables(client, text, onProgress);
  } catch (error) {
    throw describeFileError(error, path);
  } finally {
    client.release(true);
  }
}

const prefix = '-- Aisle backup ';

function checkTarget(target: string): void {
  if (existsSync(target)) throw new BackupError(`${target} already exists; choose another name for the backup.`);
  if (!existsSync(dirname(target))) throw new BackupError(`The folder ${dirname(target)} does not exist.`);
}

async function* writeText(client: pg.Client, dataDir: string, onProgress: Progress): AsyncGenerator<Buffer | string> {
  const migrations = await listMigrations(client);
  if (migrations.length === 0) throw new BackupError(`The database in ${dataDir} is empty.`);
  const found = backedUpFiles.filter((name) => existsSync(join(dataDir, name)));
  const files = Object.fromEntries(found.map((name) => [name, readFileSync(join(dataDir, name), 'utf8')]));
  const about: About = { aisle: version, created_at: new Date().toISOString(), migrations, files };
  yield `${prefix}${JSON.stringify(about)}\n`;
  yield* dumpTables(client, onProgress);
}

/** The migrations create the tables, so all migrations in the backup must be known and unchanged. */
function checkMigrations({ aisle, migrations }: About, known: Migration[]): void {
  const hashes = new Map(known.map((migration) => [migration.version, hashMigration(migration)]));
  const unknown = migrations.find((one) => !hashes.has(one.version));
  if (unknown) {
    throw new BackupError(
      `The backup was made by a newer version of Aisle (${aisle}, migration ${unknown.version}); restore it with that version.`,
    );
  }
  const changed = migrations.find((one) => one.sha256 !== null && one.sha256 !== hashes.get(one.version));
  if (!changed) return;
  throw new BackupError(
    `Migration ${changed.version} (${changed.name}) differs from the one in the backup; restore it with Aisle ${aisle}.`,
  );
}

/** Prints the progress every two seconds. */
function reporter(activity: string, print: Print): Progress {
  let last = performance.now();
  return ({ table, bytes }) => {
    if (performance.now() - last < 2000) return;
    last = performance.now();
    print(`${activity} ${table}: ${mebibytes(bytes)} MB so far.`);
  };
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

function describeFileError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof IncompleteDumpError || code === 'Z_BUF_ERROR') {
    return new BackupError(`The backup ${path} is incomplete; use another one.`);
  }
  if (code.startsWith('Z_') || error instanceof SyntaxError) {
    return new BackupError(`${path} is damaged or is not an Aisle backup.`);
  }
  const reason = fileErrors[code];
  return reason === undefined ? error : new BackupError(`${path}: ${reason}.`);
}

const fileErrors: Record<string, string | undefined> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'permission was denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};
