import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a file that only its owner can read. It is complete, and on the disk, before it gets its name, so a crash never
 * leaves half a key. Fails if the file exists, also if another process creates it at the same time: a key must never be
 * overwritten.
 */
export function createPrivateFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.new`;
  try {
    writeFileSync(unfinished, text, { mode: 0o600, flush: true });
    linkSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
