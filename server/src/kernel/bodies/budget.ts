import { Failure } from '../failures/failure.ts';

/**
 * The memory that all large bodies together may use in this process. A body over the limit waits in a queue, unread, and
 * is refused if that takes too long. Small bodies do not count.
 */
export type BodyBudget = {
  /** Room for a body of this length, 0 if it is not known. Waits for its turn. */
  take(bytes: number): Promise<Room>;
  /** Memory in use, and how many bodies were refused. */
  used(): number;
  refused(): number;
};

export type Room = {
  /** The body has grown to this size. It can no longer wait, so it is refused if there is no room. */
  grow(bytes: number): void;
  /** Safe to call twice. */
  free(): void;
};

export const smallBytes = 1024 * 1024;

type Waiting = { bytes: number; enter(): void };

export function createBodyBudget(max: number, maxWaitMs = 10_000): BodyBudget {
  const queue: Waiting[] = [];
  let used = 0;
  let refused = 0;

  const refuse = (): never => {
    refused += 1;
    throw new Failure('service_unavailable', 'Too many large bodies are being read; try again in 5 s.', {
      // The rest of the body will not be read, so the connection cannot be used again.
      headers: { 'retry-after': '5', connection: 'close' },
    });
  };
  const admitNext = () => {
    while (queue[0] && used + queue[0].bytes <= max) queue.shift()?.enter();
  };
  const change = (bytes: number) => {
    used += bytes;
    if (bytes < 0) admitNext();
  };
  const enter = async (bytes: number) => {
    const isIn = await new Promise<boolean>((resolve) => {
      const waiting = { bytes, enter: () => (change(bytes), clearTimeout(timer), resolve(true)) };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        resolve(false);
        admitNext();
      }, maxWaitMs);
      queue.push(waiting);
      admitNext();
    });
    if (!isIn) refuse();
  };

  return {
    used: () => used,
    refused: () => refused,
    async take(bytes) {
      let held = bytes > smallBytes ? bytes : 0;
      if (held > 0) await enter(held);
      return {
        grow(size) {
          if (size <= Math.max(held, smallBytes)) return;
          const more = Math.ceil(size / smallBytes) * smallBytes - held;
          // Bodies in the queue were there first.
          if (queue.length > 0 || used + more > max) refuse();
          change(more);
          held += more;
        },
        free() {
          change(-held);
          held = 0;
        },
      };
    },
  };
}
