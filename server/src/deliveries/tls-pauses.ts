/**
 * A TLS handshake takes much more time of the process than a message on an open connection, and fails without a response
 * that shows whether it is worthwhile. So the endpoints of a chain whose last handshake has failed are tried one at a
 * time, with pauses that are ten times as long as the attempt. Other endpoints are not affected. (`HandshakeBudget` limits
 * how long a handshake can block the process.)
 */
export type TlsPauses = {
  /** The endpoints that must not be tried now. One per chain is left out, another one each time. */
  listHeld(nowMs: number): Set<string>;
  begin(endpoint: Endpoint, nowMs: number): void;
  respond(endpoint: Endpoint, result: Result, nowMs: number): void;
};

type Result = { isTlsFailure: boolean; durationMs: number };

type Endpoint = { chain_id: string; endpoint_id: string };
/** The endpoints of a chain whose last handshake failed; the first one is the next to be tried. */
type Failing = { endpointIds: string[]; pausedUntilMs: number };

const pauseFactor = 10;
const maxPauseMs = 60_000;
/** Longer than any attempt. */
const maxAttemptMs = 20_000;
const maxChains = 10_000;

export function createTlsPauses(): TlsPauses {
  const chains = new Map<string, Failing>();
  return {
    listHeld(nowMs) {
      return new Set([...chains.values()].flatMap((failing) => held(failing, nowMs)));
    },
    begin({ chain_id, endpoint_id }, nowMs) {
      const failing = chains.get(chain_id);
      if (failing?.endpointIds.includes(endpoint_id)) failing.pausedUntilMs = nowMs + maxAttemptMs;
    },
    respond({ chain_id, endpoint_id }, { isTlsFailure, durationMs }, nowMs) {
      const known = chains.get(chain_id);
      if (!known && !isTlsFailure) return;
      const others = known?.endpointIds.filter((id) => id !== endpoint_id) ?? [];
      const wasFailing = known?.endpointIds.includes(endpoint_id) ?? false;
      if (chains.size >= maxChains) chains.clear();
      if (isTlsFailure) {
        const pausedUntilMs = nowMs + Math.min(maxPauseMs, pauseFactor * durationMs);
        chains.set(chain_id, { endpointIds: [...others, endpoint_id], pausedUntilMs });
      } else if (others.length === 0) chains.delete(chain_id);
      else if (wasFailing) chains.set(chain_id, { endpointIds: others, pausedUntilMs: nowMs });
    },
  };
}

/** The endpoint that is left out may have nothing to send, so it is another one each time. */
function held(failing: Failing, nowMs: number): string[] {
  if (nowMs < failing.pausedUntilMs) return failing.endpointIds;
  const [first = '', ...others] = failing.endpointIds;
  failing.endpointIds = [...others, first];
  return others;
}
