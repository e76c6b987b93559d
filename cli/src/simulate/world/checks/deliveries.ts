import type { Evidence } from '../evidence.ts';
import type { Arrival, History, Violation } from '../history.ts';
import type { FeedEvent } from '../readers.ts';

/** Every event in the feed was delivered to its chain, unchanged and in order, and nothing else was sent. */
export function checkDeliveries({ arrivals }: History, { feed, deliveries }: Evidence): Violation[] {
  const known = new Map(feed.map((event) => [event.eventId, event]));
  const statuses = new Map(deliveries.map(({ delivery_id, status }) => [delivery_id, status]));
  const received = new Set(arrivals.map(({ eventId }) => eventId));
  const missing = feed.flatMap((event) => {
    const status = statuses.get(event.eventId);
    if (status === 'DELIVERED' && received.has(event.eventId)) return [];
    const reason = status === undefined ? 'has no delivery' : `is ${status}, received: ${received.has(event.eventId)}`;
    return [violation('feed and deliveries agree', event, reason)];
  });
  const foreign = arrivals.flatMap((arrival) => checkArrival(arrival, known.get(arrival.eventId)));
  return [...missing, ...foreign, ...checkSequence(arrivals, known)];
}

function checkArrival({ chain, eventId, digest }: Arrival, event: FeedEvent | undefined): Violation[] {
  if (!event)
    return [{ rule: 'feed and deliveries agree', message: `${chain} received ${eventId}, which is not in the feed` }];
  if (event.chain !== chain) return [violation('no foreign data', event, `was sent to ${chain}`)];
  return event.digest === digest
    ? []
    : [violation('feed and deliveries agree', event, 'was sent with a different body')];
}

/** Messages can arrive more than once, but the first arrivals of an order's events are in the order of the feed. */
function checkSequence(arrivals: Arrival[], known: Map<string, FeedEvent>): Violation[] {
  const positions = new Map([...known.keys()].map((eventId, index) => [eventId, index]));
  const last = new Map<string, number>();
  const seen = new Set<string>();
  return arrivals.flatMap(({ eventId }) => {
    const event = known.get(eventId);
    const position = positions.get(eventId);
    if (!event || position === undefined || seen.has(eventId)) return [];
    seen.add(eventId);
    const lane = event.orderId ?? event.jobId ?? '';
    const isLate = position < (last.get(lane) ?? -1);
    last.set(lane, Math.max(position, last.get(lane) ?? -1));
    return isLate ? [violation('deliveries in order', event, 'arrived after a later event')] : [];
  });
}

function violation(rule: string, event: FeedEvent, problem: string): Violation {
  const message = `${event.chain}: event ${event.eventId} (${event.type}, revision ${event.revision ?? 'none'}) ${problem}`;
  return { rule, message, ...(event.orderId !== undefined && { subject: event.orderId }) };
}
