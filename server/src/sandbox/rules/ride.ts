/** The payload of a ride: the order's revision when it was planned, and the rider's delay. */
export type PlannedRide = { order_id: string; revision: number; after_seconds: number };

/**
 * Whether the ride is still valid. It is not if the order has changed since, because the new state has its own ride, or
 * if the rider was removed or got another delay, because all waiting orders were then planned again.
 */
export function isStillValid(ride: PlannedRide, order: { revision: number }, afterSeconds: number | null): boolean {
  return order.revision === ride.revision && afterSeconds === ride.after_seconds;
}
