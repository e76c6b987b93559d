import { hasEvent, lockPublishing } from '../events/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { findEndpointFor, webhookNotFound } from '../webhooks/index.ts';
import { announceDue, hastenLanes, lockChainLanes, openLanes } from './lane-queries.ts';
import { type DeliveryRow, findDelivery, lockDelivery, reopenDelivery, reopenFailed } from './queries.ts';
import { pingType } from './rules/attempt.ts';

type Vendors = readonly string[] | null;

/** A finished delivery gets a lane of its own beside its order's; a pending one keeps its place and is sent now. */
export async function resendDelivery(
  tx: Tx,
  chainId: string,
  vendorIds: Vendors,
  deliveryId: string,
): Promise<DeliveryRow> {
  const found = await findDelivery(tx, chainId, vendorIds, deliveryId);
  if (!found) throw notFound('delivery_not_found', deliveryId);
  const endpointId = await findEndpointFor(tx, chainId, found.vendor_id, found.job_id === null ? 'orders' : 'catalog');
  if (endpointId === undefined) throw webhookNotFound(null);
  await lockLanesOf(tx, chainId);
  const delivery = await lockDelivery(tx, chainId, deliveryId);
  if (!delivery || !(await isKept(tx, chainId, delivery))) throw notFound('delivery_not_found', deliveryId);
  const hasEnded = delivery.status === 'DELIVERED' || delivery.status === 'EXHAUSTED';
  const laneId = hasEnded ? deliveryId : delivery.lane_id;
  const reopened = await reopenDelivery(tx, chainId, deliveryId, { lane_id: laneId, endpoint_id: endpointId });
  if (hasEnded) await openLanes(tx, [{ chain_id: chainId, lane_id: laneId, endpoint_id: endpointId }]);
  await hastenLanes(tx, chainId, [laneId]);
  announceDue(tx);
  return reopened;
}

/** How many. They return to the lanes of their orders, so that each order's events are sent in sequence. */
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
  announceDue(tx);
  return lanes.length;
}

/** The log is kept longer than the event; without the event's body there is nothing to send. */
async function isKept(tx: Tx, chainId: string, { delivery_id, type }: DeliveryRow): Promise<boolean> {
  return type === pingType || hasEvent(tx, chainId, delivery_id);
}

/** Until the transaction ends, no lane of the chain is opened, settled or deleted by others. */
async function lockLanesOf(tx: Tx, chainId: string): Promise<void> {
  await lockPublishing(tx);
  await lockChainLanes(tx, chainId);
}
