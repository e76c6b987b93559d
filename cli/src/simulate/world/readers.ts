import { setTimeout as sleep } from 'node:timers/promises';
import { digest, orderDigest } from './history.ts';
import type { Chain } from './chain.ts';
import type { Response, Sender } from './sender.ts';

export type FeedEvent = {
  chain: string;
  eventId: string;
  type: string;
  orderId: string | undefined;
  jobId: string | undefined;
  revision: number | undefined;
  /** Identifies the body, and for order events the order at this revision. */
  digest: string;
  snapshot: string | undefined;
};

// oxlint-disable-next-line typescript/no-explicit-any -- orders are read as JSON
export type WalkedOrder = any;

/**
 * Reads a chain's feed from the start until `isOver`, and then until there are no more events. Keeps its cursor while
 * the API fails and recovers.
 */
export async function readFeed(sender: Sender, chain: Chain, isOver: () => boolean): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  let cursor = '0';
  for (let isLast = isOver(); ; ) {
    const path = `${chain.base}/events?after=${cursor}&limit=200&wait=${isLast ? 0 : 2}`;
    const response = await readUntilOk(sender, chain, path);
    cursor = response.body.next_cursor;
    for (const event of response.body.events) events.push(feedEvent(chain.tag, event));
    if (isLast && response.body.events.length === 0) return events;
    isLast = isOver();
  }
}

/** Walks all of a chain's orders with the cursor, as in reconciliation. Returns the last state of each order. */
export async function walkOrders(sender: Sender, chain: Chain): Promise<WalkedOrder[]> {
  const orders = new Map<string, WalkedOrder>();
  for (let cursor = ''; ; ) {
    const response = await readUntilOk(sender, chain, `${chain.base}/orders?limit=200${cursor}`);
    for (const order of response.body.orders) orders.set(order.order_id, order);
    cursor = `&cursor=${encodeURIComponent(response.body.next_cursor)}`;
    if (!response.body.has_more) return [...orders.values()];
  }
}

const maxTries = 1000;

async function readUntilOk(sender: Sender, chain: Chain, path: string): Promise<Response> {
  for (let tries = 0; tries < maxTries; tries++) {
    const response = await sender.read(chain.tag, chain.token, path);
    if (response?.status === 200) return response;
    await sleep(200);
  }
  throw new Error(`GET ${path} did not return 200.`);
}

function feedEvent(chain: string, { event_id, type, body }: { event_id: string; type: string; body: WalkedOrder }) {
  return {
    chain,
    eventId: event_id,
    type,
    orderId: body.order_id,
    jobId: body.job_id,
    revision: body.revision,
    digest: digest(body),
    snapshot: body.order_id === undefined ? undefined : orderDigest(body),
  };
}
