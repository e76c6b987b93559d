import { afterFailure, afterSuccess, freeSlots, newcomer, type Pace } from './rules/pace.ts';

/** Which endpoints get how much, out of what this sender has to give. */
export type Pacer = {
  /** What to claim now: first for those that work, then, out of at most half of all slots, for the others. */
  shares(): Share[];
  begin(endpointId: string): void;
  end(endpointId: string, hasSucceeded: boolean): void;
  underWay(): number;
};

export type Share = { count: number; slots: Map<string, number>; otherSlots: number };

const mostRemembered = 10_000;

export function createPacer(slots: number, slotsPerEndpoint: number): Pacer {
  const paces = new Map<string, Pace>();
  let all = 0;
  const change = (endpointId: string, by: number, next: (pace: Pace) => Pace) => {
    const pace = next(paces.get(endpointId) ?? newcomer);
    paces.set(endpointId, { ...pace, underWay: pace.underWay + by });
    all += by;
  };
  return {
    shares() {
      const now = performance.now();
      const proven = new Map<string, number>();
      const others = new Map<string, number>();
      let othersUnderWay = 0;
      for (const [endpointId, pace] of paces) {
        const free = freeSlots(pace, slotsPerEndpoint, now);
        proven.set(endpointId, pace.isProven ? free : 0);
        others.set(endpointId, pace.isProven ? 0 : free);
        if (!pace.isProven) othersUnderWay += pace.underWay;
      }
      const free = slots - all;
      const forOthers = Math.min(free, Math.ceil(slots / 2) - othersUnderWay);
      return [
        { count: free, slots: proven, otherSlots: 0 },
        { count: forOthers, slots: others, otherSlots: Math.min(slotsPerEndpoint, newcomer.limit) },
      ].filter(({ count }) => count > 0);
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
    underWay: () => all,
  };
}

/** An endpoint that is forgotten begins again as a newcomer. */
function forgetIdle(paces: Map<string, Pace>): void {
  for (const [endpointId, pace] of paces) if (pace.underWay === 0) paces.delete(endpointId);
}
