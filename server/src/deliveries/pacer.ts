import type { Share } from './lane-queries.ts';
import {
  afterFailure,
  afterSuccess,
  freeSlots,
  newPace,
  type Pace,
  reliabilityLevels,
  reliabilityOf,
} from './rules/pace.ts';

/** Divides this sender's slots among the endpoints. */
export type Pacer = {
  /** The capacity that is free now. */
  share(): Share;
  begin(endpointId: string): void;
  end(endpointId: string, hasSucceeded: boolean): void;
};

/**
 * The share of all slots that each reliability level can use. This leaves slots for endpoints that are known to work.
 */
const shares = { proven: 1, unknown: 1 / 2, failing: 1 / 4 };
const maxEndpoints = 10_000;

export function createPacer(slots: number, slotsPerEndpoint: number): Pacer {
  const paces = new Map<string, Pace>();
  const change = (endpointId: string, by: number, next: (pace: Pace) => Pace) => {
    const pace = next(paces.get(endpointId) ?? newPace);
    paces.set(endpointId, { ...pace, running: pace.running + by });
  };
  return {
    share() {
      const now = performance.now();
      const running = { proven: 0, unknown: 0, failing: 0 };
      const endpoints: Share['endpoints'] = new Map();
      for (const [endpointId, pace] of paces) {
        const reliability = reliabilityOf(pace);
        running[reliability] += pace.running;
        const free = freeSlots(pace, slotsPerEndpoint, now);
        endpoints.set(endpointId, { reliability: reliabilityLevels.indexOf(reliability) + 1, slots: free });
      }
      const count = slots - running.proven - running.unknown - running.failing;
      const capacity = reliabilityLevels.map((level) =>
        Math.min(count, Math.ceil(slots * shares[level]) - running[level]),
      );
      return { count, capacity, endpoints, newEndpointSlots: newPace.limit };
    },
    begin(endpointId) {
      if (paces.size >= maxEndpoints) deleteIdle(paces);
      change(endpointId, 1, (pace) => pace);
    },
    end(endpointId, hasSucceeded) {
      change(endpointId, -1, (pace) =>
        hasSucceeded ? afterSuccess(pace, slotsPerEndpoint) : afterFailure(pace, performance.now()),
      );
    },
  };
}

/** Forgets idle endpoints. If they are used again, they are treated as new. */
function deleteIdle(paces: Map<string, Pace>): void {
  for (const [endpointId, pace] of paces) if (pace.running === 0) paces.delete(endpointId);
}
