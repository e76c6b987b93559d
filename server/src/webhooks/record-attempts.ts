import type { Database, Tx } from '../kernel/database/db.ts';
import { recordTallies } from '../tallies/index.ts';
import { type Finished, writeAttempts } from './attempt-queries.ts';
import { lockLanes, settleLanes } from './lane-queries.ts';
import { clearFailing, lockEndpoint, updateHealth } from './queries.ts';
import { type Outcome, pingType } from './rules/attempt.ts';
import { healthAfter } from './rules/endpoint-health.ts';

/** Many tries at once, in one transaction. What is no longer ours to say (the lease ran out) is left out. */
export function recordAttempts(db: Database, finished: Finished[]): Promise<void> {
  return db.transaction(async (tx) => {
    const held = await lockLanes(
      tx,
      finished.map(({ head }) => head),
    );
    const claims = new Set(held.map(({ lane_id, claim }) => `${lane_id} ${claim}`));
    const ours = finished.filter(({ head }) => claims.has(`${head.lane_id} ${head.claim}`));
    if (ours.length === 0) return;
    await writeAttempts(tx, ours);
    await recordTallies(tx, ours.filter(({ head }) => head.type !== pingType).map(tallyOf));
    await settleLanes(
      tx,
      ours.map(({ head }) => head),
      ours.map(({ nextAttemptAt }) => nextAttemptAt),
    );
    await recordHealth(tx, ours);
  });
}

function tallyOf({ head, startedAt, durationMs, outcome }: Finished) {
  const isSuccess = outcome === 'success';
  return {
    chainId: head.chain_id,
    vendorId: head.vendor_id,
    at: startedAt,
    change: isSuccess ? { attempts_succeeded: 1 } : { attempts_failed: 1 },
    tookMs: isSuccess ? durationMs : undefined,
  };
}

type Verdict = { chainId: string; endpointId: string; addressNo: number; outcome: Outcome };

/** Once an endpoint and round: one success outweighs the failures beside it, 410 outweighs all. */
async function recordHealth(tx: Tx, finished: Finished[]): Promise<void> {
  const verdicts = new Map<string, Verdict>();
  const failing = new Set(finished.flatMap(({ head }) => (head.failing_since === null ? [] : [head.endpoint_id])));
  for (const { head, outcome } of finished) {
    const { chain_id: chainId, endpoint_id: endpointId, address_no: addressNo } = head;
    const known = verdicts.get(endpointId);
    if (known && !outweighs(outcome, known.outcome)) continue;
    verdicts.set(endpointId, { chainId, endpointId, addressNo, outcome });
  }
  // Always in this order: two workers must not wait for each other.
  const sorted = [...verdicts.values()].toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
  for (const verdict of sorted.filter((one) => one.outcome !== 'success')) await judgeEndpoint(tx, verdict);
  // Of those that were well when they were tried there is nothing to say.
  const recovered = sorted.filter((one) => one.outcome === 'success' && failing.has(one.endpointId));
  if (recovered.length > 0) await clearFailing(tx, recovered);
}

function outweighs(outcome: Outcome, other: Outcome): boolean {
  if (other === 'gone') return false;
  return outcome === 'gone' || (outcome === 'success' && other !== 'success');
}

async function judgeEndpoint(tx: Tx, { chainId, endpointId, addressNo, outcome }: Verdict): Promise<void> {
  const endpoint = await lockEndpoint(tx, chainId, endpointId);
  // Gone, or tried at an address it no longer has.
  if (!endpoint || endpoint.address_no !== addressNo) return;
  const after = healthAfter(endpoint, outcome, new Date());
  const isSame =
    after.failing_since?.getTime() === endpoint.failing_since?.getTime() &&
    after.disabled_reason === endpoint.disabled_reason;
  if (!isSame) await updateHealth(tx, chainId, endpointId, after);
}
