import type { PublishedEvent } from '../events/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { Scope } from '../kernel/database/scope.ts';
import { insertDeliveries } from './queries.ts';
import { openLanes } from './lane-queries.ts';

/** Creates a delivery for every published event that has a webhook, in the transaction that publishes the event. */
export async function planDeliveries(tx: Tx, scope: Scope, events: PublishedEvent[]): Promise<void> {
  const planned = (await insertDeliveries(tx, scope, events)).filter(({ status }) => status === 'PENDING');
  if (planned.length > 0) await openLanes(tx, planned);
}
