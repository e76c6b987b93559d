import { useSyncExternalStore } from 'react';

/** True if the last request did not reach the server. Pages then keep their data and show a notice. */
let isOffline = false;
const listeners = new Set<() => void>();

export function recordReachability(reached: boolean): void {
  if (isOffline === !reached) return;
  isOffline = !reached;
  for (const notify of listeners) notify();
}

export function useIsOffline(): boolean {
  return useSyncExternalStore(listenToReachability, () => isOffline);
}

/** Calls back when the server can be reached again, or no longer. */
export function listenToReachability(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}
