/**
 * A process in another container or on another host cannot be looked up by its id. So the holder of a lock file changes
 * the file's time every second, and a lock from elsewhere is held as long as this time changes. A holder that was frozen
 * for too long, or whose file was deleted, notices that it has lost the lock.
 */
import { readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const beatMs = 1000;
const watchMs = 6 * beatMs;

/** Identifies where process ids are unique: the boot and the container. Undefined if the system does not tell. */
export function ownPlace(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** Changes the time of the file every second, until it is no longer `isMine`. Returns a function that stops this. */
export function startHeartbeat(file: string, isMine: () => boolean, onLost: () => void): () => void {
  const beat = () => {
    try {
      const now = new Date();
      if (isMine()) return utimesSync(file, now, now);
    } catch {
      // The folder cannot be read or written to at the moment.
      return;
    }
    clearInterval(timer);
    onLost();
  };
  const timer = setInterval(beat, beatMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Watches the file for some seconds, however old its time is: the clocks of two hosts can differ. */
export async function hasHeartbeat(file: string): Promise<boolean> {
  const first = timeOf(file);
  if (first === undefined) return false;
  for (const end = Date.now() + watchMs; Date.now() < end; await sleep(100)) {
    const time = timeOf(file);
    if (time !== first) return time !== undefined;
  }
  return false;
}

function timeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
