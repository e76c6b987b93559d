import type { Database } from '../kernel/database/db.ts';
import { assignPositions, hasPendingChanges, listChainsWithPendingChanges } from './change-queries.ts';

const maxAssigned = 2000;
const maxChains = 500;

/** Assigns positions to committed changes in the chain. Returns whether there may be more. */
export async function assignPending(db: Database, chainId: string): Promise<boolean> {
  if (!(await hasPendingChanges(db, chainId))) return false;
  return (await db.transaction((tx) => assignPositions(tx, chainId, maxAssigned))) === maxAssigned;
}

/**
 * The same for all chains. There is one transaction per chain, so that on a sharded database, too, positions become
 * visible before higher ones are assigned.
 */
export async function assignPendingOfAll(db: Database): Promise<boolean> {
  const chains = await listChainsWithPendingChanges(db, maxChains);
  let left = maxAssigned;
  for (const { chain_id } of chains) {
    if (left > 0) left -= await db.transaction((tx) => assignPositions(tx, chain_id, left));
  }
  return left <= 0 || chains.length === maxChains;
}
