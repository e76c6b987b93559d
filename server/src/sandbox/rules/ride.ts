/** The payload of a planned ride: the order, its revision when planned, and the rider's `after_seconds`. */
export type PlannedRide = { order_id: string; revision: number; after_seconds: number };

/**
 * Whether the ride is still valid. A change to the order invalidates the ride and plans a new one. Removing the rider
 * invalidates all of its rides. Changing `after_seconds` does too, and plans new rides for all waiting orders.
 */
export function isStillValid(ride: PlannedRide, order: { revision: number }, afterSeconds: number | null): boolean {
  return order.revision === ride.revision && afterSeconds === ride.after_seconds;
}
