import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the requests of a session can run before other work of the process gets its turn. */
const turnMs = 1;

/**
 * Returns a function to call before each request of a session. Requests that need no I/O would otherwise run one after
 * the other without a pause, however many a client sends, and nothing else in the process would run.
 */
export function createTurns(): () => Promise<void> {
  let start = 0;
  return async () => {
    if (performance.now() - start < turnMs) return;
    await nextTurn();
    start = performance.now();
  };
}
