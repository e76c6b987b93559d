import { hasEvent, lockPublishing } from '../events/index.ts';
import { enqueue } from '../kernel/background/queue.ts';
import type { TaskResult } from '../kernel/background/worker.ts';
import { readTime } from '../kernel/database/clock.ts';
import type { Tx } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { holdPlatformWebhook, lockEndpointFor, webhookNotFound } from '../webhooks/index.ts';
import { announceDue, discardAttempts, lockLanesById, makeLanesDue, openLanes } from './lane-queries.ts';
import { findPlatformDelivery } from './platform-queries.ts';
import { type DeliveryRow, findDelivery, lockDelivery, reopenDelivery, type Visible } from './queries.ts';
import { countFailed, listFailed, reopenFailed } from './resend-queries.ts';
import { type ResendPayload, resendTask } from './resend-task.ts';
import { pingType } from './rules/attempt.ts';

/**
 * Resends one delivery. A finished delivery is resent in its own lane, not its order's. A pending one keeps its
 * position, and its lane is made due now. If it is being retried at this moment, it is sent again.
 */
export async function resendDelivery(
  tx: Tx,
  chainId: string,
  visible: Visible,
  deliveryId: string,
): Promise<DeliveryRow> {
  const found = await findDelivery(tx, chainId, visible, deliveryId);
  if (!found) throw notFound('delivery_not_found', deliveryId);
  const topic = found.job_id === null ? 'orders' : 'catalog';
  return reopen(tx, chainId, found, () => lockEndpointFor(tx, chainId, found.vendor_id, topic));
}

/** Resends one delivery to the webhook of the platform that it was sent to. */
export async function resendToPlatform(tx: Tx, chainId: string, deliveryId: string): Promise<DeliveryRow> {
  const found = await findPlatformDelivery(tx, chainId, deliveryId);
  if (!found) throw notFound('delivery_not_found', deliveryId);
  return reopen(tx, chainId, found, async () => (await holdPlatformWebhook(tx, found.endpoint_id))?.webhook_id);
}

/** `lockEndpoint` returns the id of the endpoint to send it to, which cannot be deleted until the transaction ends. */
async function reopen(
  tx: Tx,
  chainId: string,
  found: DeliveryRow,
  lockEndpoint: () => Promise<string | undefined>,
): Promise<DeliveryRow> {
  const { delivery_id: deliveryId } = found;
  // Only its own lanes are locked, so that the publisher and the chain's other deliveries do not wait.
  await lockLanesById(tx, chainId, [found.lane_id, deliveryId]);
  const delivery = await lockDelivery(tx, chainId, deliveryId);
  if (!delivery || !(await isResendable(tx, chainId, delivery))) throw notFound('delivery_not_found', deliveryId);
  // Locked after the lanes, as when an attempt is recorded. Otherwise the two could deadlock.
  const endpointId = await lockEndpoint();
  if (endpointId === undefined) throw webhookNotFound(null);
  const hasEnded = delivery.status === 'DELIVERED' || delivery.status === 'EXHAUSTED';
  const laneId = hasEnded ? deliveryId : delivery.lane_id;
  // Another request may have moved it to a different lane in the meantime.
  if (![found.lane_id, deliveryId].includes(laneId)) await lockLanesById(tx, chainId, [laneId]);
  if (!hasEnded && delivery.tries > 0) await discardAttempts(tx, chainId, [laneId], [deliveryId]);
  const reopened = await reopenDelivery(tx, chainId, deliveryId, { lane_id: laneId, endpoint_id: endpointId });
  if (hasEnded) await openLanes(tx, [{ chain_id: chainId, lane_id: laneId, endpoint_id: endpointId }]);
  await makeLanesDue(tx, chainId, [laneId]);
  announceDue(tx, chainId);
  return reopened;
}

/**
 * Starts to resend failed deliveries and returns their number. There can be very many of them, so a task resends a few
 * at a time.
 */
export async function requestResend(tx: Tx, chainId: string, visible: Visible, since: Date): Promise<number> {
  // A date has milliseconds, and the database's time has microseconds.
  const before = new Date((await readTime(tx)).getTime() + 1);
  const count = await countFailed(tx, chainId, { ...visible, since, before });
  if (count === 0) return 0;
  const payload = {
    vendor_ids: visible.vendorIds && [...visible.vendorIds],
    types: visible.types && [...visible.types],
    since: since.toISOString(),
    before: before.toISOString(),
  };
  await enqueue(tx, resendTask, [{ chainId, lane: `resend ${chainId}`, batch: newId(), payload }]);
  return count;
}

/**
 * Resends some of the failed deliveries. They go back to their orders' lanes, so that each order's events are sent in
 * sequence.
 */
export async function resendFailed(
  tx: Tx,
  chainId: string,
  payload: ResendPayload,
): Promise<TaskResult<ResendPayload>> {
  const filter = {
    vendorIds: payload.vendor_ids,
    types: payload.types,
    since: new Date(payload.since),
    before: new Date(payload.before),
  };
  const failed = await listFailed(tx, chainId, filter, payload.position ?? '0', resendsPerSlice);
  // Until the transaction ends, the publisher cannot add deliveries to these lanes, and senders cannot release them.
  await lockPublishing(tx, chainId);
  const ids = failed.map((one) => one.delivery_id);
  const laneIds = [...new Set([...ids, ...failed.flatMap((one) => [one.lane_id, one.own_lane_id])])];
  await lockLanesById(tx, chainId, laneIds);
  await discardAttempts(tx, chainId, laneIds, ids);
  const lanes = await reopenFailed(tx, chainId, failed);
  if (lanes.length > 0) {
    await openLanes(tx, lanes);
    await makeLanesDue(
      tx,
      chainId,
      lanes.map((lane) => lane.lane_id),
    );
    announceDue(tx, chainId);
  }
  const last = failed.at(-1);
  return last && failed.length === resendsPerSlice ? { again: { ...payload, position: last.position } } : 'done';
}

const resendsPerSlice = 500;

/** A delivery is kept longer than its event; without the event's body there is nothing to send. */
async function isResendable(tx: Tx, chainId: string, delivery: DeliveryRow): Promise<boolean> {
  return delivery.type === pingType || hasEvent(tx, chainId, delivery.event_id ?? delivery.delivery_id);
}
