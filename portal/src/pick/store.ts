import { useSyncExternalStore } from 'react';

/** A value that components and background work share. */
export type Store<Value> = {
  get(): Value;
  set(next: Value): void;
  listen(notify: () => void): () => void;
};

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      for (const notify of listeners) notify();
    },
    listen(notify) {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
  };
}

export function useStore<Value>({ get, listen }: Store<Value>): Value {
  return useSyncExternalStore(listen, get);
}
