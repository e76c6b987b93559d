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

export type FeedOptions = {
  /** The pause between two pages, so that fewer requests read more events each. */
  pauseMs?: number;
  onEvent?: (event: FeedEvent) => void;
};

/**
 * Reads a chain's feed from the start until `isOver`, and then until there are no more events. Keeps its cursor while
 * the API fails and recovers.
 */
export async function readFeed(
  sender: Sender,
  chain: Chain,
  isOver: () => boolean,
  { pauseMs = 0, onEvent }: FeedOptions = {},
): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  let cursor = '0';
  for (let isLast = isOver(); ; ) {
    const path = `${chain.base}/events?after=${cursor}&limit=200&wait=${isLast ? 0 : 2}`;
    const response = await readUntilOk(sender, chain, path);
    cursor = response.body.next_cursor;
    for (const body of response.body.events) {
      const event = feedEvent(chain.tag, body);
      events.push(event);
      onEvent?.(event);
    }
    if (isLast && response.body.events.length === 0) return events;
    isLast = isOver();
    if (!isLast && pauseMs > 0) await sleep(pauseMs);
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

const maxConcurrent = 8;

/** Reads something for every item, for a few at a time. */
export async function readEach<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await read(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, work));
  return results;
}

const maxTries = 1000;

/** Repeats the request while the API fails or limits it. */
export async function readUntilOk(sender: Sender, chain: Chain, path: string): Promise<Response> {
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
