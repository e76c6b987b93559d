import { Failure } from '../failures/failure.ts';

/**
 * Limits the total memory for large bodies in this process. A body that does not fit waits in a queue, unread, and is
 * rejected after a timeout. A chain can use half of the memory, so that it cannot keep out the bodies of all other
 * chains, and the chain that uses the least memory goes first.
 *
 * Small bodies do not wait for those of other chains: each chain has an allowance for them, and only what exceeds it
 * counts like a large body. Tiny bodies are not counted at all. They arrive so soon that the rate limits keep their
 * number low.
 */
export type BodyBudget = {
  /** Reserves memory for a body of this length (0 if unknown). Waits in the queue if there is not enough memory. */
  reserve(chainId: string, bytes: number): Promise<Reservation>;
  /** Counts memory that is in use already, even if there is not enough. Returns a function that releases it, once. */
  hold(chainId: string, bytes: number): () => void;
  /** Whether the chain has no memory left, neither in its allowance nor in the budget. */
  isExhausted(chainId: string): boolean;
  /** The memory in use, in bytes, with that of small bodies. */
  used(): number;
  /** How many bodies have been rejected so far. */
  rejected(): number;
};

export type Reservation = {
  /** Grows the reservation to this size. A body being read cannot wait, so it is rejected if memory is short. */
  grow(bytes: number): void;
  /** The reserved memory, in bytes. */
  size(): number;
  /** Whether another chain's body waits for memory. */
  isAwaited(): boolean;
  /** Can be called more than once. */
  release(): void;
};

const smallBodyBytes = 1024 * 1024;
export const tinyBodyBytes = 64 * 1024;
/** The memory that each chain can use for small bodies, besides its share of the budget. */
const allowanceBytes = 16 * smallBodyBytes;

type Waiting = { chainId: string; bytes: number; enter(): void };

export function createBodyBudget(max: number, maxWaitMs = 10_000): BodyBudget {
  const queue: Waiting[] = [];
  const usage = createUsage(max, max / 2);
  const allowances = createUsage(Number.POSITIVE_INFINITY, allowanceBytes);
  let rejected = 0;

  const reject = (): never => {
    rejected += 1;
    throw tooManyBodies();
  };
  const remove = (waiting: Waiting) => void queue.splice(queue.indexOf(waiting), 1);
  const findNext = () => findNextBody(queue, usage);
  const admitNext = () => {
    // If the next body does not fit, smaller ones wait too. Otherwise they could keep it waiting forever.
    for (let next = findNext(); next && usage.fits(next.bytes); next = findNext()) {
      remove(next);
      next.enter();
    }
  };
  const change = (chainId: string, bytes: number) => {
    usage.add(chainId, bytes);
    if (bytes < 0) admitNext();
  };
  const enter = async (chainId: string, bytes: number) => {
    const isAdmitted = await new Promise<boolean>((resolve) => {
      const onEnter = () => (change(chainId, bytes), clearTimeout(timer), resolve(true));
      const waiting = { chainId, bytes, enter: onEnter };
      const timer = setTimeout(() => {
        remove(waiting);
        resolve(false);
        admitNext();
      }, maxWaitMs);
      queue.push(waiting);
      admitNext();
    });
    if (!isAdmitted) reject();
  };

  return {
    used: () => usage.total() + allowances.total(),
    rejected: () => rejected,
    hold(chainId, bytes) {
      let allowed = Math.min(bytes, Math.max(0, allowanceBytes - allowances.of(chainId)));
      let counted = bytes - allowed;
      allowances.add(chainId, allowed);
      change(chainId, counted);
      return () => {
        allowances.add(chainId, -allowed);
        change(chainId, -counted);
        [allowed, counted] = [0, 0];
      };
    },
    isExhausted: (chainId) =>
      !allowances.isWithinShare(chainId, 1) && !(usage.fits(1) && usage.isWithinShare(chainId, 1)),
    async reserve(chainId, bytes) {
      /** The bytes that count toward the chain's allowance, and toward the budget. */
      let [allowed, counted] = [0, 0];
      const isAllowed = (more: number) => {
        if (allowed + counted + more > smallBodyBytes || !allowances.isWithinShare(chainId, more)) return false;
        allowances.add(chainId, more);
        allowed += more;
        return true;
      };
      if (bytes > tinyBodyBytes && !isAllowed(bytes)) {
        await enter(chainId, bytes);
        counted = bytes;
      }
      return {
        grow(size) {
          if (size <= Math.max(allowed + counted, tinyBodyBytes)) return;
          const step = size <= smallBodyBytes ? tinyBodyBytes : smallBodyBytes;
          const more = Math.ceil(size / step) * step - allowed - counted;
          if (isAllowed(more)) return;
          // Bodies already in the queue go first, unless they wait for their own chain's memory.
          if (findNext() || !usage.fits(more) || !usage.isWithinShare(chainId, more)) reject();
          change(chainId, more);
          counted += more;
        },
        size: () => allowed + counted,
        isAwaited: () => counted > 0 && findNext() !== undefined,
        release() {
          allowances.add(chainId, -allowed);
          change(chainId, -counted);
          [allowed, counted] = [0, 0];
        },
      };
    },
  };
}

function tooManyBodies(): Failure {
  return new Failure('service_unavailable', 'Too many large bodies are being read; try again in 5 s.', {
    // The rest of the body is not read, so the connection cannot be reused.
    headers: { 'retry-after': '5', connection: 'close' },
  });
}

/** A chain's bodies are admitted in the order they arrived. A chain that has used up its share is skipped. */
function findNextBody(queue: Waiting[], usage: Usage): Waiting | undefined {
  const first = [...Map.groupBy(queue, ({ chainId }) => chainId).values()].flatMap((own) => own.slice(0, 1));
  const allowed = first.filter(({ chainId, bytes }) => usage.isWithinShare(chainId, bytes));
  return allowed.toSorted((a, b) => usage.of(a.chainId) - usage.of(b.chainId))[0];
}

type Usage = ReturnType<typeof createUsage>;

/** The memory in use, in total and by chain. */
function createUsage(max: number, maxPerChain: number) {
  const byChain = new Map<string, number>();
  let total = 0;
  const of = (chainId: string) => byChain.get(chainId) ?? 0;
  return {
    of,
    total: () => total,
    fits: (bytes: number) => total + bytes <= max,
    isWithinShare: (chainId: string, bytes: number) => of(chainId) + bytes <= maxPerChain,
    add(chainId: string, bytes: number) {
      total += bytes;
      byChain.set(chainId, of(chainId) + bytes);
      if (of(chainId) === 0) byChain.delete(chainId);
    },
  };
}
