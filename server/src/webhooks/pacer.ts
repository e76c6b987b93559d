import { afterFailure, afterSuccess, freeSlots, newcomer, type Pace, type Standing, standingOf } from './rules/pace.ts';

/** Which endpoints get how much, out of what this sender has to give. */
export type Pacer = {
  /** What to claim now: for those that work, for those nothing is known of, for those that fail. */
  shares(): Share[];
  begin(endpointId: string): void;
  end(endpointId: string, hasSucceeded: boolean): void;
};

export type Share = {
  count: number;
  /** How many lanes of each endpoint this sender knows. */
  slots: Map<string, number>;
  /** How many of each other one, and of which: those that fail as far as the database knows, or the rest. */
  otherSlots: number;
  areOthersFailing: boolean;
};

/** Of all slots: what is not known to work cannot use up the room of what is. */
const parts: Record<Standing, number> = { proven: 1, unknown: 1 / 2, failing: 1 / 4 };
const mostRemembered = 10_000;

export function createPacer(slots: number, slotsPerEndpoint: number): Pacer {
  const paces = new Map<string, Pace>();
  const change = (endpointId: string, by: number, next: (pace: Pace) => Pace) => {
    const pace = next(paces.get(endpointId) ?? newcomer);
    paces.set(endpointId, { ...pace, underWay: pace.underWay + by });
  };
  return {
    shares() {
      const now = performance.now();
      const all = [...paces].map(([id, pace]) => ({ id, standing: standingOf(pace), underWay: pace.underWay, pace }));
      const free = slots - sum(all);
      const shareOf = (standing: Standing): Share => {
        const own = all.filter((one) => one.standing === standing);
        const room = Math.ceil(slots * parts[standing]) - sum(own);
        return {
          count: Math.min(free, room),
          slots: new Map(
            all.map(({ id, pace, ...one }) => [
              id,
              one.standing === standing ? freeSlots(pace, slotsPerEndpoint, now) : 0,
            ]),
          ),
          otherSlots: standing === 'proven' ? 0 : newcomer.limit,
          areOthersFailing: standing === 'failing',
        };
      };
      return (['proven', 'unknown', 'failing'] as const).map(shareOf).filter(isWorthAsking);
    },
    begin(endpointId) {
      if (paces.size >= mostRemembered) forgetIdle(paces);
      change(endpointId, 1, (pace) => pace);
    },
    end(endpointId, hasSucceeded) {
      change(endpointId, -1, (pace) =>
        hasSucceeded ? afterSuccess(pace, slotsPerEndpoint) : afterFailure(pace, performance.now()),
      );
    },
  };
}

function isWorthAsking({ count, slots, otherSlots }: Share): boolean {
  return count > 0 && (otherSlots > 0 || [...slots.values()].some((free) => free > 0));
}

function sum(paces: { underWay: number }[]): number {
  return paces.reduce((total, { underWay }) => total + underWay, 0);
}

/** An endpoint that is forgotten begins again as a newcomer. */
function forgetIdle(paces: Map<string, Pace>): void {
  for (const [endpointId, pace] of paces) if (pace.underWay === 0) paces.delete(endpointId);
}
