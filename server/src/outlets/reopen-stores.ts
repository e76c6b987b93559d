import { type Chains, listReachable, runIfReachable } from '../kernel/background/chain-loop.ts';
import type { Database } from '../kernel/database/db.ts';
import { lockVendors } from '../identity/index.ts';
import { recordStatusEvent } from './change-status.ts';
import { listEndedClosures, reopenStore } from './queries.ts';
import { open } from './rules/status.ts';

const maxStores = 100;

/**
 * No request opens a store when the time until which it is closed has passed, so a worker records that it has opened.
 * Returns whether there may be more. `chains` is undefined if the database is not distributed.
 */
export async function announceReopened(db: Database, chains: Chains | undefined): Promise<boolean> {
  const stores = await listReachable(chains, (ids) => listEndedClosures(db, maxStores, ids));
  for (const { chain_id: chainId, vendor_id: vendorId } of stores) {
    const reopen = () =>
      db.transaction(async (tx) => {
        // As in requests. Otherwise, the event could follow that of a request that closes the store at this moment.
        await lockVendors(tx, chainId, [vendorId]);
        if (await reopenStore(tx, chainId, vendorId)) recordStatusEvent(tx, chainId, vendorId, open);
      });
    await runIfReachable(chains, chainId, reopen);
  }
  return stores.length >= maxStores;
}
