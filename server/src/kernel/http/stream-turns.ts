import { createOwnTurns } from '../values/turns.ts';

/**
 * Lets the streams of a chain take turns. Producing the next part of a download or a large list takes a millisecond or two
 * of the process's only thread, so many streams of one chain would delay the requests of all others. With this, a chain
 * produces one part in each turn of the event loop, however many streams it has.
 */
export type StreamTurns = <Part>(owner: string, parts: AsyncIterable<Part>) => AsyncGenerator<Part>;

export function createStreamTurns(): StreamTurns {
  const takeTurn = createOwnTurns();
  return async function* inTurns(owner, parts) {
    const iterator = parts[Symbol.asyncIterator]();
    let isEnded = false;
    try {
      for (;;) {
        const { done, value } = await takeTurn(owner, () => iterator.next());
        isEnded = done === true;
        if (isEnded) return;
        yield value;
      }
    } finally {
      if (!isEnded) await iterator.return?.();
    }
  };
}
