import { type Chains, listReachable, runIfReachable } from '../kernel/background/chain-loop.ts';
import { type Loop, startLoop } from '../kernel/background/loop.ts';
import type { Database } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { assignPositions, listChainsWithPendingChanges } from './change-queries.ts';

const pollMs = 30_000;
const maxChains = 1000;
const batchSize = 5000;

/**
 * Assigns positions to offer changes even in chains that no client is reading, so that a client that starts reading
 * does not face a backlog. Each transaction is short, because the chain's readers wait for it.
 */
export function startAssigningOffers(db: Database, log: Log, chains: Chains | undefined): Loop {
  return startLoop({ name: 'offer positions', pollMs, log, run: () => assignBatches(db, chains) });
}

/** Assigns one batch of each chain. Returns whether there is more. */
async function assignBatches(db: Database, chains: Chains | undefined): Promise<boolean> {
  const found = await listReachable(chains, (ids) => listChainsWithPendingChanges(db, maxChains, ids));
  let isAll = found.length < maxChains;
  for (const { chain_id } of found) {
    await runIfReachable(chains, chain_id, async () => {
      const assigned = await db.transaction((tx) => assignPositions(tx, chain_id, batchSize));
      if (assigned === batchSize) isAll = false;
    });
  }
  return !isAll;
}
