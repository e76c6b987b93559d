import type { Database } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import {
  type ChainDatabases,
  type ChainLoop,
  type Chains,
  databaseOf,
  startChainLoop,
} from '../kernel/background/chain-loop.ts';
import type { Scope } from '../kernel/database/scope.ts';
import type { DeliveryMetrics } from './metrics.ts';
import { claimHeads, type Claimed, listDueEndpoints } from './claim-lanes.ts';
import { listDueChains } from './claim-queries.ts';
import { type ClaimedLane, type Head, timeAfter } from './lane-queries.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { createRecorders, type Recorders } from './recorder.ts';
import { sendDelivery, type SendOptions } from './send-delivery.ts';
import { lockHeldLanes, renewHeldLanes, settleHeldLanes } from './settle-lanes.ts';

/**
 * How deliveries are sent, and why they are not lost, reordered, or delayed by other endpoints.
 *
 * Publishing an event creates a delivery (`plan-deliveries.ts`) in the same transaction. A lane holds the pending
 * deliveries for one order (or job); its row in `delivery_lanes` has the time when the lane is due. A sender claims due
 * lanes for a few seconds (the lease) and sends the first delivery of each, outside any transaction. When the attempt
 * has ended, one transaction writes the attempt, the new status of the delivery, and when the lane is due again: now
 * for the next delivery, later for a retry, never if nothing is left. So a later event for an order is never sent while
 * an earlier one is pending.
 *
 * During an attempt the lease is renewed every second. A sender that crashes stops renewing the lease; when the lease
 * expires, another sender claims the lane and sends the same bytes under the same id again, so delivery is at least
 * once. Each claim increments a number, and a result with an old number is discarded.
 *
 * Chains and their endpoints are served round-robin (`claimLanes`), with a concurrency that depends on their results
 * (`rules/pace.ts`): an endpoint that hangs or fails is reduced to a single attempt at a time, all endpoints that are
 * not known to work share half of the slots, so do those that respond slowly, and a chain can use half of them. So
 * neither ten thousand pending events nor a hundred dead or slow endpoints delay deliveries to the other endpoints. An
 * endpoint can get the next delivery as soon as it has responded; the sender's slot is free when the attempt is written.
 * On a distributed database, deliveries are also claimed for slots that will be free soon.
 *
 * On a distributed database, lanes are claimed and results are written chain by chain, so a node that cannot be reached
 * delays only its own chains.
 */
export type Sender = Pick<ChainLoop, 'wake' | 'isAlive'> & {
  /** Stops claiming lanes and waits for the running attempts. */
  drain(): Promise<void>;
};

export type SenderOptions = SendOptions & {
  db: Database;
  log: Log;
  metrics: DeliveryMetrics;
  slots: number;
  slotsPerEndpoint: number;
  /** Undefined if the database is not distributed. */
  chains: (Chains & ChainDatabases) | undefined;
};

const pollMs = 250;
const gapMs = 15;
/** Responses to the deliveries of a round should arrive before the next round of the chain. */
const chainGapMs = 30;
/** So that a round of a chain has more to do, messages are also claimed for slots that will soon be free. */
const ahead = 2;
const leaseSeconds = 5;
const renewEveryMs = 1000;
/** The delay before a lane is tried again if its first delivery is still to be moved to another endpoint, or ended. */
const waitDelaySeconds = 1;
/** The delay before a lane is tried again if its delivery could not be sent at all. */
const retryDelaySeconds = 60;

type Running = Map<Head, { since: number; end: Promise<void> }>;

