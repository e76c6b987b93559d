import type { Order } from '@aisle/sdk';
import type { ManagedChain } from './create-chains.ts';
import { readPromotionJobs } from './settle.ts';
import { type Change, type Evidence, type Job, noEvidence, type Offer, readOrdersAndFeed } from './world/evidence.ts';
import type { History } from './world/history.ts';
import { readEach, readUntilOk } from './world/readers.ts';
import type { Sender } from './world/sender.ts';

/** Reads everything that the checks need through the API. */
export async function readEvidence(
  sender: Sender,
  chains: ManagedChain[],
  history: History,
  liveFeed: Evidence['liveFeed'],
): Promise<Evidence> {
  const shown = await readOrdersAndFeed(sender, chains);
  const [changes, offers, deliveries, jobs] = await Promise.all([
    readChanges(sender, chains, shown.orders),
    readOffers(sender, chains),
    readDeliveries(sender, chains),
    readJobs(sender, chains, history),
  ]);
  const lines = shown.orders.flatMap(({ order }) => linesOf(order));
  return { ...noEvidence, chains, liveFeed, ...shown, changes, offers, deliveries, jobs, lines };
}

async function readChanges(sender: Sender, chains: ManagedChain[], orders: Evidence['orders']): Promise<Change[]> {
  const histories = await readEach(orders, async ({ chain: tag, order }) => {
    const chain = chains.find((each) => each.tag === tag) as ManagedChain;
    const { body } = await readUntilOk(sender, chain, `${chain.base}/orders/${order.order_id}/history`);
    return (body.changes as Change[]).map(({ revision, from_status, to_status }) => ({
      chain_id: chain.chainId,
      order_id: order.order_id as string,
      revision,
      from_status,
      to_status,
    }));
  });
  return histories.flat();
}

async function readOffers(sender: Sender, chains: ManagedChain[]): Promise<Offer[]> {
  const stores = chains.flatMap((chain) => chain.vendors.map((vendor_id) => ({ chain, vendor_id })));
  const pages = await readEach(stores, async ({ chain, vendor_id }) => {
    const products = await readList(sender, chain, `vendors/${vendor_id}/catalog?`, 'products');
    return products.map(
      ({ sku, quantity = null, price }): Offer => ({
        chain_id: chain.chainId,
        vendor_id,
        sku,
        quantity,
        price,
      }),
    );
  });
  return pages.flat();
}

async function readDeliveries(sender: Sender, chains: ManagedChain[]): Promise<Evidence['deliveries']> {
  const pages = await readEach(chains, async (chain) => {
    const deliveries = await readList(sender, chain, 'deliveries?', 'deliveries');
    return deliveries.map(({ delivery_id, status }) => ({ delivery_id, chain_id: chain.chainId, status }));
  });
  return pages.flat();
}

async function readJobs(sender: Sender, chains: ManagedChain[], history: History): Promise<Job[]> {
  const pages = await readEach(chains, async (chain) => {
    const jobs = await readList(sender, chain, 'catalog/jobs?', 'jobs');
    return jobs.map(
      ({ job_id, job_type, job_status, progress }): Job => ({
        chain_id: chain.chainId,
        job_id,
        type: job_type,
        status: job_status,
        failed: progress.failed,
      }),
    );
  });
  const promotions = await readPromotionJobs(sender, chains, history);
  return [
    ...pages.flat(),
    ...promotions.map(
      ({ chain, job }): Job => ({
        chain_id: chain.chainId,
        job_id: job.job_id,
        type: 'PROMOTION',
        status: job.job_status,
        failed: 0,
      }),
    ),
  ];
}

/** Reads all pages of a list. */
async function readList(sender: Sender, chain: ManagedChain, path: string, field: string) {
  // oxlint-disable-next-line typescript/no-explicit-any -- each list has its own items
  const items: any[] = [];
  for (let page = 1; ; page++) {
    const { body } = await readUntilOk(sender, chain, `${chain.base}/${path}page_size=500&page=${page}`);
    items.push(...body[field]);
    if (page >= body.total_pages) return items;
  }
}

/** The API does not show how many units an order has taken from the stock. */
function linesOf({ order_id, client, items }: Order): Evidence['lines'] {
  return items.map(({ sku, status, pricing }) => ({
    chain_id: client.chain_id,
    vendor_id: client.store_id,
    order_id,
    sku,
    status,
    quantity: pricing.quantity,
    taken: undefined,
  }));
}
