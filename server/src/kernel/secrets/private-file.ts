import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a file that only its owner can read. It is complete, and on the disk, before it gets its name, so a crash never
 * leaves half a key. Fails if the file exists: a key must never be overwritten.
 */
export function createPrivateFile(file: string, text: string): void {
  if (existsSync(file)) throw new Error(`${file} already exists.`);
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, text, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
}
