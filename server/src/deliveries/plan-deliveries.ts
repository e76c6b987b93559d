import { createHash } from 'node:crypto';
import type { Published } from '../events/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { Scope } from '../kernel/database/scope.ts';
import { newId } from '../kernel/values/ids.ts';
import { hasChainWebhook, listPlatformWebhooks } from '../webhooks/index.ts';
import { insertPlatformDeliveries } from './platform-queries.ts';
import { insertDeliveries } from './queries.ts';
import { openLanes } from './lane-queries.ts';

/** Creates a delivery for every published event that has a webhook, in the transaction that publishes the event. */
export async function planDeliveries(tx: Tx, scope: Scope, { partner, platform }: Published): Promise<void> {
  const [planned, plannedForPlatform] = await Promise.all([
    planForPartners(tx, scope, partner),
    planForPlatform(tx, platform),
  ]);
  const lanes = [...planned, ...plannedForPlatform];
  if (lanes.length > 0) await openLanes(tx, lanes);
}

/** On a distributed database, the question whether the chain has a webhook is much cheaper than the INSERT. */
async function planForPartners(tx: Tx, scope: Scope, events: Published['partner']) {
  if (events.length === 0 || (scope !== null && !(await hasChainWebhook(tx, scope)))) return [];
  const inserted = await insertDeliveries(tx, scope, events);
  return inserted.filter(({ status }) => status === 'PENDING');
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
