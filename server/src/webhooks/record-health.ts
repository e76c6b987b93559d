import { readTime } from '../kernel/database/clock.ts';
import type { Tx } from '../kernel/database/db.ts';
import { clearPlatformFailing, lockPlatformWebhook, updatePlatformHealth } from './platform-queries.ts';
import { clearFailing, lockEndpoint, updateHealth } from './queries.ts';
import { healthAfter, type Outcome } from './rules/endpoint-health.ts';

/** The result of a request. `wasFailing` tells whether the endpoint was failing when the request was sent. */
export type EndpointResult = {
  chainId: string;
  endpointId: string;
  addressNo: number;
  wasFailing: boolean;
  /** Whether the endpoint is a webhook of the platform. */
  isPlatform: boolean;
  outcome: Outcome;
};

/** Updates each endpoint once for all of its results. A success outweighs failures, and a 410 outweighs everything. */
export async function recordHealth(tx: Tx, results: EndpointResult[]): Promise<void> {
  const decisive = new Map<string, EndpointResult>();
  const failing = new Set(results.flatMap(({ endpointId, wasFailing }) => (wasFailing ? [endpointId] : [])));
  for (const result of results) {
    const known = decisive.get(result.endpointId);
    if (!known || outweighs(result.outcome, known.outcome)) decisive.set(result.endpointId, result);
  }
  // Endpoints are locked in a fixed order, so two workers cannot deadlock.
  const sorted = [...decisive.values()].toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
  for (const result of sorted.filter((result) => result.outcome !== 'success')) await recordFailure(tx, result);
  for (const { outcome, chainId, endpointId, addressNo, isPlatform } of sorted) {
    if (outcome !== 'success' || !failing.has(endpointId)) continue;
    if (isPlatform) clearPlatformFailing(tx, endpointId, addressNo);
    else clearFailing(tx, chainId, endpointId, addressNo);
  }
}

function outweighs(outcome: Outcome, other: Outcome): boolean {
  if (other === 'gone') return false;
  return outcome === 'gone' || (outcome === 'success' && other !== 'success');
}

async function recordFailure(
  tx: Tx,
  { chainId, endpointId, addressNo, outcome, isPlatform }: EndpointResult,
): Promise<void> {
  const [endpoint, now] = await Promise.all([
    isPlatform ? lockPlatformWebhook(tx, endpointId) : lockEndpoint(tx, chainId, endpointId),
    readTime(tx),
  ]);
  // The endpoint was deleted, or the request was sent to its previous URL.
  if (!endpoint || endpoint.address_no !== addressNo) return;
  const after = healthAfter(endpoint, outcome, now);
  const isSame =
    after.failing_since?.getTime() === endpoint.failing_since?.getTime() &&
    after.disabled_reason === endpoint.disabled_reason;
  if (isSame) return;
  await (isPlatform ? updatePlatformHealth(tx, endpointId, after) : updateHealth(tx, chainId, endpointId, after));
}
