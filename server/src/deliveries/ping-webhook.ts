import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { listEndpoints, lockWebhook, webhookNotFound } from '../webhooks/index.ts';
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
  const { endpoint_id } = endpoint;
  const ping = await insertPing(tx, chainId, {
    delivery_id: newId(),
    endpoint_id,
    type: pingType,
    vendor_id: vendorId,
  });
  await openLanes(tx, [{ chain_id: chainId, lane_id: ping.lane_id, endpoint_id }]);
  announceDue(tx, chainId);
  return ping;
}
