/**
 * A process in another container or on another host cannot be looked up by its id. So the holder of a lock file changes
 * the file's time every second, and a lock from elsewhere is held as long as this time changes.
 */
import { readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const beatMs = 1000;
const watchMs = 6 * beatMs;
/** Allows for the difference between the clocks of two hosts. */
const oldMs = 60_000;

/** Identifies where process ids are unique: the boot and the container. Undefined if the system does not tell. */
export function ownPlace(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** Changes the time of the file every second, as long as `isMine`. Returns a function that stops this. */
export function startHeartbeat(file: string, isMine: () => boolean): () => void {
  const beat = () => {
    try {
      const now = new Date();
      if (isMine()) utimesSync(file, now, now);
    } catch {
      // The folder was moved, or cannot be written to at the moment.
    }
  };
  const timer = setInterval(beat, beatMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Watches the file for some seconds, unless its time is old. Returns false if the file is removed. */
export async function hasHeartbeat(file: string): Promise<boolean> {
  const first = timeOf(file);
  if (first === undefined || first < Date.now() - oldMs) return false;
  for (const end = Date.now() + watchMs; Date.now() < end; await sleep(100)) {
    const time = timeOf(file);
    if (time !== first) return time !== undefined;
  }
  return false;
}

function timeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
