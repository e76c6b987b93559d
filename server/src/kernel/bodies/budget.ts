import { Failure } from '../failures/failure.ts';

/**
 * Limits the total memory for large bodies in this process. A body that does not fit waits in a queue, unread, and is
 * rejected after a timeout. Small bodies do not count.
 */
export type BodyBudget = {
  /** Reserves memory for a body of this length (0 if unknown). Waits in the queue if there is not enough memory. */
  reserve(bytes: number): Promise<Reservation>;
  /** The memory in use, in bytes. */
  used(): number;
  /** How many bodies have been rejected so far. */
  rejected(): number;
};

export type Reservation = {
  /** Grows the reservation to this size. A body being read cannot wait, so it is rejected if memory is short. */
  grow(bytes: number): void;
  /** Can be called more than once. */
  release(): void;
};

/** Only larger bodies count toward the budget. */
export const smallBodyBytes = 1024 * 1024;

type Waiting = { bytes: number; enter(): void };

export function createBodyBudget(max: number, maxWaitMs = 10_000): BodyBudget {
  const queue: Waiting[] = [];
  let used = 0;
  let rejected = 0;

  const reject = (): never => {
    rejected += 1;
    throw new Failure('service_unavailable', 'Too many large bodies are being read; try again in 5 s.', {
      // The rest of the body is not read, so the connection cannot be reused.
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
    const isAdmitted = await new Promise<boolean>((resolve) => {
      const waiting = { bytes, enter: () => (change(bytes), clearTimeout(timer), resolve(true)) };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        resolve(false);
        admitNext();
      }, maxWaitMs);
      queue.push(waiting);
      admitNext();
    });
    if (!isAdmitted) reject();
  };

  return {
    used: () => used,
    rejected: () => rejected,
    async reserve(bytes) {
      let held = bytes > smallBodyBytes ? bytes : 0;
      if (held > 0) await enter(held);
      return {
        grow(size) {
          if (size <= Math.max(held, smallBodyBytes)) return;
          const more = Math.ceil(size / smallBodyBytes) * smallBodyBytes - held;
          // Bodies already in the queue go first.
          if (queue.length > 0 || used + more > max) reject();
          change(more);
          held += more;
        },
        release() {
          change(-held);
          held = 0;
        },
      };
    },
  };
}
