import type { Database } from '../server/src/kernel/database/db.ts';
import type { Chain } from './populate.ts';
import { type FeedEvent, readFeed, type WalkedOrder, walkOrders } from './readers.ts';
import type { Sender } from './sender.ts';

/** What is stored at the end: read through the API where possible, otherwise from the database. */
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
  deliveries: { delivery_id: string; chain_id: string; status: string }[];
  jobs: Job[];
  promotions: { chain_id: string; name: string; global_limit: number | null; global_used: number }[];
  deadTasks: { chain_id: string; kind: string; last_error: string }[];
};

export type Change = {
  chain_id: string;
  order_id: string;
  revision: number;
  from_status: string | null;
  to_status: string;
  event_id: string | null;
  event_type: string | null;
};
export type StoredLine = {
  chain_id: string;
  vendor_id: string;
  order_id: string;
  sku: string;
  status: string;
  quantity: number;
  taken: number | null;
};
export type Offer = { chain_id: string; vendor_id: string; sku: string; quantity: number | null; price: number };
export type Job = { chain_id: string; job_id: string; type: string; status: string; failed: number };

export async function gatherEvidence(
  db: Database,
  sender: Sender,
  chains: Chain[],
  liveFeed: Evidence['liveFeed'],
): Promise<Evidence> {
  const orders: Evidence['orders'] = [];
  const feed: FeedEvent[] = [];
  for (const chain of chains) {
    for (const order of await walkOrders(sender, chain)) orders.push({ chain: chain.tag, order });
    feed.push(...(await readFeed(sender, chain, () => true)));
  }
  return { chains, orders, feed, liveFeed, ...(await readDatabase(db)) };
}

async function readDatabase(db: Database) {
  const rows = <Row>(sql: string) => db.query<Row>(sql);
  return {
    changes: await rows<Change>(
      `select chain_id, order_id, revision, from_status, to_status, event_id, event_type from order_changes
       order by order_id, revision`,
    ),
    lines: await rows<StoredLine>(
      `select chain_id, vendor_id, order_id, i ->> 'sku' as sku, i ->> 'status' as status,
         (i -> 'picked' ->> 'quantity')::int as quantity, (i ->> 'taken')::int as taken
       from orders, jsonb_array_elements(items) i`,
    ),
    offers: await rows<Offer>('select chain_id, vendor_id, sku, quantity, price::float8 as price from offers'),
    deliveries: await rows<Evidence['deliveries'][number]>('select delivery_id, chain_id, status from deliveries'),
    jobs: await rows<Job>('select chain_id, job_id, type, status, failed from jobs'),
    promotions: await rows<Evidence['promotions'][number]>(
      `select chain_id, display_name ->> 'en_AE' as name, global_limit, global_used::int as global_used from promotions`,
    ),
    deadTasks: await rows<Evidence['deadTasks'][number]>('select chain_id, kind, last_error from queue_dead'),
  };
}
