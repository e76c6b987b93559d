import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Lets the streams of a chain take turns. Producing the next part of a download or a large list takes a millisecond or two
 * of the process's only thread, so many streams of one chain would delay the requests of all others. With this, a chain
 * produces one part in each turn of the event loop, however many streams it has.
 */
export type StreamTurns = <Part>(owner: string, parts: AsyncIterable<Part>) => AsyncGenerator<Part>;

export function createStreamTurns(): StreamTurns {
  /** By chain: resolves when no stream that has come before is producing a part. */
  const ends = new Map<string, Promise<void>>();
  const take = async <Result>(owner: string, work: () => Promise<Result>): Promise<Result> => {
    const before = ends.get(owner);
    const { promise: end, resolve: pass } = Promise.withResolvers<void>();
    ends.set(owner, end);
    await before;
    try {
      return await work();
    } finally {
      if (ends.get(owner) === end) ends.delete(owner);
      else void nextTurn().then(pass);
    }
  };
  return async function* inTurns(owner, parts) {
    const iterator = parts[Symbol.asyncIterator]();
    let isEnded = false;
    try {
      for (;;) {
        const { done, value } = await take(owner, () => iterator.next());
        isEnded = done === true;
        if (isEnded) return;
        yield value;
      }
    } finally {
      if (!isEnded) await iterator.return?.();
    }
  };
}
