import type { Chain } from './chain.ts';
import { type FeedEvent, readFeed, type WalkedOrder, walkOrders } from './readers.ts';
import type { Sender } from './sender.ts';

/**
 * What is stored at the end. The fault simulation reads what the API does not show from the database; `aisle simulate`
 * uses the API only.
 */
export type Evidence = {
  chains: Chain[];
  /** The last state of every order, from a walk through all of them. */
  orders: { chain: string; order: WalkedOrder }[];
  /** The complete feed of every chain, read after the simulation. */
  feed: FeedEvent[];
  /** The ids of the events in every chain's feed, as they were read while the simulation ran. */
  liveFeed: { chain: string; eventIds: string[] }[];
  changes: Change[];
  lines: StoredLine[];
  offers: Offer[];
  /** The copies of storefronts that followed the changes while the simulation ran. Empty if none did. */
  copies: Offer[];
  deliveries: { delivery_id: string; chain_id: string; status: string }[];
  jobs: Job[];
  /** Empty if the counters cannot be read. */
  promotions: { chain_id: string; name: string; global_limit: number | null; global_used: number }[];
  /** Empty if the queue cannot be read. */
  deadTasks: { chain_id: string; kind: string; last_error: string }[];
};

export const noEvidence: Evidence = {
  chains: [],
  orders: [],
  feed: [],
  liveFeed: [],
  changes: [],
  lines: [],
  offers: [],
  copies: [],
  deliveries: [],
  jobs: [],
  promotions: [],
  deadTasks: [],
};

export type Change = {
  chain_id: string;
  order_id: string;
  revision: number;
  from_status: string | null;
  to_status: string;
};
export type StoredLine = {
  chain_id: string;
  vendor_id: string;
  order_id: string;
  sku: string;
  status: string;
  quantity: number;
  /** The units that were taken from the stock; null means 0. Undefined if that cannot be read. */
  taken: number | null | undefined;
};
export type Offer = { chain_id: string; vendor_id: string; sku: string; quantity: number | null; price: number };
export type Job = { chain_id: string; job_id: string; type: string; status: string; failed: number };

/** Reads the orders and the feed of every chain. */
export async function readOrdersAndFeed(sender: Sender, chains: Chain[]): Promise<Pick<Evidence, 'orders' | 'feed'>> {
  const orders: Evidence['orders'] = [];
  const feed: FeedEvent[] = [];
  for (const chain of chains) {
    for (const order of await walkOrders(sender, chain)) orders.push({ chain: chain.tag, order });
    feed.push(...(await readFeed(sender, chain, () => true)));
  }
  return { orders, feed };
}
