import { keptAttempts } from '@aisle/contract/deliveries';
import type { Database } from '../kernel/database/db.ts';
import type { Scope } from '../kernel/database/scope.ts';
import { mergeTallies, recordTallies } from '../tallies/index.ts';
import { type EndpointResult, recordHealth } from '../webhooks/index.ts';
import { deleteOldAttempts, type Finished, insertAttempts, updateDeliveries } from './attempt-queries.ts';
import { type Head, timeAfter } from './lane-queries.ts';
import { pingType } from './rules/attempt.ts';
import { lockHeldLanes, settleHeldLanes } from './settle-lanes.ts';

/** Writes many attempts in one transaction. Skips those whose lane has been claimed by another sender. */
export function recordAttempts(db: Database, scope: Scope, finished: Finished[]): Promise<void> {
  return db.withIdleLimit.transaction(async (tx) => {
    const held = await lockHeldLanes(
      tx,
      scope,
      finished.map(({ head }) => head),
    );
    const lanes = new Map(held.map((lane) => [`${lane.lane_id} ${lane.claim}`, lane]));
    const ours = finished.flatMap((one) => {
      const lane = lanes.get(`${one.head.lane_id} ${one.head.claim}`);
      if (!lane) return [];
      const nextAttemptAt = one.retrySeconds === null ? null : timeAfter(lane, one.retrySeconds);
      return [{ ...one, nextAttemptAt, lane: { ...lane, due_at: nextAttemptAt ?? lane.held_at } }];
    });
    if (ours.length === 0) return;
    updateDeliveries(tx, scope, ours);
    insertAttempts(tx, ours);
    const long = ours.flatMap(({ head }) => (head.attempt_count < keptAttempts ? [] : numbered(head)));
    if (long.length > 0) deleteOldAttempts(tx, scope, long);
    const genuine = ours.filter(({ isStaged }) => !isStaged);
    // A chain's statistics do not count what is sent to the platform.
    const counted = genuine.filter(({ head }) => head.type !== pingType && !head.is_platform);
    recordTallies(tx, mergeTallies(counted.map(tallyOf)));
    await settleHeldLanes(
      tx,
      scope,
      ours.map(({ lane }) => lane),
    );
    await recordHealth(tx, genuine.map(resultOf));
  });
}

function numbered({ chain_id, delivery_id, attempt_count }: Head) {
  return { chain_id, delivery_id, attempt_no: attempt_count + 1 };
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

function resultOf({ head, outcome }: Finished): EndpointResult {
  return {
    chainId: head.chain_id,
    endpointId: head.endpoint_id,
    addressNo: head.address_no,
    wasFailing: head.failing_since !== null,
    isPlatform: head.is_platform,
    outcome,
  };
}
