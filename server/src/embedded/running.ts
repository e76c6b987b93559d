/** Finds the embedded server that another process has started in a data folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { urlOf } from './address.ts';
import { clusterPath, passwordPath } from './data-folder.ts';
import { isLocked } from './lock.ts';

/**
 * Returns the URL of the database, or undefined if no server is running. The server may stop at any time. Only a process
 * with the lock runs one: the id in a file that a crashed server left behind can be that of another process.
 */
export function findRunningPostgres(dataDir: string): string | undefined {
  if (!isLocked(dataDir)) return undefined;
  const lines = readLines(join(clusterPath(dataDir), 'postmaster.pid'));
  // PostgreSQL documents these lines in miscadmin.h: process id, data folder, start time, port, socket folder, address,
  // shared memory and status.
  const [pid, , , port, socketFolder, address, , status] = lines;
  if (!pid || !isAlive(Number(pid)) || status !== 'ready') return undefined;
  const [password = ''] = readLines(passwordPath(dataDir));
  const host = address || 'localhost';
  return urlOf(password, `${host}:${port}`, 'aisle', socketFolder ? { host: socketFolder } : {});
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim());
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** While Aisle starts, the file can still be the one that a crashed server left behind. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
