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
