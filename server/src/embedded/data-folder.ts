/** The data folder contains PostgreSQL's own files, in `postgres/`, and its log file. */
import { existsSync, lchownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { EmbeddedPostgresError, notWritableError, programFailed } from './failure.ts';
import { type Launcher, launch, type User } from './launcher.ts';
import { appendToLog, logPath } from './log-file.ts';

export function clusterPath(dataDir: string): string {
  return join(dataDir, 'postgres');
}

export function passwordPath(dataDir: string): string {
  return join(clusterPath(dataDir), passwordFile);
}

export function createDataFolder(dataDir: string): void {
  // PostgreSQL truncates paths at 1024 bytes, so some bytes must be left for the names of its own files.
  if (Buffer.byteLength(dataDir) > 900) throw notWritableError(dataDir, 'its path is too long');
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    // Node reports ENOENT for a folder that it could not create on a read-only disk.
    throw error instanceof Error && 'code' in error && error.code === 'ENOENT'
      ? notWritableError(dataDir, 'the folder cannot be created')
      : error;
  }
}

/** Creates the cluster if there is none, and returns the password of its superuser, `aisle`. */
export async function prepareCluster(dataDir: string, launcher: Launcher, isDurable: boolean): Promise<string> {
  removeUnfinished(dataDir);
  if (!hasCluster(dataDir)) await initialize(dataDir, launcher, isDurable);
  checkVersion(dataDir, launcher.version);
  const cluster = clusterPath(dataDir);
  if (process.getuid?.() === 0 && launcher.owner) changeOwner(cluster, launcher.owner);
  if (existsSync(passwordPath(dataDir))) return readFileSync(passwordPath(dataDir), 'utf8').trim();
  throw new EmbeddedPostgresError(`The database password file ${passwordPath(dataDir)} is missing; restore it.`);
}

export function hasCluster(dataDir: string): boolean {
  const cluster = clusterPath(dataDir);
  const stat = statSync(cluster, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  rejectOtherOwner(dataDir, stat.uid);
  if (existsSync(join(cluster, 'PG_VERSION'))) return true;
  if (stat.isDirectory() && readdirSync(cluster).length === 0) return false;
  throw new EmbeddedPostgresError(
    `${cluster} exists but does not contain PostgreSQL data; remove it, or set AISLE_DATA_DIR to another folder.`,
  );
}

const passwordFile = 'aisle.password';
const unfinishedPrefix = 'postgres.unfinished-';

/**
 * Builds the cluster in a temporary folder and moves it into place, so that a killed process leaves no partial cluster.
 */
async function initialize(dataDir: string, launcher: Launcher, isDurable: boolean): Promise<void> {
  const workFolder = mkdtempSync(join(dataDir, unfinishedPrefix));
  const password = join(workFolder, 'password');
  const cluster = join(workFolder, 'cluster');
  writeFileSync(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
  if (process.getuid?.() === 0 && launcher.owner) changeOwner(workFolder, launcher.owner);
  try {
    await runInitdb(dataDir, launcher, cluster, password, isDurable);
    renameSync(password, join(cluster, passwordFile));
    if (existsSync(clusterPath(dataDir))) rmdirSync(clusterPath(dataDir));
    renameSync(cluster, clusterPath(dataDir));
  } finally {
    removeUnfinished(dataDir);
  }
}

async function runInitdb(
  dataDir: string,
  launcher: Launcher,
  cluster: string,
  password: string,
  isDurable: boolean,
): Promise<void> {
  let output = '';
  for (const ctype of ctypes) {
    const args = ['-D', cluster, `--pwfile=${password}`, `--lc-ctype=${ctype}`, ...initdbOptions];
    const result = await runToEnd(launcher, launcher.binaries.initdb, isDurable ? args : [...args, '--no-sync']);
    output = result.output;
    appendToLog(dataDir, output);
    if (result.succeeded) return;
    if (!output.includes('invalid locale name')) break;
  }
  throw programFailed('PostgreSQL could not create a new database', output, dataDir, logPath(dataDir));
}

const initdbOptions = [
  '--username=aisle',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--auth=scram-sha-256',
  // Until WAL files are reused, the commit that needs a new one creates it: 30 ms for one of the usual 16 MB.
  '--wal-segsize=4',
];

/**
 * Values for LC_CTYPE. The first one that the system supports is used. pg_trgm uses LC_CTYPE, not the locale provider,
 * to recognize letters. With C, it finds no trigrams in Arabic text, so searches for Arabic words return nothing.
 */
const ctypes = ['C.UTF-8', 'en_US.UTF-8', 'en-US'];

function runToEnd(
  launcher: Launcher,
  program: string,
  args: string[],
): Promise<{ succeeded: boolean; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const child = launch(launcher, program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (error) => resolve({ succeeded: false, output: `${output}\n${error.message}` }));
    child.on('close', (code) => resolve({ succeeded: code === 0, output }));
  });
}

/**
 * If Aisle was killed, the initdb it started may still be writing to the folder. A folder that cannot be removed is
 * left for the next start.
 */
function removeUnfinished(dataDir: string): void {
  for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith(unfinishedPrefix))) {
    try {
      rmSync(join(dataDir, name), { recursive: true, force: true });
    } catch {
      // The next start tries again.
    }
  }
}

function checkVersion(dataDir: string, version: string): void {
  const written = Number.parseInt(readFileSync(join(clusterPath(dataDir), 'PG_VERSION'), 'utf8'), 10);
  const ours = Number.parseInt(version, 10);
  if (written === ours) return;
  if (Number.isNaN(written)) {
    throw new EmbeddedPostgresError(
      `The file PG_VERSION in ${clusterPath(dataDir)} is damaged; restore a backup, or set AISLE_DATA_DIR to another folder.`,
    );
  }
  const found = `The data in ${dataDir} was written by PostgreSQL ${written}, but this version of Aisle includes PostgreSQL ${ours}`;
  throw new EmbeddedPostgresError(
    written > ours
      ? `${found}: start the newer version of Aisle that wrote it, or set AISLE_DATA_DIR to another folder.`
      : `${found}: make a backup with the older version of Aisle that wrote it, and restore it with this one.`,
  );
}

function rejectOtherOwner(dataDir: string, uid: number): void {
  const self = process.getuid?.();
  if (self === undefined || self === 0 || self === uid) return;
  throw notWritableError(dataDir, `its data belongs to another user (uid ${uid})`);
}

/** Changes the folder itself last, so that after an interruption the next start finds the old owner and tries again. */
function changeOwner(path: string, owner: User): void {
  const stat = statSync(path);
  if (stat.uid === owner.uid) return;
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
  lchownSync(path, owner.uid, owner.gid);
}
