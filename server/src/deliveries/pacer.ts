import type { Share } from './claim-queries.ts';
import {
  afterFailure,
  afterSuccess,
  freeSlots,
  isQueueGivenUp,
  newPace,
  type Pace,
  reliabilityLevels,
  reliabilityOf,
} from './rules/pace.ts';
import { createTlsPauses } from './tls-pauses.ts';

/** Divides this sender's slots among the chains and their endpoints. */
export type Pacer = {
  /** The capacity that is free now. */
  share(): Share;
  /**
   * Resolves when the attempt can start: at once if the endpoint has a free slot. Resolves to false if it cannot, because
   * the endpoint no longer works; then only `end` is to be called.
   */
  begin(endpoint: Endpoint): Promise<boolean>;
  /** Called when the endpoint has responded. Its slot is free, but not the sender's, until the attempt is written. */
  respond(endpoint: Endpoint, result: Result): void;
  end(endpoint: Endpoint): void;
};

type Endpoint = { chain_id: string; endpoint_id: string; is_platform: boolean };
type Result = { hasSucceeded: boolean; durationMs: number; isTlsFailure?: boolean };

/**
 * The share of all slots that each reliability level can use. This leaves slots for endpoints that are known to work
 * and respond soon.
 */
const shares = { proven: 1, unknown: 1 / 2, failing: 1 / 4, slow: 1 / 2 };
/** The share of all slots that the endpoints of one chain can use together, so that it cannot use them all. */
const chainShare = 1 / 2;
const maxEndpoints = 10_000;

/** `ahead`: see `freeSlots`. */
export function createPacer(slots: number, slotsPerEndpoint: number, ahead = 0): Pacer {
  const paces = new Map<string, Pace>();
  /** The attempts that wait for a slot of their endpoint. */
  const queues = new Map<string, ((isStarted: boolean) => void)[]>();
  /** The number of running attempts of each chain that has any. */
  const chains = new Map<string, number>();
  const slotsPerChain = Math.max(slotsPerEndpoint, Math.ceil(slots * chainShare));
  const pauses = createTlsPauses();
  /** The number of attempts that are being written. */
  let ended = 0;
  const paceOf = ({ endpoint_id }: Endpoint) => paces.get(endpoint_id) ?? newPace;
  const change = (endpoint: Endpoint, by: { running?: number; queued?: number }) => {
    const pace = paceOf(endpoint);
    const { running = 0, queued = 0 } = by;
    paces.set(endpoint.endpoint_id, { ...pace, running: pace.running + running, queued: pace.queued + queued });
  };
  const isFree = (endpoint: Endpoint) => {
    const { running, limit } = paceOf(endpoint);
    return running < Math.min(slotsPerEndpoint, limit);
  };
  const startQueued = (endpoint: Endpoint) => {
    const queue = queues.get(endpoint.endpoint_id) ?? [];
    const isGivenUp = isQueueGivenUp(paceOf(endpoint));
    while (queue.length > 0 && (isGivenUp || isFree(endpoint))) {
      change(endpoint, { queued: -1, running: isGivenUp ? 0 : 1 });
      if (isGivenUp) ended += 1;
      queue.shift()?.(!isGivenUp);
    }
    if (queue.length === 0) queues.delete(endpoint.endpoint_id);
  };
  const count = ({ chain_id, is_platform }: Endpoint, by: number) => {
    if (is_platform) return;
    const running = (chains.get(chain_id) ?? 0) + by;
    if (running > 0) chains.set(chain_id, running);
    else chains.delete(chain_id);
  };
  return {
    share() {
      const now = performance.now();
      const running = { proven: 0, unknown: 0, failing: 0, slow: 0 };
      const endpoints: Share['endpoints'] = new Map();
      const held = pauses.listHeld(now);
      for (const [endpointId, pace] of paces) {
        const reliability = reliabilityOf(pace);
        running[reliability] += pace.running + pace.queued;
        const own = held.has(endpointId) ? 0 : freeSlots(pace, slotsPerEndpoint, now, ahead);
        endpoints.set(endpointId, { reliability: reliabilityLevels.indexOf(reliability) + 1, slots: own });
      }
      const free = slots - ended - sum(Object.values(running));
      const capacity = reliabilityLevels.map((level) =>
        Math.min(free, Math.ceil(slots * shares[level]) - running[level]),
      );
      const busyChains = new Map([...chains].map(([chainId, own]) => [chainId, Math.max(0, slotsPerChain - own)]));
      return { count: free, capacity, endpoints, newEndpointSlots: newPace.limit, busyChains, slotsPerChain };
    },
    begin(endpoint) {
      if (paces.size >= maxEndpoints) deleteIdle(paces);
      count(endpoint, 1);
      if (!endpoint.is_platform) pauses.begin(endpoint, performance.now());
      if (isFree(endpoint)) {
        change(endpoint, { running: 1 });
        return Promise.resolve(true);
      }
      change(endpoint, { queued: 1 });
      return new Promise((start) => {
        queues.set(endpoint.endpoint_id, [...(queues.get(endpoint.endpoint_id) ?? []), start]);
      });
    },
    respond(endpoint, { hasSucceeded, durationMs, isTlsFailure = false }) {
      if (!endpoint.is_platform) pauses.respond(endpoint, { isTlsFailure, durationMs }, performance.now());
      const pace = paceOf(endpoint);
      const next = hasSucceeded
        ? afterSuccess(pace, slotsPerEndpoint, durationMs)
        : afterFailure(pace, performance.now());
      paces.set(endpoint.endpoint_id, next);
      change(endpoint, { running: -1 });
      ended += 1;
      startQueued(endpoint);
    },
    end(endpoint) {
      ended -= 1;
      count(endpoint, -1);
    },
  };
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Forgets idle endpoints. If they are used again, they are treated as new. */
function deleteIdle(paces: Map<string, Pace>): void {
  for (const [endpointId, pace] of paces) if (pace.running === 0) paces.delete(endpointId);
}
