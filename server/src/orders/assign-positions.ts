import { type Chains, listReachable, runIfReachable } from '../kernel/background/chain-loop.ts';
import { type Loop, startLoop } from '../kernel/background/loop.ts';
import type { Database } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { assignPositions, hasPendingChanges, listChainsWithPendingChanges } from './change-queries.ts';

const pollMs = 10_000;
const maxAssigned = 2000;
const maxChains = 500;
const maxSeconds = 5;

/** Assigns positions to committed changes in the chain. Returns whether there may be more. */
export async function assignPending(db: Database, chainId: string): Promise<boolean> {
  if (!(await hasPendingChanges(db, chainId))) return false;
  return (await db.transaction((tx) => assignPositions(tx, chainId, maxAssigned))) === maxAssigned;
}

/**
 * The same for all chains. There is one transaction per chain, so that no chain waits long for the lock of all chains,
 * and so that on a sharded database, too, positions become visible before higher ones are assigned. In the background,
 * chains that cannot be reached are skipped; `chains` is undefined otherwise, or if the database is not distributed.
 */
export async function assignPendingOfAll(db: Database, chains?: Chains): Promise<boolean> {
  const deadline = performance.now() + maxSeconds * 1000;
  const found = await listReachable(chains, (ids) => listChainsWithPendingChanges(db, maxChains, ids));
  let left = maxAssigned;
  for (const { chain_id } of found) {
    if (left <= 0 || performance.now() > deadline) return true;
    await runIfReachable(chains, chain_id, async () => {
      left -= await db.transaction((tx) => assignPositions(tx, chain_id, left));
    });
  }
  return left <= 0 || found.length >= maxChains;
}

/**
 * Also assigns positions in chains that no client is reading, so that a chain's first reader does not face a backlog.
 */
export function startAssigningOrders(db: Database, log: Log, chains: Chains | undefined): Loop {
  return startLoop({ name: 'order positions', pollMs, log, run: () => assignPendingOfAll(db, chains) });
}
