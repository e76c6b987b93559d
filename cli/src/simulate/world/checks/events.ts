import type { Evidence } from '../evidence.ts';
import { groupBy } from '../group-by.ts';
import type { History, Violation } from '../history.ts';
import type { FeedEvent } from '../readers.ts';

/**
 * Every change has its event, in order and with the same body as the response to the write. There is no event without a
 * change, and a reader that followed the feed saw the same events as one that reads it afterwards.
 */
export function checkEvents(history: History, evidence: Evidence): Violation[] {
  return [...checkOrderEvents(history, evidence), ...checkJobEvents(evidence), ...checkLiveFeed(evidence)];
}

/** `from → to` and who made the change determine the event. */
const eventTypes: Record<string, string> = {
  'null RECEIVED': 'order.received',
  'RECEIVED READY_FOR_PICKUP': 'order.ready_for_pickup',
  'RECEIVED DISPATCHED': 'order.dispatched',
  'READY_FOR_PICKUP DISPATCHED': 'order.dispatched',
  'DISPATCHED DELIVERED': 'order.delivered',
};

function checkOrderEvents({ operations }: History, { changes, feed, orders }: Evidence): Violation[] {
  const found: Violation[] = [];
  const changesOf = groupBy(changes, ({ order_id }) => order_id);
  const eventsOf = groupBy(feed, ({ orderId }) => orderId);
  const bodies = new Map<string, string>();
  for (const { result } of operations) {
    if (result?.snapshot !== undefined) bodies.set(`${result.orderId} ${result.revision}`, result.snapshot);
  }
  for (const { order } of orders) {
    const id = order.order_id as string;
    const report = (rule: string, message: string) =>
      found.push({ rule, message: `order ${id}: ${message}`, subject: id });
    const own = eventsOf.get(id) ?? [];
    const revisions = own.map(({ revision = 0 }) => revision);
    if (revisions.some((revision, index) => revision <= (revisions[index - 1] ?? 0))) {
      report('events in order', `its events have the revisions ${revisions.join(', ')}`);
    }
    const isByVendor = order.transport_type === 'VENDOR_DELIVERY';
    const isByPartner = order.cancellation?.cancelled_by === 'VENDOR';
    for (const { revision, from_status, to_status } of changesOf.get(id) ?? []) {
      const usual = eventTypes[`${from_status} ${to_status}`];
      const cancelled = to_status === 'CANCELLED' && !isByPartner ? 'order.cancelled' : undefined;
      const expected = usual === 'order.delivered' && isByVendor ? undefined : (usual ?? cancelled);
      const types = own.filter((event) => event.revision === revision).map(({ type }) => type);
      if (types.length === 0 && expected !== undefined)
        report('no event is lost', `no ${expected} for revision ${revision}`);
      else if (types.join() !== (expected ?? '')) {
        report(
          'no event without its cause',
          `revision ${revision} has the events ${types.join(', ')}, not ${expected ?? 'none'}`,
        );
      }
    }
    for (const { revision, snapshot } of own) {
      const response = bodies.get(`${id} ${revision}`);
      if (response !== undefined && response !== snapshot) {
        report('events match responses', `the event for revision ${revision} differs from the response to the write`);
      }
    }
  }
  const known = new Set(orders.map(({ order }) => order.order_id));
  const uncaused = feed.filter(({ orderId }) => orderId !== undefined && !known.has(orderId));
  return [...found, ...uncaused.map(uncausedEvent)];
}

function checkJobEvents({ jobs, feed }: Evidence): Violation[] {
  const eventsOf = groupBy(feed, ({ jobId }) => jobId);
  const known = new Set(jobs.map(({ job_id }) => job_id));
  const uncaused = feed.filter(({ jobId }) => jobId !== undefined && !known.has(jobId));
  const missing = jobs.filter(({ type, job_id }) => type !== 'PROMOTION' && eventsOf.get(job_id)?.length !== 1);
  return [
    ...missing.map(({ job_id }) => ({
      rule: 'no event is lost',
      message: `job ${job_id} has ${eventsOf.get(job_id)?.length ?? 0} events`,
    })),
    ...uncaused.map(uncausedEvent),
  ];
}

function uncausedEvent({ eventId, type, chain }: FeedEvent): Violation {
  return { rule: 'no event without its cause', message: `${chain}: event ${eventId} (${type}) has no cause` };
}

function checkLiveFeed({ feed, liveFeed }: Evidence): Violation[] {
  const rule = 'the feed never changes';
  const byChain = groupBy(feed, ({ chain }) => chain);
  return liveFeed.flatMap(({ chain, eventIds }) => {
    const now = (byChain.get(chain) ?? []).map(({ eventId }) => eventId);
    const index = now.findIndex((id, at) => id !== eventIds[at]);
    if (index < 0 && now.length === eventIds.length) return [];
    const at = index < 0 ? now.length : index;
    const message = `${chain}: the feed had ${eventIds.length} events and now has ${now.length}; event ${at + 1} was ${eventIds[at]} and is ${now[at]}`;
    const subject = byChain.get(chain)?.[at]?.orderId;
    return [{ rule, message, ...(subject !== undefined && { subject }) }];
  });
}
