import { Failure } from '../failures/failure.ts';

/**
 * The memory that large bodies may take in this process, all together: what is over it waits in line, unread, and is
 * sent away when that takes too long. Small bodies do not count.
 */
export type BodyBudget = {
  /** Room for a body that says how long it is; 0 where it does not. Waits for its turn. */
  take(bytes: number): Promise<Room>;
  /** What the bodies at hand take, and how many had to be sent away. */
  used(): number;
  refused(): number;
};

export type Room = {
  /** The body has grown to this size; it cannot wait any more, so it is refused when there is no room. */
  grow(bytes: number): void;
  /** Safe to call twice. */
  free(): void;
};

export const smallBytes = 1024 * 1024;

type Waiting = { bytes: number; enter(): void };

export function createBodyBudget(most: number, patienceMs = 10_000): BodyBudget {
  const line: Waiting[] = [];
  let used = 0;
  let refused = 0;

  const refuse = (): never => {
    refused += 1;
    throw new Failure('service_unavailable', 'Too many large bodies are being read; send yours again in 5 s.', {
      // What is still on its way will not be read, so the connection cannot be used again.
      headers: { 'retry-after': '5', connection: 'close' },
    });
  };
  const callNext = () => {
    while (line[0] && used + line[0].bytes <= most) line.shift()?.enter();
  };
  const change = (bytes: number) => {
    used += bytes;
    if (bytes < 0) callNext();
  };
  const enter = async (bytes: number) => {
    const isIn = await new Promise<boolean>((resolve) => {
      const waiting = { bytes, enter: () => (change(bytes), clearTimeout(timer), resolve(true)) };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1);
        resolve(false);
        callNext();
      }, patienceMs);
      line.push(waiting);
      callNext();
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
          // Whoever is in line was there first.
          if (line.length > 0 || used + more > most) refuse();
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
