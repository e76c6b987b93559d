import { createHash } from 'node:crypto';
import type { Published } from '../events/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { Scope } from '../kernel/database/scope.ts';
import { newId } from '../kernel/values/ids.ts';
import { hasChainWebhook, listPlatformWebhooks } from '../webhooks/index.ts';
import { insertPlatformDeliveries } from './platform-queries.ts';
import { insertDeliveries, insertDeliveriesOf } from './queries.ts';
import { openLanes, openLanesFor } from './lane-queries.ts';

/**
 * Creates a delivery for every published event that has a webhook, in the transaction that publishes the event. All lanes
 * are opened in one statement, which locks them in a fixed order.
 */
export async function planDeliveries(tx: Tx, scope: Scope, { partner, platform }: Published): Promise<void> {
  const ofPlatform = await planForPlatform(tx, platform);
  // On a distributed database, the question whether the chain has a webhook is much cheaper than the INSERT.
  const hasTarget = partner.length > 0 && (scope === null || (await hasChainWebhook(tx, scope)));
  if (hasTarget && scope !== null && ofPlatform.length === 0) {
    const ids = partner.map(({ event_id }) => event_id);
    insertDeliveriesOf(tx, scope, ids);
    openLanesFor(tx, scope, ids);
    return;
  }
  const inserted = hasTarget ? await insertDeliveries(tx, scope, partner) : [];
  const lanes = [...inserted.filter(({ status }) => status === 'PENDING'), ...ofPlatform];
  if (lanes.length > 0) await openLanes(tx, lanes);
}

/** One delivery for each webhook of the platform that receives the type of the event. */
async function planForPlatform(tx: Tx, events: Published['platform']) {
  const webhooks = events.length > 0 ? await listPlatformWebhooks(tx) : [];
  const planned = webhooks.flatMap(({ webhook_id: endpoint_id, event_types }) => {
    const received = new Set<string>(event_types);
    return events
      .filter(({ type }) => received.has(type))
      .map((event) => ({ ...event, delivery_id: newId(), endpoint_id, lane_id: laneOf(endpoint_id, event) }));
  });
  if (planned.length > 0) await insertPlatformDeliveries(tx, planned);
  return planned;
}

/** Events about the same subject are sent in sequence, to each webhook by itself. */
function laneOf(webhookId: string, { subject, order_id }: Published['platform'][number]): string {
  const hash = createHash('sha256')
    .update(`${webhookId} ${subject ?? order_id}`)
    .digest('hex');
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-');
}
