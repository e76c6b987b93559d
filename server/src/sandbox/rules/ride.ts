/** The payload of a ride: the order's revision when it was planned, and the rider's delay. */
export type PlannedRide = { order_id: string; revision: number; after_seconds: number };

/**
 * Whether the ride is still valid. It is not valid if the order has changed since the ride was planned, because a new
 * ride was then planned. It is also not valid if the rider was removed, or if its delay was changed, because new rides
 * were then planned for all waiting orders.
 */
export function isStillValid(ride: PlannedRide, order: { revision: number }, afterSeconds: number | null): boolean {
  return order.revision === ride.revision && afterSeconds === ride.after_seconds;
}
