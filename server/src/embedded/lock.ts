/**
 * Only one Aisle process can use a data folder at a time. The lock file contains the id of the process that holds the
 * lock, what distinguishes it from a later process with the same id, and the place where it runs. If that process is
 * gone, or another process now has its id, the lock is stale and is taken over. A frozen process keeps its lock.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inUse } from './failure.ts';
import { lockFolder } from './folder-lock.ts';
import { hasHeartbeat, ownPlace, startHeartbeat } from './heartbeat.ts';

export type Lock = {
  /** Whether the lock has not been lost yet. */
  isHeld(): boolean;
  /** Resolves if the lock file is deleted, or another process takes over the lock. */
  lost: Promise<void>;
  release(): void;
};

export async function takeLock(dataDir: string): Promise<Lock> {
  // A process that was just killed still appears to be alive for a moment.
  const deadline = Date.now() + 500;
  const place = ownPlace() ?? '';
  let unlockFolder = lockFolder(dataDir);
  while (!unlockFolder && Date.now() < deadline) {
    await sleep(50);
    unlockFolder = lockFolder(dataDir);
  }
  if (!unlockFolder) throw inUse(dataDir, describeHolder(read(lockPath(dataDir)) ?? '', place));
  try {
    return hold(await takeFile(dataDir, place, deadline), unlockFolder);
  } catch (error) {
    unlockFolder();
    throw error;
  }
}

/** Whether a process in the same place holds the lock. */
export function isLocked(dataDir: string): boolean {
  const content = read(lockPath(dataDir)) ?? '';
  return !isElsewhere(content, ownPlace() ?? '') && isHeld(content);
}

function lockPath(dataDir: string): string {
  return join(dataDir, 'aisle.lock');
}

/** Versions that wrote no place run in the same one. */
function isElsewhere(content: string, place: string): boolean {
  const theirs = content.split('\n')[2] ?? '';
  return theirs !== '' && theirs !== place;
}

type TakenFile = { file: string; mine: string };

async function takeFile(dataDir: string, place: string, deadline: number): Promise<TakenFile> {
  const file = lockPath(dataDir);
  const mine = `${process.pid}\n${startMark(process.pid) ?? ''}\n${place}\n`;
  for (;;) {
    if (createExclusively(file, mine)) return { file, mine };
    const theirs = await readWhenWritten(file);
    if (theirs === undefined) continue;
    const isTaken = isElsewhere(theirs, place) ? await hasHeartbeat(file) : isHeld(theirs);
    if (!isTaken) await discard(file, theirs);
    else if (isElsewhere(theirs, place) || Date.now() > deadline) throw inUse(dataDir, describeHolder(theirs, place));
    else await sleep(50);
  }
}

function describeHolder(content: string, place: string): string {
  if (isElsewhere(content, place)) return 'another Aisle in another container or on another host';
  return isHeld(content) ? `another Aisle (process ${holder(content)})` : 'another Aisle';
}

function hold({ file, mine }: TakenFile, unlockFolder: () => void): Lock {
  const lost = Promise.withResolvers<void>();
  const isHeld = () => read(file) === mine;
  const stopHeartbeat = startHeartbeat(file, isHeld, lost.resolve);
  return {
    isHeld,
    lost: lost.promise,
    release() {
      stopHeartbeat();
      if (isHeld()) rmSync(file, { force: true });
      unlockFolder();
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return startMark(pid) !== undefined;
}

function createExclusively(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The content of the file, empty if its creator died before writing to it, or undefined if the file is gone. */
async function readWhenWritten(file: string): Promise<string | undefined> {
  for (let tries = 0; ; tries++) {
    const content = read(file);
    if (content !== '' || tries === 5) return content;
    await sleep(50);
  }
}

function isHeld(content: string): boolean {
  const pid = holder(content);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return false;
  const [, recorded = ''] = content.split('\n');
  const now = startMark(pid) ?? '';
  return recorded === '' || now === '' || recorded === now;
}

function holder(content: string): number {
  return Number.parseInt(content, 10);
}

/**
 * Two processes can find the same stale lock, and the slower one must not remove the lock that the faster one has taken
 * since. So only the holder of the guard file removes the lock, after checking again that it is stale.
 */
async function discard(file: string, stale: string): Promise<void> {
  const guard = `${file}.takeover`;
  if (!createExclusively(guard, '')) return waitFor(guard);
  try {
    if (read(file) === stale) rmSync(file);
  } finally {
    rmSync(guard, { force: true });
  }
}

/** A guard file exists only briefly, so an old one must have been left behind by a killed process. */
async function waitFor(guard: string): Promise<void> {
  const createdAt = statSync(guard, { throwIfNoEntry: false })?.mtimeMs;
  // After the clock was set back, it can be in the future.
  if (createdAt !== undefined && Math.abs(Date.now() - createdAt) > 5000) rmSync(guard, { force: true });
  await sleep(20);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Distinguishes a process from a later one with the same id. Empty if the system does not support this, and undefined
 * if the process is dead.
 */
function startMark(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxStartMark(pid);
  if (process.platform === 'win32') return '';
  try {
    // The time zone of a laptop can change.
    const env = { ...process.env, TZ: 'UTC', LC_ALL: 'C' };
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim();
  } catch {
    return '';
  }
}

/** The boot id, and the ticks from boot to the start of the process. A zombie counts as dead. */
function linuxStartMark(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
  } catch {
    return '';
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
