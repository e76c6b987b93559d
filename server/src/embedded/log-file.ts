/** PostgreSQL's log file. */
import { appendFileSync, closeSync, fchownSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function logPath(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}

/** Starts a new file if the current one is large. One previous file is kept. */
export function rotateLog(dataDir: string): void {
  const path = logPath(dataDir);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 10 * 1024 * 1024) renameSync(path, `${path}.old`);
}

/**
 * This process opens the file and the server inherits it, because the server may not have write access to the folder.
 */
export function openLog(dataDir: string): { file: number; close(): void; written(): string } {
  const file = openSync(logPath(dataDir), 'a+', 0o600);
  keepFolderOwner(file, dataDir);
  const start = fstatSync(file).size;
  return { file, close: () => closeSync(file), written: () => readFrom(file, start) };
}

export function appendToLog(dataDir: string, text: string): void {
  appendFileSync(logPath(dataDir), text, { mode: 0o600 });
}

/** Gives a log file created by root to the folder's owner, who must be able to write to it later. */
function keepFolderOwner(file: number, dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  fchownSync(file, uid, gid);
}

function readFrom(file: number, start: number): string {
  const buffer = Buffer.alloc(Math.min(fstatSync(file).size - start, 64 * 1024));
  const from = fstatSync(file).size - buffer.length;
  return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, from));
}
