import type { Database } from '../kernel/database/db.ts';
import { recordStatusEvent } from './change-status.ts';
import { listEndedClosures, reopenStore } from './queries.ts';
import { open } from './rules/status.ts';

const maxStores = 100;

/**
 * No request opens a store when the time until which it is closed has passed, so a worker records that it has opened.
 * Returns whether there may be more.
 */
export async function announceReopened(db: Database): Promise<boolean> {
  const stores = await listEndedClosures(db, maxStores);
  for (const { chain_id: chainId, vendor_id: vendorId } of stores) {
    await db.transaction(async (tx) => {
      if (await reopenStore(tx, chainId, vendorId)) recordStatusEvent(tx, chainId, vendorId, open);
    });
  }
  return stores.length === maxStores;
}
