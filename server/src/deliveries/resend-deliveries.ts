import { hasEvent, lockPublishing } from '../events/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { findEndpointFor, webhookNotFound } from '../webhooks/index.ts';
import { announceDue, lockChainLanes, lockLanesById, makeLanesDue, openLanes } from './lane-queries.ts';
import { type DeliveryRow, findDelivery, lockDelivery, reopenDelivery, reopenFailed, type Visible } from './queries.ts';
import { pingType } from './rules/attempt.ts';

/**
 * Resends one delivery. A finished delivery is resent in its own lane, not its order's. A pending one keeps its
 * position, and its lane is made due now.
 */
export async function resendDelivery(
  tx: Tx,
  chainId: string,
  visible: Visible,
  deliveryId: string,
): Promise<DeliveryRow> {
  const found = await findDelivery(tx, chainId, visible, deliveryId);
  if (!found) throw notFound('delivery_not_found', deliveryId);
  const endpointId = await findEndpointFor(tx, chainId, found.vendor_id, found.job_id === null ? 'orders' : 'catalog');
  if (endpointId === undefined) throw webhookNotFound(null);
  // Only its own lanes are locked, so that the publisher and the chain's other deliveries do not wait.
  await lockLanesById(tx, chainId, [found.lane_id, deliveryId]);
  const delivery = await lockDelivery(tx, chainId, deliveryId);
  if (!delivery || !(await isResendable(tx, chainId, delivery))) throw notFound('delivery_not_found', deliveryId);
  const hasEnded = delivery.status === 'DELIVERED' || delivery.status === 'EXHAUSTED';
  const laneId = hasEnded ? deliveryId : delivery.lane_id;
  // Another request may have moved it to a different lane in the meantime.
  if (![found.lane_id, deliveryId].includes(laneId)) await lockLanesById(tx, chainId, [laneId]);
  const reopened = await reopenDelivery(tx, chainId, deliveryId, { lane_id: laneId, endpoint_id: endpointId });
  if (hasEnded) await openLanes(tx, [{ chain_id: chainId, lane_id: laneId, endpoint_id: endpointId }]);
  await makeLanesDue(tx, chainId, [laneId]);
  announceDue(tx);
  return reopened;
}

/**
 * Resends failed deliveries and returns their number. They go back to their orders' lanes, so that each order's events
 * are sent in sequence.
 */
export async function resendFailed(tx: Tx, chainId: string, visible: Visible, since: Date): Promise<number> {
  await lockLanesOf(tx, chainId);
  const lanes = await reopenFailed(tx, chainId, visible, since);
  if (lanes.length === 0) return 0;
  await openLanes(tx, lanes);
  await makeLanesDue(
    tx,
    chainId,
    lanes.map((lane) => lane.lane_id),
  );
  announceDue(tx);
  return lanes.length;
}

/** A delivery is kept longer than its event; without the event's body there is nothing to send. */
async function isResendable(tx: Tx, chainId: string, { delivery_id, type }: DeliveryRow): Promise<boolean> {
  return type === pingType || hasEvent(tx, chainId, delivery_id);
}

/** Until the transaction ends, no other transaction can insert, release or delete a lane in the chain. */
async function lockLanesOf(tx: Tx, chainId: string): Promise<void> {
  await lockPublishing(tx);
  await lockChainLanes(tx, chainId);
}
