import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs at most `slots` functions at a time. Those that wait are started in turns by name, so that many of one name delay
 * the others by one function at most.
 */
export function createTurns(slots: number): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  /** By name, in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  const startNext = (): boolean => {
    const [next] = waiting;
    if (!next) return false;
    const [name, [start, ...others]] = next;
    waiting.delete(name);
    if (others.length > 0) waiting.set(name, others);
    start?.();
    return true;
  };
  return async (name, work) => {
    if (running < slots) running += 1;
    else await new Promise<void>((start) => waiting.set(name, [...(waiting.get(name) ?? []), start]));
    try {
      return await work();
    } finally {
      // A finished function passes its slot on.
      if (!startNext()) running -= 1;
    }
  };
}

/**
 * Runs the functions of each name one after the other, and each in a turn of the event loop of its own. So many of one name
 * delay those of others, and everything else, by one function per turn.
 */
export function createOwnTurns(): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  /** By name: resolves when all functions that came before have ended. */
  const ends = new Map<string, Promise<void>>();
  return async (name, work) => {
    const before = ends.get(name);
    const { promise: end, resolve: pass } = Promise.withResolvers<void>();
    ends.set(name, end);
    await before;
    try {
      return await work();
    } finally {
      if (ends.get(name) === end) ends.delete(name);
      else void nextTurn().then(pass);
    }
  };
}
