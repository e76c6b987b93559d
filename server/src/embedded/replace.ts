/** Replaces the data in a data folder with data that is prepared next to it. */
import { lchownSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { clusterPath, createDataFolder, hasCluster } from './data-folder.ts';
import { describeError, EmbeddedPostgresError, lostLock } from './failure.ts';
import { takeLock } from './lock.ts';

export type Replacement = {
  dataDir: string;
  /** Whether existing data is deleted. If not, the folder must be empty. */
  overwrite: boolean;
  /** Files besides PostgreSQL's own that belong to the data. */
  files: string[];
};

/**
 * Calls `fill` with an empty folder, which is then moved into place. If `fill` fails, the existing data is unchanged.
 * The new folder is inside the data folder, so that both are on the same disk.
 */
export async function replaceData(replacement: Replacement, fill: (folder: string) => Promise<void>): Promise<void> {
  const dataDir = resolve(replacement.dataDir);
  try {
    createDataFolder(dataDir);
    const lock = await takeLock(dataDir);
    try {
      if (!replacement.overwrite) rejectExisting(dataDir);
      await prepareAndMove(dataDir, replacement.files, async (folder) => {
        await fill(folder);
        if (!lock.isHeld()) throw new EmbeddedPostgresError(lostLock(dataDir));
      });
    } finally {
      lock.release();
    }
  } catch (error) {
    throw describeError(error, dataDir);
  }
}

const unfinishedPrefix = 'restore.unfinished-';
const oldPrefix = 'old-';

function rejectExisting(dataDir: string): void {
  const isHarmless = (name: string) => /^(aisle\.lock|postgres\.log(\.old)?)$/.test(name);
  const found = readdirSync(dataDir).filter((name) => !isHarmless(name) && !name.startsWith(unfinishedPrefix));
  if (found.length === 0) return;
  throw new EmbeddedPostgresError(
    `The data folder ${dataDir} is not empty; add --overwrite to delete the data in it, or set AISLE_DATA_DIR to another folder.`,
  );
}

async function prepareAndMove(dataDir: string, files: string[], fill: (folder: string) => Promise<void>) {
  const folder = join(dataDir, `${unfinishedPrefix}${randomBytes(4).toString('hex')}`);
  mkdirSync(folder);
  keepOwner(dataDir, folder);
  try {
    await fill(folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  move(dataDir, folder, files);
  removeUnfinished(dataDir);
}

/** Removes what earlier restores have left that were killed. They contain a copy of the data each. */
function removeUnfinished(dataDir: string): void {
  const names = readdirSync(dataDir).filter((name) => name.startsWith(unfinishedPrefix));
  for (const name of names) rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
}

/** If root restores a backup for another user, that user must be able to use the data. */
function keepOwner(dataDir: string, folder: string): void {
  const { uid, gid } = statSync(dataDir);
  if (process.getuid?.() === 0) lchownSync(folder, uid, gid);
}

/**
 * Old data is moved away before it is deleted, so that there is never a mixture of old and new data. The cluster is moved
 * away first and into place last, so the folder has none if this is interrupted. If something cannot be moved, such as a
 * file that is mounted, everything is moved back, and the new data is deleted.
 */
function move(dataDir: string, folder: string, files: string[]): void {
  const names = [basename(clusterPath(dataDir)), ...files];
  const old = mkdtempSync(join(folder, oldPrefix));
  const moved: { from: string; to: string }[] = [];
  const moveAll = (own: string[], from: string, to: string) => {
    for (const name of own.filter((one) => statSync(join(from, one), { throwIfNoEntry: false }) !== undefined)) {
      renameSync(join(from, name), join(to, name));
      moved.push({ from: join(from, name), to: join(to, name) });
    }
  };
  try {
    moveAll(names, dataDir, old);
    moveAll(names.toReversed(), folder, dataDir);
  } catch (error) {
    for (const { from, to } of moved.toReversed()) renameSync(to, from);
    rmSync(folder, { recursive: true, force: true });
    throw cannotMove(dataDir, error);
  }
}

function cannotMove(dataDir: string, error: unknown): EmbeddedPostgresError {
  const { message } = error as Error;
  return new EmbeddedPostgresError(`The data in ${dataDir} cannot be replaced, and is unchanged: ${message}.`);
}

/** A new database must not be created in place of data that a restore was moving when it was killed. */
export function rejectInterrupted(dataDir: string): void {
  if (hasCluster(dataDir)) return;
  const unfinished = readdirSync(dataDir).filter((name) => name.startsWith(unfinishedPrefix));
  const moved = unfinished.find((name) => readdirSync(join(dataDir, name)).some((part) => part.startsWith(oldPrefix)));
  if (moved === undefined) return;
  throw new EmbeddedPostgresError(
    `A restore was interrupted while it replaced the data in ${dataDir}; run it again with --overwrite. The data before it is in ${join(dataDir, moved)}.`,
  );
}