export function startSender(options: SenderOptions): Sender {
  const { db, log, chains } = options;
  const scopeOf = ({ chain_id }: ClaimedLane): Scope => (chains ? chain_id : null);
  const pacer = createPacer(options.slots, options.slotsPerEndpoint, chains ? ahead : 0);
  const near = (scope: Scope) => databaseOf(chains, db, scope);
  // The health of the platform's webhooks belongs to no chain.
  const recorders = createRecorders(
    (scope, batch) => (batch.some(({ head }) => head.is_platform) ? db : near(scope)),
    log,
  );
  const running: Running = new Map();
  let claiming = 0;
  let afterChain = nilId;

  const round = async (scope: Scope): Promise<boolean> => {
    const due = scope === null ? [] : await listDueEndpoints(near(scope), scope);
    if (scope !== null && due.length === 0) return false;
    const share = pacer.share();
    if (share.count <= 0) return false;
    claiming += 1;
    // If several chains claim lanes at the same time, they share what is free.
    const count = Math.ceil(share.count / claiming);
    const request = { ...share, count, afterChain, leaseSeconds };
    const claimed = await claimHeads(near(scope), scope, due, request).finally(() => (claiming -= 1));
    afterChain = claimed.lanes.at(-1)?.chain_id ?? afterChain;
    await startAll(scope, claimed);
    // Lanes that were left because of other limits are claimed when an attempt ends.
    return claimed.lanes.length === count;
  };
  const startAll = async (scope: Scope, { lanes, heads }: Claimed) => {
    for (const head of heads) start(head);
    const found = new Set(heads.map((head) => head.lane_id));
    const empty = lanes.filter((lane) => !found.has(lane.lane_id));
    if (empty.length > 0) await settle(near(scope), scope, empty, waitDelaySeconds);
  };
  const start = (head: Head) => {
    const begun = pacer.begin(head);
    const wake = () => loop.wake([head.chain_id]);
    const end = attempt(options, pacer, recorders, scopeOf(head), { head, begun, onResponse: wake }).finally(() => {
      running.delete(head);
      wake();
    });
    running.set(head, { since: performance.now(), end });
  };
  const listDue = (chainIds: readonly string[] | null) => listDueChains(db, chainIds);
  const loop = startChainLoop({
    name: 'sender',
    pollMs,
    gapMs: chains ? chainGapMs : gapMs,
    log,
    chains,
    listDue,
    run: round,
  });
  const stopRenewing = renewLong(near, running, scopeOf);
  return {
    wake: loop.wake,
    isAlive: loop.isAlive,
    async drain() {
      recorders.stopRetrying();
      await loop.stop();
      await Promise.all([...running.values()].map(({ end }) => end));
      stopRenewing();
    },
  };
}

type Attempt = { head: Head; begun: Promise<boolean>; onResponse(): void };

async function attempt(
  options: SenderOptions,
  pacer: Pacer,
  recorders: Recorders,
  scope: Scope,
  { head, begun, onResponse }: Attempt,
): Promise<void> {
  const { db, log, metrics } = options;
  try {
    if (!(await begun)) return await settle(db, scope, [head], 0).catch(() => {});
    const finished = await sendDelivery(options, head).catch((error: unknown) => {
      const { chain_id, delivery_id } = head;
      log.error({ event: 'delivery.not_attempted', chain_id, delivery_id, err: error });
    });
    const hasSucceeded = finished !== undefined && (finished.outcome === 'success' || finished.isStaged);
    const isTlsFailure = finished?.outcome === 'tls_failed';
    pacer.respond(head, { hasSucceeded, durationMs: finished?.durationMs ?? 0, isTlsFailure });
    onResponse();
    if (!finished) {
      // The receiver did not cause the error (for example, no key can decrypt the secret), so it does not count as an
      // attempt.
      await settle(db, scope, [head], retryDelaySeconds).catch(() => {});
      return;
    }
    metrics.observe(head.endpoint_id, finished.outcome, finished.durationMs / 1000);
    logAttempt(log, head, finished);
    await recorders.record(scope, finished);
  } finally {
    pacer.end(head);
  }
}

/** Renews the leases of attempts that take long, until the returned function is called. */
function renewLong(
  near: (scope: Scope) => Database,
  running: Running,
  scopeOf: (lane: ClaimedLane) => Scope,
): () => void {
  const renewal = setInterval(() => {
    const now = performance.now();
    const long = [...running].filter(([, { since }]) => now - since > renewEveryMs).map(([head]) => head);
    for (const [scope, lanes] of Map.groupBy(long, scopeOf)) {
      renewHeldLanes(near(scope), scope, lanes, leaseSeconds).catch(() => {});
    }
  }, renewEveryMs);
  return () => clearInterval(renewal);
}

async function settle(db: Database, scope: Scope, lanes: ClaimedLane[], retrySeconds: number): Promise<void> {
  await db.withIdleLimit.transaction(async (tx) => {
    const ours = await lockHeldLanes(tx, scope, lanes);
    const settled = ours.map((lane) => ({ ...lane, due_at: timeAfter(lane, retrySeconds) }));
    if (settled.length > 0) await settleHeldLanes(tx, scope, settled);
  });
}

const nilId = '00000000-0000-0000-0000-000000000000';

function logAttempt(log: Log, head: Head, { outcome, httpStatus, durationMs, status }: Attempted): void {
  log.info({
    event: 'delivery.attempted',
    chain_id: head.chain_id,
    delivery_id: head.delivery_id,
    endpoint_id: head.endpoint_id,
    type: head.type,
    attempt: head.attempt_count + 1,
    outcome,
    http_status: httpStatus,
    duration_ms: durationMs,
    status,
  });
}

type Attempted = Awaited<ReturnType<typeof sendDelivery>>;
