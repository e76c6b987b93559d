import type { Database } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { startLoop } from '../kernel/background/loop.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import {
  type ClaimedLane,
  claimLanes,
  type Head,
  listHeads,
  lockLanes,
  renewLeases,
  settleLanes,
} from './lane-queries.ts';
import { createPacer } from './pacer.ts';
import { createRecorder } from './recorder.ts';
import { sendDelivery, type SendOptions } from './send-delivery.ts';

/**
 * Sending, and why nothing is lost, overtaken, or held up by others.
 *
 * Publishing an event makes a delivery of it (`plan-deliveries.ts`), in one transaction. A lane is all that waits for
 * one order (or job); the row in `delivery_lanes` says when it is due. A sender claims due lanes for a few seconds and
 * sends the first delivery of each, outside any transaction. When the try is over, one transaction writes the attempt,
 * what became of the delivery, and when the lane is due again: at once for the next delivery, later for a retry, never
 * if nothing is left. So a later event of an order cannot be sent while an earlier one is open, whatever fails.
 *
 * While a try lasts its lease is renewed every second. A sender that dies stops doing so, and within the lease another
 * one claims the lane and sends the same bytes under the same id again: at least once. The claim is a number that
 * counts up; who comes late with an old one has nothing to say any more.
 *
 * Endpoints take turns (`claimLanes`) and get only as much room as they have shown to deserve (`rules/pace.ts`): one
 * that hangs or refuses shrinks to a single try at a time, and all those that are not known to work share one half of
 * the slots. So neither ten thousand waiting events nor a hundred dead endpoints delay what can be delivered.
 */
export type Sender = {
  wake(): void;
  isAlive(): boolean;
  /** Claims nothing more and waits for what is under way. */
  drain(): Promise<void>;
};

export type SenderOptions = SendOptions & {
  db: Database;
  log: Log;
  metrics: DeliveryMetrics;
  slots: number;
  slotsPerEndpoint: number;
};

const pollMs = 250;
/** Under load a round finds more to claim at once. */
const gapMs = 10;
const leaseSeconds = 5;
const renewEveryMs = 1000;
/** Until a lane is looked at again that could not even be tried. */
const retryDelayMs = 60_000;

export function startSender(options: SenderOptions): Sender {
  const { db, log, metrics } = options;
  const pacer = createPacer(options.slots, options.slotsPerEndpoint);
  const recorder = createRecorder(db, log);
  const underWay = new Map<Head, { since: number; end: Promise<void> }>();
  let after = { chainId: nobody, endpointId: nobody };

  const round = async (): Promise<boolean> => {
    const share = pacer.share();
    if (share.count <= 0) return false;
    const lanes = await claimLanes(db, { ...share, after, leaseSeconds });
    const last = lanes.at(-1);
    if (!last) return false;
    after = { chainId: last.chain_id, endpointId: last.endpoint_id };
    await startAll(lanes);
    return true;
  };
  const startAll = async (lanes: ClaimedLane[]) => {
    const heads = await listHeads(db, lanes);
    for (const head of heads) start(head);
    const found = new Set(heads.map((head) => head.lane_id));
    const empty = lanes.filter((lane) => !found.has(lane.lane_id));
    if (empty.length > 0) await settle(db, empty, null);
  };
  const start = (head: Head) => {
    pacer.begin(head.endpoint_id);
    const end = tryOnce(head).finally(() => {
      underWay.delete(head);
      loop.wake();
    });
    underWay.set(head, { since: performance.now(), end });
  };
  const tryOnce = async (head: Head) => {
    let hasSucceeded = false;
    try {
      const finished = await sendDelivery(options, head);
      hasSucceeded = finished.outcome === 'success';
      metrics.observe(head.endpoint_id, finished.outcome, finished.durationMs / 1000);
      logAttempt(log, head, finished);
      await recorder.record(finished);
    } catch (error) {
      // Nothing the receiver did: a secret that no key opens, for instance. It counts as no try.
      log.error({ event: 'delivery.not_tried', chain_id: head.chain_id, delivery_id: head.delivery_id, err: error });
      await settle(db, [head], new Date(Date.now() + retryDelayMs)).catch(() => {});
    } finally {
      pacer.end(head.endpoint_id, hasSucceeded);
    }
  };

  const loop = startLoop({ name: 'sender', pollMs, gapMs, log, run: round });
  const renewal = setInterval(() => {
    const now = performance.now();
    const long = [...underWay].filter(([, { since }]) => now - since > renewEveryMs).map(([head]) => head);
    if (long.length > 0) renewLeases(db, long, leaseSeconds).catch(() => {});
  }, renewEveryMs);
  return {
    wake: loop.wake,
    isAlive: loop.isAlive,
    async drain() {
      await loop.stop();
      await Promise.all([...underWay.values()].map(({ end }) => end));
      clearInterval(renewal);
    },
  };
}

async function settle(db: Database, lanes: ClaimedLane[], retryAt: Date | null): Promise<void> {
  await db.transaction(async (tx) => {
    const ours = await lockLanes(tx, lanes);
    const times = ours.map(() => retryAt);
    if (ours.length > 0) await settleLanes(tx, ours, times);
  });
}

const nobody = '00000000-0000-0000-0000-000000000000';

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
