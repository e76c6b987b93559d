import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates an empty folder that is deleted when this process ends, whether it succeeds or fails. Tests and tools create
 * all of their folders here. Those of `npm test` are also inside of one folder, because processes of tests are killed.
 */
export function makeTemporaryFolder(name: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, `aisle-${name}-`));
  // The user that PostgreSQL runs as must have access to the folder.
  chmodSync(folder, 0o755);
  folders.add(folder);
  return folder;
}

/** Leaves a folder for people to look at. */
export function keepTemporaryFolder(folder: string): void {
  folders.delete(folder);
}

/** Deletes a folder now, for example because it is large. */
export function removeTemporaryFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A program that was killed can still write to it. That must not change how this process ends.
  }
}

const folders = new Set<string>();
process.once('exit', () => folders.forEach(removeTemporaryFolder));
