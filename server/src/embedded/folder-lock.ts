/**
 * On Linux, the kernel also keeps a lock on the data folder for as long as the process exists, even if it is frozen, and
 * in all containers of the machine.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/**
 * Returns a function that releases the lock, or undefined if another process has it. Without the program `flock`, or on a
 * file system without such locks, nothing is locked.
 */
export function lockFolder(folder: string): (() => void) | undefined {
  if (process.platform !== 'linux') return () => {};
  const opened = openSync(folder, 'r');
  // The lock belongs to the opened folder, which this process shares with the program, so it outlives the program.
  const stdio = ['ignore', 'ignore', 'pipe', opened] as const;
  const { status, stderr } = spawnSync('flock', ['-n', '3'], { stdio: [...stdio], encoding: 'utf8', timeout: 10_000 });
  if (status !== 1 || stderr !== '') return () => closeSync(opened);
  closeSync(opened);
  return undefined;
}
