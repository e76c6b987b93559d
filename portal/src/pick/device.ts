import { pickPrefix as prefix } from '../api/sign-out.ts';

/**
 * What the app keeps on the device, so that a reload, a crash or a lost connection loses nothing. Local storage is used
 * because it writes at once: a mark is stored before the tap has ended.
 */
export function readDevice(key: string): unknown {
  try {
    const text = localStorage.getItem(prefix + key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns false if the device has no space left. */
export function writeDevice(key: string, value: unknown): boolean {
  if (hasStopped) return true;
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/**
 * Until the page is loaded again, nothing more is written. Otherwise a response that arrives during a sign-out would
 * store orders that the sign-out has just removed.
 */
export function stopWriting(): void {
  hasStopped = true;
}

let hasStopped = false;

export function removeDevice(key: string): void {
  localStorage.removeItem(prefix + key);
}

export function listDeviceKeys(start: string): string[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix + start))
    .map((key) => key.slice(prefix.length));
}

/** Calls back when another tab on this device changes a key that begins with `start`. */
export function onDeviceChange(start: string, notify: (key: string) => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key?.startsWith(prefix + start)) notify(key.slice(prefix.length));
  });
}
