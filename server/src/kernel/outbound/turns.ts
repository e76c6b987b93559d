/**
 * Runs a piece of work that takes milliseconds, now or in a later turn of the event loop. An owner can open hundreds of
 * connections at the same time, and their endpoints can respond at the same time. In one turn, that would block the
 * process for a second. Owners take turns, too.
 */
export type InTurn = (owner: string, work: () => void) => void;

/** How long work can take in a turn. What is started before that is completed. */
const maxTurnMs = 2;

export function createTurns(now = () => performance.now()): InTurn {
  const waiting = new Map<string, (() => void)[]>();
  let spentMs = 0;
  let isScheduled = false;
  const run = (work: () => void) => {
    const before = now();
    work();
    spentMs += now() - before;
  };
  const takeNext = (): (() => void) | undefined => {
    const [owner, queue] = waiting.entries().next().value ?? [];
    if (owner === undefined) return undefined;
    const work = queue?.shift();
    waiting.delete(owner);
    if (queue && queue.length > 0) waiting.set(owner, queue);
    return work;
  };
  const startTurn = () => {
    isScheduled = false;
    spentMs = 0;
    while (spentMs < maxTurnMs) {
      const work = takeNext();
      if (!work) return;
      schedule();
      run(work);
    }
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(startTurn);
  };
  return (owner, work) => {
    schedule();
    if (waiting.size === 0 && spentMs < maxTurnMs) return run(work);
    const queue = waiting.get(owner);
    if (queue) queue.push(work);
    else waiting.set(owner, [work]);
  };
}
