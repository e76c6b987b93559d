import type { PublishedEvent } from '../events/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { insertDeliveries } from './delivery-queries.ts';
import { openLanes } from './lane-queries.ts';

/** Every published event that has somewhere to go becomes a delivery, in the transaction that publishes it. */
export async function planDeliveries(tx: Tx, events: PublishedEvent[]): Promise<void> {
  const planned = await insertDeliveries(tx, events);
  if (planned.length > 0) await openLanes(tx, planned);
}
