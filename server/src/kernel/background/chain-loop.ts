import type { Database } from '../database/db.ts';
import type { Scope } from '../database/scope.ts';
import { isUnavailable } from '../database/errors.ts';
import { type LoopOptions, startLoop } from './loop.ts';

/** Polls for work in all chains. */
export type ChainLoop = {
  /** Works on these chains, or looks for chains with work if none are given. */
  wake(chainIds?: readonly string[]): void;
  /** Whether it has looked for work successfully in the last seconds. */
  isAlive(): boolean;
  /** Prevents further rounds and waits for the running ones. */
  stop(): Promise<void>;
};

/** The chains of a distributed database. */
export type Chains = {
  list(): Promise<string[]>;
  /** Whether the node with the chain's rows cannot be reached. */
  isAway(chainId: string): boolean;
  /**
   * Calls `list` for all chains at once (null). If a node cannot be reached, calls it for the chains of each other node.
   */
  collect<Row>(list: (chainIds: readonly string[] | null) => Promise<Row[]>): Promise<Row[]>;
};

/** Finds the database for statements that use only rows of a chain, row locks and constraints (see `nodes.ts`). */
export type ChainDatabases = { databaseOf(chainId: string): Database };

/** The same for a scope. `chains` is undefined if the database is not distributed. */
export function databaseOf(chains: ChainDatabases | undefined, db: Database, scope: Scope): Database {
  return chains && scope !== null ? chains.databaseOf(scope).withoutTimeout : db;
}

/** Lists rows of all chains, or of those that can be reached. `chains` is undefined if the database is not distributed. */
export function listReachable<Row>(
  chains: Chains | undefined,
  list: (chainIds: readonly string[] | null) => Promise<Row[]>,
): Promise<Row[]> {
  return chains ? chains.collect(list) : list(null);
}

/** Runs `work` if the chain can be reached. If not, the chain waits until the next time. */
export async function runIfReachable(
  chains: Chains | undefined,
  chainId: string,
  work: () => Promise<unknown>,
): Promise<void> {
  if (chains?.isAway(chainId)) return;
  await work().catch((error: unknown) => {
    if (!chains || !isUnavailable(error)) throw error;
  });
}

export type ChainLoopOptions = Omit<LoopOptions, 'run'> & {
  /** Undefined if the database is not distributed. Then all chains are worked on together. */
  chains: Chains | undefined;
  /** Lists chains that have work, among these or (null) all chains. Called only if the database is distributed. */
  listDue(chainIds: readonly string[] | null): Promise<string[]>;
  /** Runs one round. Returns true if there may be more work. */
  run(scope: Scope): Promise<boolean>;
  /**
   * How long a chain of a distributed database rests after a round that left no work, as a multiple of the time that the
   * round took. So under load, each round finds more work, and rounds do not take the processor from everything else.
   */
  restFactor?: number;
};

const maxParallel = 8;
const maxRestMs = 250;
/** Chains are woken when they have work. This finds what a lost notification has missed, and retries that are due. */
const pollMs = 1000;

/**
 * Runs rounds of work. If the database is distributed, each chain has its own rounds, several chains at a time, and
 * chains whose node cannot be reached are skipped.
 */
export function startChainLoop({ chains, listDue, run, restFactor = 0, ...options }: ChainLoopOptions): ChainLoop {
  if (!chains) return startLoop({ ...options, run: () => run(null) });
  const rounds = startRounds({ ...options, isAway: chains.isAway, run, restFactor });
  const finder = startLoop({
    ...options,
    pollMs: Math.max(pollMs, options.pollMs),
    async run() {
      rounds.add(await chains.collect(listDue));
      return false;
    },
  });
  return {
    wake: (chainIds) => (chainIds === undefined || chainIds.length === 0 ? finder.wake() : rounds.add(chainIds)),
    isAlive: finder.isAlive,
    async stop() {
      await finder.stop();
      await rounds.stop();
    },
  };
}

type RoundOptions = Pick<ChainLoopOptions, 'name' | 'log' | 'gapMs' | 'run'> &
  Pick<Chains, 'isAway'> & { restFactor: number };

function startRounds({ name, log, gapMs = 0, run, isAway, restFactor }: RoundOptions) {
  /** Chains that wait for their turn, first come, first served. */
  const waiting = new Set<string>();
  const running = new Map<string, Promise<void>>();
  /** Chains whose next round is not due yet. They do not keep others from running. */
  const resting = new Set<string>();
  let isStopping = false;
  const add = (chainIds: readonly string[]) => {
    for (const chainId of chainIds) waiting.add(chainId);
    startWaiting();
  };
  const startWaiting = () => {
    for (const chainId of waiting) {
      if (isStopping || running.size >= maxParallel) return;
      if (running.has(chainId) || resting.has(chainId)) continue;
      waiting.delete(chainId);
      if (!isAway(chainId)) running.set(chainId, round(chainId));
    }
  };
  /** Statements of a cluster are expensive, so the gap begins when a round ends. */
  const round = async (chainId: string) => {
    const started = performance.now();
    const again = await run(chainId).catch((error: Error) => {
      const cause = error.cause instanceof Error ? error.cause : error;
      log.warn({ event: `${name}.failed`, chain_id: chainId, error: String(cause) });
      return false;
    });
    if (again) waiting.add(chainId);
    running.delete(chainId);
    const shareMs = again ? 0 : Math.min(maxRestMs, restFactor * (performance.now() - started));
    const restMs = Math.max(gapMs, shareMs);
    if (restMs > 0) rest(chainId, restMs);
    startWaiting();
  };
  const rest = (chainId: string, restMs: number) => {
    resting.add(chainId);
    setTimeout(() => {
      resting.delete(chainId);
      startWaiting();
    }, restMs).unref();
  };
  return {
    add,
    async stop() {
      isStopping = true;
      await Promise.all(running.values());
    },
  };
}
