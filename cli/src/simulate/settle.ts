import { setTimeout as sleep } from 'node:timers/promises';
import type { ManagedChain } from './create-chains.ts';
import type { Chain } from './world/chain.ts';
import type { History, OperationKind, Violation } from './world/history.ts';
import { readEach, readUntilOk } from './world/readers.ts';
import type { Sender } from './world/sender.ts';

export type Pending = { events: number; deliveries: number; jobs: number };

export type Settling = {
  sender: Sender;
  chains: ManagedChain[];
  history: History;
  /** When the simulation started, by the clock of the server or earlier. */
  since: string;
  /** Whether a reader of the feed has seen the event of this revision. */
  hasEvent(orderId: string, revision: number): boolean;
  onProgress(pending: Pending): void;
  /** How long nothing may change while something is pending. */
  patienceMs: number;
};

const resendIntervalMs = 3000;

/**
 * Waits until every event is in the feed, every delivery has arrived and every job has finished. Failed deliveries are
 * sent again, because their next attempt could be hours away. Returns a violation if something stays pending.
 */
export async function settle(settling: Settling): Promise<Violation[]> {
  let last = '';
  let changedAt = performance.now();
  let resentAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const pending = await countPending(settling);
    settling.onProgress(pending);
    if (pending.events + pending.deliveries + pending.jobs === 0) return [];
    const now = performance.now();
    const text = JSON.stringify(pending);
    if (text !== last) changedAt = now;
    last = text;
    if (now - changedAt > settling.patienceMs) {
      const message = `nothing has changed for ${settling.patienceMs / 1000} s, and ${text} are still pending`;
      return [{ rule: 'everything finishes', message }];
    }
    if (pending.deliveries > 0 && now - resentAt > resendIntervalMs) {
      resentAt = now;
      await resendFailed(settling);
    }
    await sleep(500);
  }
}

async function countPending({ sender, chains, history, hasEvent }: Settling): Promise<Pending> {
  let deliveries = 0;
  let jobs = 0;
  for (const chain of chains) {
    const total = async (path: string) =>
      (await readUntilOk(sender, chain, `${chain.base}/${path}&page_size=1`)).body.total_items as number;
    deliveries += (await total('deliveries?status=PENDING')) + (await total('deliveries?status=FAILED'));
    jobs += (await total('catalog/jobs?status=QUEUED')) + (await total('catalog/jobs?status=IN_PROGRESS'));
  }
  const promotions = await readPromotionJobs(sender, chains, history);
  return {
    events: expectedEvents(history, chains).filter(({ orderId, revision }) => !hasEvent(orderId, revision)).length,
    deliveries,
    jobs: jobs + promotions.filter(({ job }) => job.job_status === 'QUEUED').length,
  };
}

/** The promotion jobs that were accepted; there is no list of them. */
export async function readPromotionJobs(sender: Sender, chains: ManagedChain[], { operations }: History) {
  const accepted = operations.filter(({ kind, result }) => kind === 'promotion' && result?.jobId !== undefined);
  return readEach(accepted, async ({ chain: tag, result }) => {
    const chain = chains.find((each) => each.tag === tag) as ManagedChain;
    const { body: job } = await readUntilOk(sender, chain, `${chain.base}/promotion/jobs/${result?.jobId}`);
    return { chain, job };
  });
}

/** The revisions that acknowledged writes have made and that have an event. */
export function expectedEvents({ operations }: History, chains: Chain[]): { orderId: string; revision: number }[] {
  const ownRiders = new Set(chains.flatMap(storesWithRiders));
  const storeOf = new Map(
    operations.flatMap(({ vendorId, result }) => (vendorId ? [[result?.orderId, vendorId]] : [])),
  );
  return operations.flatMap(({ kind, outcome, result }) => {
    const { orderId, revision } = result ?? {};
    if (outcome !== 'acknowledged' || orderId === undefined || revision === undefined) return [];
    // A store that delivers its orders itself is not told that it has.
    const isAnnounced = kind === 'deliver' ? !ownRiders.has(storeOf.get(orderId) ?? '') : announcedKinds.has(kind);
    return isAnnounced ? [{ orderId, revision }] : [];
  });
}

const announcedKinds = new Set<OperationKind>(['place', 'fulfil', 'pickup', 'cancel']);

function storesWithRiders({ stores, vendors }: Chain): string[] {
  return vendors.filter((_, index) => stores[index]?.transport === 'VENDOR_DELIVERY');
}

/** A request that fails is repeated with the next round. */
async function resendFailed({ chains, since }: Settling): Promise<void> {
  await Promise.all(chains.map(({ client }) => client.resendFailedDeliveries({ body: { since } }).catch(() => {})));
}
