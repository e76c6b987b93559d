/** A due lane of an endpoint. The lanes of an endpoint are in the order in which they are due. */
export type DueLane = { laneId: string; endpointId: string; isPlatform: boolean; level: number; dueAt: Date };

export type Limits = {
  /** The maximum number of lanes. */
  count: number;
  /** The maximum for each reliability level, starting with level 1. */
  capacity: readonly number[];
  /** The maximum for the chain's own endpoints together. */
  ownSlots: number;
};

/**
 * Chooses lanes of one chain like `claimLanes`: endpoints take turns, those that are known to work come first, and the
 * limits of the chain and of the reliability levels apply.
 */
export function chooseLanes(lanes: readonly DueLane[], { count, capacity, ownSlots }: Limits): DueLane[] {
  const turns = new Map<string, number>();
  const inTurns = lanes
    .map((lane) => {
      const round = (turns.get(lane.endpointId) ?? 0) + 1;
      turns.set(lane.endpointId, round);
      return { lane, round };
    })
    .toSorted(
      (a, b) => a.round - b.round || a.lane.level - b.lane.level || a.lane.dueAt.getTime() - b.lane.dueAt.getTime(),
    )
    .map(({ lane }) => lane);
  const own = inTurns.filter(({ isPlatform }) => !isPlatform).slice(0, Math.max(0, ownSlots));
  const platform = inTurns.filter(({ isPlatform }) => isPlatform);
  const allowed = new Set([...own, ...platform]);
  const chosen = capacity.flatMap((max, index) =>
    inTurns.filter((lane) => lane.level === index + 1 && allowed.has(lane)).slice(0, Math.max(0, max)),
  );
  return chosen.slice(0, count);
}
