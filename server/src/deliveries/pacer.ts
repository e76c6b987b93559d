import type { Share } from './lane-queries.ts';
import { afterFailure, afterSuccess, freeSlots, newcomer, type Pace, standings, standingOf } from './rules/pace.ts';

/** Divides the slots of this sender among the endpoints. */
export type Pacer = {
  /** How much to claim now. */
  share(): Share;
  begin(endpointId: string): void;
  end(endpointId: string, hasSucceeded: boolean): void;
};

/** The share of all slots by standing: endpoints not known to work cannot use up the slots of those that do. */
const parts = { proven: 1, unknown: 1 / 2, failing: 1 / 4 };
const maxRemembered = 10_000;

export function createPacer(slots: number, slotsPerEndpoint: number): Pacer {
  const paces = new Map<string, Pace>();
  const change = (endpointId: string, by: number, next: (pace: Pace) => Pace) => {
    const pace = next(paces.get(endpointId) ?? newcomer);
    paces.set(endpointId, { ...pace, underWay: pace.underWay + by });
  };
  return {
    share() {
      const now = performance.now();
      const underWay = { proven: 0, unknown: 0, failing: 0 };
      const endpoints: Share['endpoints'] = new Map();
      for (const [endpointId, pace] of paces) {
        const standing = standingOf(pace);
        underWay[standing] += pace.underWay;
        const free = freeSlots(pace, slotsPerEndpoint, now);
        endpoints.set(endpointId, { standing: standings.indexOf(standing) + 1, slots: free });
      }
      const count = slots - underWay.proven - underWay.unknown - underWay.failing;
      const room = standings.map((one) => Math.min(count, Math.ceil(slots * parts[one]) - underWay[one]));
      return { count, room, endpoints, newcomerSlots: newcomer.limit };
    },
    begin(endpointId) {
      if (paces.size >= maxRemembered) forgetIdle(paces);
      change(endpointId, 1, (pace) => pace);
    },
    end(endpointId, hasSucceeded) {
      change(endpointId, -1, (pace) =>
        hasSucceeded ? afterSuccess(pace, slotsPerEndpoint) : afterFailure(pace, performance.now()),
      );
    },
  };
}

/** A forgotten endpoint starts again as a newcomer. */
function forgetIdle(paces: Map<string, Pace>): void {
  for (const [endpointId, pace] of paces) if (pace.underWay === 0) paces.delete(endpointId);
}
