import type { Links } from '../config.ts';
import type { PublishedEvent } from '../events/index.ts';
import { findVendors } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { enqueue } from '../kernel/background/queue.ts';
import { lockOrder, moveOrder, nextMove } from '../orders/index.ts';
import { deleteRider, findRider, listRides, listWaiting, type Ride, saveRider } from './queries.ts';
import { isStillWanted, type PlannedRide } from './rules/ride.ts';

/**
 * The automatic rider of a test store.
 *
 * When an order becomes ready or is dispatched, an event is recorded. The transaction that publishes it also enqueues a
 * delayed task if the store has a rider, so nothing is lost when a process crashes. Orders know nothing of riders. The
 * task makes the next move, whose event plans the next ride.
 *
 * When a rider is set, orders may already be waiting. A task finds them after the setting was committed: an order that
 * it misses is published later, and publishing sees the setting.
 */
export const rideTask = 'sandbox.ride';
export const lookTask = 'sandbox.look';
const maxWaiting = 500;

export async function setRider(tx: Tx, chainId: string, vendorId: string, afterSeconds: number | null): Promise<void> {
  if (afterSeconds === null) return deleteRider(tx, chainId, vendorId);
  // Waiting orders already have their ride.
  if ((await findRider(tx, chainId, vendorId)) === afterSeconds) return;
  await saveRider(tx, chainId, vendorId, afterSeconds);
  const lane = `sandbox rider ${chainId} ${vendorId}`;
  await enqueue(tx, [{ chainId, lane, batch: lane, kind: lookTask, payload: { vendor_id: vendorId } }]);
}

export async function planRides(tx: Tx, events: PublishedEvent[]): Promise<void> {
  const waiting = events.flatMap(({ chain_id, type, order_id }) => {
    const isWaiting = type === 'order.ready_for_pickup' || type === 'order.dispatched';
    return isWaiting && order_id !== null ? [{ chain_id, order_id }] : [];
  });
  if (waiting.length > 0) await enqueueRides(tx, await listRides(tx, waiting));
}

export async function planWaiting(tx: Tx, chainId: string, vendorId: string): Promise<void> {
  await enqueueRides(tx, await listWaiting(tx, chainId, vendorId, maxWaiting));
}

/** The next move of the platform, if the ride is still due. */
export async function rideOrder(tx: Tx, chainId: string, ride: PlannedRide, links: Links): Promise<void> {
  const order = await lockOrder(tx, chainId, ride.order_id);
  if (!order) return;
  const [vendor] = await findVendors(tx, chainId, [order.vendor_id]);
  const afterSeconds = await findRider(tx, chainId, order.vendor_id);
  const move = nextMove(order);
  if (!vendor?.test || !move || !isStillWanted(ride, order, afterSeconds)) return;
  await moveOrder(tx, chainId, order.order_id, move, new Date(), links);
}

async function enqueueRides(tx: Tx, rides: Ride[]): Promise<void> {
  if (rides.length === 0) return;
  await enqueue(
    tx,
    rides.map(({ chain_id, ...ride }) => ({
      chainId: chain_id,
      lane: `sandbox ${ride.order_id}`,
      batch: ride.order_id,
      kind: rideTask,
      payload: ride satisfies PlannedRide,
      afterSeconds: ride.after_seconds,
    })),
  );
}
