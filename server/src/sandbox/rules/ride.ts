/** The payload of a ride: the order's revision when it was planned, and how soon the rider was to come. */
export type PlannedRide = { order_id: string; revision: number; after_seconds: number };

/**
 * Whether the ride is still due. Not if the order has changed since: the new state has its own ride. Not if the rider
 * was removed or got another time: then all waiting orders were planned again.
 */
export function isStillWanted(ride: PlannedRide, order: { revision: number }, afterSeconds: number | null): boolean {
  return order.revision === ride.revision && afterSeconds === ride.after_seconds;
}
