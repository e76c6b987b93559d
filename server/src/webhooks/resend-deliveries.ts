import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import {
  type DeliveryRow,
  findDelivery,
  insertPing,
  lockDelivery,
  reopenDelivery,
  reopenFailed,
} from './delivery-queries.ts';
import { hasEvent, lockPublishing } from '../events/index.ts';
import { hastenLanes, lockChainLanes, openLanes } from './lane-queries.ts';
import { findEndpointFor, listEndpoints, lockWebhook } from './queries.ts';
import { pingType } from './rules/attempt.ts';

type Vendors = readonly string[] | null;

/** One that has ended goes out beside the lane of its order; one that has not keeps its place and is tried at once. */
export async function resendDelivery(
  tx: Tx,
  chainId: string,
  vendorIds: Vendors,
  deliveryId: string,
): Promise<DeliveryRow> {
  const found = await findDelivery(tx, chainId, vendorIds, deliveryId);
  if (!found) throw new Failure('delivery_not_found');
  const endpointId = await findEndpointFor(tx, chainId, found.vendor_id, found.job_id === null ? 'orders' : 'catalog');
  if (endpointId === undefined) throw new Failure('webhook_not_found');
  await lockLanesOf(tx, chainId);
  const delivery = await lockDelivery(tx, chainId, deliveryId);
  if (!delivery || !(await isKept(tx, chainId, delivery))) throw new Failure('delivery_not_found');
  const hasEnded = delivery.status === 'DELIVERED' || delivery.status === 'EXHAUSTED';
  const laneId = hasEnded ? deliveryId : delivery.lane_id;
  const reopened = await reopenDelivery(tx, chainId, deliveryId, { lane_id: laneId, endpoint_id: endpointId });
  if (hasEnded) await openLanes(tx, [{ chain_id: chainId, lane_id: laneId, endpoint_id: endpointId }]);
  await hastenLanes(tx, chainId, [laneId]);
  return reopened;
}

/** The log outlives the event; without its body there is nothing to send. */
async function isKept(tx: Tx, chainId: string, { delivery_id, type }: DeliveryRow): Promise<boolean> {
  return type === pingType || hasEvent(tx, chainId, delivery_id);
}

/** How many. They go back into the lanes of their orders, so that the order within each is kept. */
export async function resendFailed(tx: Tx, chainId: string, vendorIds: Vendors, since: Date): Promise<number> {
  await lockLanesOf(tx, chainId);
  const lanes = await reopenFailed(tx, chainId, vendorIds, since);
  if (lanes.length === 0) return 0;
  await openLanes(tx, lanes);
  await hastenLanes(
    tx,
    chainId,
    lanes.map((lane) => lane.lane_id),
  );
  return lanes.length;
}

/** Nobody adds to the lanes of the chain, settles or tidies them, until the transaction ends. */
async function lockLanesOf(tx: Tx, chainId: string): Promise<void> {
  await lockPublishing(tx);
  await lockChainLanes(tx, chainId);
}

export async function pingWebhook(tx: Tx, chainId: string, vendorId: string | null): Promise<DeliveryRow> {
  const webhook = await lockWebhook(tx, chainId, vendorId);
  if (!webhook) throw new Failure('webhook_not_found');
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
  return ping;
}
