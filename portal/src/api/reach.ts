import { useSyncExternalStore } from 'react';

/** Whether the server answered last time. Pages keep what they have when it does not, and say so. */
let isAway = false;
const listeners = new Set<() => void>();

export function noteReach(reached: boolean): void {
  if (isAway === !reached) return;
  isAway = !reached;
  for (const tell of listeners) tell();
}

export function useIsAway(): boolean {
  return useSyncExternalStore(listen, () => isAway);
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
