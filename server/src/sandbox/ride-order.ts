import type { Links } from '../config.ts';
import Type from 'typebox';
import type { Published } from '../events/index.ts';
import { findVendors } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { Scope } from '../kernel/database/scope.ts';
import { defineTask, enqueue, listPayloads, lockLanes } from '../kernel/background/queue.ts';
import { listRevisions, listUncollected, lockOrder, moveOrder, nextMove } from '../orders/index.ts';
import { deleteRider, findRider, listRiders, saveRider } from './queries.ts';
import { isStillValid, type PlannedRide } from './rules/ride.ts';

/**
 * The automatic rider for test stores.
 *
 * When an order becomes ready for pickup or is dispatched, an event is published. If the store has a rider, the
 * transaction that publishes the event also enqueues a delayed task, so no ride is lost if the process crashes. The
 * task moves the order to its next status, and that event enqueues the next task. The `orders` feature does not depend
 * on the rider.
 *
 * When a rider is set, orders may already be waiting. A task finds them after the setting has been committed. The
 * events of orders that this task misses are published later, by transactions that see the setting.
 */
export const rideTask = defineTask('sandbox.ride', {
  order_id: Type.String(),
  revision: Type.Integer(),
  after_seconds: Type.Number(),
});
export const findWaitingTask = defineTask('sandbox.look', { vendor_id: Type.String() });
const maxWaiting = 500;

export async function setRider(tx: Tx, chainId: string, vendorId: string, afterSeconds: number | null): Promise<void> {
  if (afterSeconds === null) return deleteRider(tx, chainId, vendorId);
  // The rider is unchanged, so rides for the waiting orders are already planned.
  if ((await findRider(tx, chainId, vendorId)) === afterSeconds) return;
  await saveRider(tx, chainId, vendorId, afterSeconds);
  const lane = `sandbox rider ${chainId} ${vendorId}`;
  await enqueue(tx, findWaitingTask, [{ chainId, lane, batch: lane, payload: { vendor_id: vendorId } }]);
}

export async function planRides(tx: Tx, scope: Scope, { partner }: Published): Promise<void> {
  const waiting = partner.flatMap(({ chain_id, type, vendor_id, order_id }) => {
    const isWaiting = type === 'order.ready_for_pickup' || type === 'order.dispatched';
    return isWaiting && vendor_id !== null && order_id !== null ? [{ chain_id, vendor_id, order_id }] : [];
  });
  const riders = waiting.length > 0 ? await listRiders(tx, scope, waiting) : [];
  if (riders.length === 0) return;
  const afterSeconds = new Map(riders.map((rider) => [`${rider.chain_id} ${rider.vendor_id}`, rider.after_seconds]));
  const orders = await listRevisions(tx, scope, waiting);
  await enqueueRides(
    tx,
    orders.flatMap(({ vendor_id, ...order }) => {
      const after_seconds = afterSeconds.get(`${order.chain_id} ${vendor_id}`);
      return after_seconds === undefined ? [] : [{ ...order, after_seconds }];
    }),
  );
}

export async function planWaiting(tx: Tx, chainId: string, vendorId: string): Promise<void> {
  const after_seconds = await findRider(tx, chainId, vendorId);
  if (after_seconds === null) return;
  const orders = await listUncollected(tx, chainId, vendorId, maxWaiting);
  await enqueueRides(
    tx,
    orders.map((order) => ({ chain_id: chainId, ...order, after_seconds })),
  );
}

/** Moves the order to its next status on behalf of the platform, if the ride is still valid. */
export async function rideOrder(tx: Tx, chainId: string, ride: PlannedRide, links: Links): Promise<void> {
  const order = await lockOrder(tx, chainId, ride.order_id);
  if (!order) return;
  const [vendor] = await findVendors(tx, chainId, [order.vendor_id]);
  const afterSeconds = await findRider(tx, chainId, order.vendor_id);
  const move = nextMove(order);
  if (!vendor?.test || !move || !isStillValid(ride, order, afterSeconds)) return;
  await moveOrder(tx, chainId, order.order_id, move, new Date(), links);
}

type Ride = PlannedRide & { chain_id: string };

/** The order's event and the task that finds waiting orders can plan the same ride; the duplicate is skipped. */
async function enqueueRides(tx: Tx, rides: Ride[]): Promise<void> {
  if (rides.length === 0) return;
  const lanes = rides.map(laneOf);
  await lockLanes(tx, lanes);
  const planned = new Set((await listPayloads(tx, rideTask, lanes)).map(rideKey));
  const missing = rides.filter((ride) => !planned.has(rideKey(ride)));
  if (missing.length === 0) return;
  await enqueue(
    tx,
    rideTask,
    missing.map(({ chain_id, ...ride }) => ({
      chainId: chain_id,
      lane: laneOf(ride),
      batch: ride.order_id,
      payload: ride,
      afterSeconds: ride.after_seconds,
    })),
  );
}

function laneOf({ order_id }: PlannedRide): string {
  return `sandbox ${order_id}`;
}

function rideKey({ order_id, revision, after_seconds }: PlannedRide): string {
  return `${order_id} ${revision} ${after_seconds}`;
}
