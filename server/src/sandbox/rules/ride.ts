/** What a task was told when it was planned: the order as it stood then, and how soon the rider was to come. */
export type PlannedRide = { order_id: string; revision: number; after_seconds: number };

/**
 * Whether the rider still comes as planned. Not if somebody was quicker: what the order is now has a ride of its own.
 * Not if the rider was stayed or told another time meanwhile: then all that wait were planned anew.
 */
export function isStillWanted(ride: PlannedRide, order: { revision: number }, afterSeconds: number | null): boolean {
  return order.revision === ride.revision && afterSeconds === ride.after_seconds;
}
