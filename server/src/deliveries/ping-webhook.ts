import type { Tx } from '../kernel/database/db.ts';
import { insertPlatform, platformId } from '../identity/index.ts';
import { Failure, notFound } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { holdPlatformWebhook, listEndpoints, lockWebhook, webhookNotFound } from '../webhooks/index.ts';
import { announceDue, openLanes } from './lane-queries.ts';
import { type DeliveryRow, insertPing } from './queries.ts';
import { pingType } from './rules/attempt.ts';

/** Creates a test message in its own lane. */
export async function pingWebhook(tx: Tx, chainId: string, vendorId: string | null): Promise<DeliveryRow> {
  const webhook = await lockWebhook(tx, chainId, vendorId);
  if (!webhook) throw webhookNotFound(vendorId);
  const endpoints = await listEndpoints(tx, chainId, webhook.webhook_id);
  const endpoint = endpoints.find(({ topic }) => topic === 'orders');
  if (!endpoint || endpoint.disabled_at !== null) throw new Failure('webhook_disabled');
  return sendPing(tx, chainId, { endpoint_id: endpoint.endpoint_id, vendor_id: vendorId, is_platform: false });
}

/** A ping of a platform webhook concerns no chain, so it belongs to the platform's own. */
export async function pingPlatformWebhook(tx: Tx, webhookId: string): Promise<DeliveryRow> {
  const webhook = await holdPlatformWebhook(tx, webhookId);
  if (!webhook) throw notFound('webhook_not_found', webhookId, null);
  if (webhook.disabled_at !== null) throw new Failure('webhook_disabled');
  await insertPlatform(tx);
  return sendPing(tx, platformId, { endpoint_id: webhookId, vendor_id: null, is_platform: true });
}

type Target = Pick<DeliveryRow, 'endpoint_id' | 'vendor_id' | 'is_platform'>;

async function sendPing(tx: Tx, chainId: string, target: Target): Promise<DeliveryRow> {
  const ping = await insertPing(tx, chainId, { ...target, delivery_id: newId(), type: pingType });
  await openLanes(tx, [{ chain_id: chainId, lane_id: ping.lane_id, endpoint_id: ping.endpoint_id }]);
  announceDue(tx, chainId);
  return ping;
}
