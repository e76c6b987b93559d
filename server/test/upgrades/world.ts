import assert from 'node:assert/strict';
import type { CallOptions, Response, TestChain } from '../support/aisle.ts';
import { waitForJob } from '../support/catalog.ts';
import { fromNow, percent, promotionBody, waitForPromotionJob } from '../support/promotions.ts';

/**
 * Fills a server with every kind of data, using only requests that every version accepts, and reads all of it back.
 * `tools/upgrades/dump.ts` calls this on old versions, and `upgrades.test.ts` reads the same data after an upgrade.
 */
export type Caller = { call(method: string, path: string, options?: CallOptions): Promise<Response> };

/** The ids and credentials that a dump does not contain in plain text. */
export type World = {
  platformToken: string;
  chain: TestChain;
  tolerant: TestChain;
  limitedToken: string;
  client: { client_id: string; client_secret: string };
  user: { email: string; password: string };
  webhook: { signingSecret: string; authorization: string };
  /** Order ids by what happened to the order. The last one's event could not be delivered. */
  orders: Record<OrderStory, string>;
  jobs: string[];
  promotionJobs: string[];
};

type OrderStory =
  | 'received'
  | 'ready'
  | 'dispatched'
  | 'dispatchedByVendor'
  | 'delivered'
  | 'collected'
  | 'cancelled'
  | 'cancelledByStore'
  | 'changed'
  | 'undelivered';

/** `failWebhook` makes the receiver at the webhook's URL reject all further messages. */
export async function buildWorld(
  aisle: Caller,
  platformToken: string,
  receiver: { url: string; waitFor(count: number): Promise<unknown>; failWebhook(): void },
): Promise<World> {
  const send = sender(aisle, platformToken);
  const chain = await createChain(aisle, platformToken, { profile: 'strict', stores: 3 });
  const tolerant = await createChain(aisle, platformToken, { profile: 'tolerant', stores: 1 });
  const limited = await send('POST', `/platform/v1/chains/${chain.chainId}/tokens`, {
    name: 'One store',
    scopes: ['orders:read', 'catalog:read'],
    vendor_ids: [chain.vendors[0]],
  });
  const client = await send('POST', `/platform/v1/chains/${chain.chainId}/clients`, { name: 'Client' });
  const user = { email: `owner-${chain.vendors[0]}@aisle.test`, password: 'pear harbour 42 lantern' };
  const newUser = { ...user, name: 'Owner', role: 'OWNER' };
  const { password = user.password } = await send('POST', `/platform/v1/chains/${chain.chainId}/users`, newUser);

  const authorization = 'Bearer the receiver knows this';
  const own = sender(aisle, chain.token);
  const webhook = await own('PUT', `${chain.base}/webhook`, {
    environment: 'production',
    production_url: receiver.url,
    secret: authorization,
  });
  const jobs = await fillCatalog(aisle, chain);
  await fillCatalog(aisle, tolerant);
  const promotionJobs = await createPromotions(aisle, chain);
  const orders = await placeOrders(aisle, platformToken, chain);
  await own('PUT', `${chain.base}/vendors/${chain.vendors[1]}/status`, {
    status: 'CLOSED_UNTIL',
    closed_until: fromNow(7200),
  });
  await receiver.waitFor(15);
  receiver.failWebhook();
  const undelivered = await place(aisle, platformToken, chain, [{ sku: 'BREAD', quantity: 1 }]);
  return {
    platformToken,
    chain,
    tolerant,
    limitedToken: limited.token,
    client: { client_id: client.client_id, client_secret: client.client_secret },
    user: { ...user, password },
    webhook: { signingSecret: webhook.signing_secret, authorization },
    orders: { ...orders, undelivered: undelivered.order_id },
    jobs,
    promotionJobs,
  };
}

/** Reads everything, as a map from path to response body. */
export async function readWorld(aisle: Caller, world: World): Promise<Record<string, unknown>> {
  const { chain, tolerant, platformToken } = world;
  const requests: [path: string, token: string][] = [
    ...Object.values(world.orders).map((id): [string, string] => [`${chain.base}/orders/${id}`, chain.token]),
    ...Object.values(world.orders).map((id): [string, string] => [`${chain.base}/orders/${id}/history`, chain.token]),
    ...[chain, tolerant].flatMap((one): [string, string][] => [
      [`/platform/v1/chains/${one.chainId}`, platformToken],
      [`/platform/v1/chains/${one.chainId}/vendors`, platformToken],
      ...one.vendors.flatMap((vendor): [string, string][] => [
        [`${one.base}/vendors/${vendor}/catalog?page_size=500`, one.token],
        [`${one.base}/vendors/${vendor}/categories`, one.token],
        [`${one.base}/vendors/${vendor}/settings`, one.token],
        [`${one.base}/vendors/${vendor}/status`, one.token],
        [`${one.base}/vendors/${vendor}/orders?page_size=500`, one.token],
      ]),
      [`${one.base}/catalog/jobs`, one.token],
      [`${one.base}/promotions`, one.token],
      [`${one.base}/events?limit=500`, one.token],
      [`${one.base}/tokens`, one.token],
      [`${one.base}/clients`, one.token],
      [`${one.base}/users`, one.token],
      [`${one.base}/webhooks`, one.token],
    ]),
    ...world.jobs.map((id): [string, string] => [`${chain.base}/catalog/jobs/${id}`, chain.token]),
    ...world.promotionJobs.map((id): [string, string] => [`${chain.base}/promotion/jobs/${id}`, chain.token]),
    [`${chain.base}/catalog/jobs/${world.jobs[1]}/download`, chain.token],
    [`${chain.base}/deliveries?order_id=${world.orders.delivered}`, chain.token],
    [`${chain.base}/vendors/${chain.vendors[0]}/catalog?page_size=500`, world.limitedToken],
  ];
  const read = async ([path, token]: [string, string]): Promise<[string, unknown]> => {
    const response = await aisle.call('GET', path, { token });
    assert.equal(response.status, 200, `${path}: ${response.text}`);
    return [path, response.body];
  };
  const bodies: [string, unknown][] = [];
  for (const request of requests) bodies.push(await read(request));
  return Object.fromEntries(bodies);
}

/** Creates a chain with stores, categories and a token. */
export async function createChain(
  aisle: Caller,
  platformToken: string,
  { profile, stores }: { profile: string; stores: number },
): Promise<TestChain> {
  const send = sender(aisle, platformToken);
  const { chain_id } = await send('POST', '/platform/v1/chains', { name: `A ${profile} chain`, profile });
  const path = `/platform/v1/chains/${chain_id}`;
  const vendors: string[] = [];
  for (let store = 1; store <= stores; store++) {
    const { vendor_id } = await send('POST', `${path}/vendors`, {
      name: `Store ${store}`,
      external_id: `ext-${store}`,
      currency: 'AED',
      country_code: 'AE',
      locale: 'en_AE',
      timezone: 'Asia/Dubai',
      transport_type: store === 2 ? 'VENDOR_DELIVERY' : 'LOGISTICS_DELIVERY',
    });
    vendors.push(vendor_id);
  }
  const names = ['dairy', 'milk', 'bakery'];
  const categories = names.map((id) => ({
    global_id: id,
    ...(id === 'milk' && { parent_global_id: 'dairy' }),
    details: { name: { en_AE: id } },
  }));
  await send('PUT', `${path}/categories`, { categories });
  const { token } = await send('POST', `${path}/tokens`, { name: 'All', scopes });
  return { chainId: chain_id, token, base: `/v2/chains/${chain_id}`, vendors };
}

/** Creates products and runs one job of each kind. Returns the job ids. */
export async function fillCatalog(aisle: Caller, chain: TestChain): Promise<string[]> {
  const send = sender(aisle, chain.token);
  const product = (sku: string, price: number, more = {}) => ({
    sku,
    title: { en_AE: sku },
    price,
    quantity: 90,
    ...more,
  });
  const products = [
    product('MILK', 2.5, { barcode: '6291000000017', category_id: 'milk' }),
    product('BREAD', 4, { category_id: 'bakery' }),
    product('TEA', 3.99),
    product('HAM', 10, { is_sold_by_weight: true }),
    product('CHEESE', 24.9, { is_sold_by_weight: true }),
    product('OLD', 2, { active: false }),
  ];
  const creation = await send('POST', `${chain.base}/catalog`, { vendors: chain.vendors, products });
  await waitForJob(aisle, chain, creation.job_id);
  const store = `${chain.base}/vendors/${chain.vendors[0]}/catalog`;
  const update = await send('PUT', store, {
    products: [
      { sku: 'MILK', price: 2.75 },
      { sku: 'TEA', quantity: 40, maximum_sales_quantity: 5 },
      { sku: 'UNKNOWN', price: 1 },
    ],
  });
  await waitForJob(aisle, chain, update.job_id);
  const exported = await send('POST', `${store}/export`, {});
  await waitForJob(aisle, chain, exported.job_id);
  return [creation.job_id, update.job_id, exported.job_id];
}

/** Sends a request that must succeed, and returns the response's body. */
function sender(aisle: Caller, token: string) {
  return async (method: string, path: string, body?: unknown): Promise<Response['body']> => {
    const response = await aisle.call(method, path, { token, ...(body !== undefined && { body }) });
    assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.text}`);
    return response.body;
  };
}

const scopes = [
  'catalog:read',
  'catalog:write',
  'promotions:read',
  'promotions:write',
  'orders:read',
  'orders:write',
  'outlets:read',
  'outlets:write',
  'manage',
];

async function createPromotions(aisle: Caller, chain: TestChain): Promise<string[]> {
  const send = sender(aisle, chain.token);
  const week = 7 * 86_400;
  const running = promotionBody({
    display_name: { en_AE: 'Running' },
    conditions: { start_time: fromNow(-60), end_time: fromNow(week) },
    discount: [percent(20, 'BREAD', 'TEA')],
  });
  const upcoming = promotionBody({
    type: 'SAME_ITEM_BUNDLE',
    display_name: { en_AE: 'Upcoming' },
    conditions: {
      start_time: fromNow(week),
      end_time: fromNow(2 * week),
      purchased_quantity: 2,
      discounted_quantity: 1,
    },
    discount: [percent(50, 'MILK')],
  });
  const cancelled = { ...running, display_name: { en_AE: 'Cancelled' }, discount: [percent(5, 'MILK', 'MISSING')] };
  const jobs: string[] = [];
  for (const body of [running, upcoming, cancelled, { ...cancelled, active: false }]) {
    const { job_id } = await send('PUT', `${chain.base}/promotion`, body);
    await waitForPromotionJob(aisle, chain, job_id);
    jobs.push(job_id);
  }
  return jobs;
}

async function place(
  aisle: Caller,
  platformToken: string,
  chain: TestChain,
  items: unknown[],
  more: Record<string, unknown> = {},
): Promise<Response['body']> {
  return sender(aisle, platformToken)('POST', '/platform/v1/orders', {
    chain_id: chain.chainId,
    vendor_id: chain.vendors[0],
    customer: { first_name: 'Sam', phone_number: '+971500000000' },
    items,
    payment: { type: 'PAID' },
    ...more,
  });
}

/** Places orders and leaves one in each status. */
async function placeOrders(
  aisle: Caller,
  platformToken: string,
  chain: TestChain,
): Promise<Omit<World['orders'], 'undelivered'>> {
  const platform = sender(aisle, platformToken);
  const basket = [
    { sku: 'MILK', quantity: 3 },
    { sku: 'BREAD', quantity: 2 },
    { sku: 'HAM', weight: 1 },
  ];
  const placed = (more = {}) => place(aisle, platformToken, chain, basket, more);
  const put = (order: Response['body'], body: Record<string, unknown>) =>
    sender(aisle, chain.token)('PUT', `${chain.base}/orders/${order.order_id}`, body);
  const fulfilled = async (more = {}, status = 'READY_FOR_PICKUP') => {
    const order = await placed(more);
    const skus = order.items.map((item: Response['body']) => item.sku);
    await put(order, { status, items: skus.map((sku: string) => picked(order, sku)) });
    return order;
  };
  const report = async (order: Response['body'], ...actions: string[]) => {
    for (const action of actions) await platform('POST', `/platform/v1/orders/${order.order_id}/${action}`);
    return order;
  };
  const received = await placed({ external_order_id: 'EXT-1', comment: 'Ring twice' });
  const ready = await fulfilled();
  const dispatched = await report(await fulfilled(), 'pickup');
  const byVendor = { vendor_id: chain.vendors[1], transport_type: 'VENDOR_DELIVERY' };
  const dispatchedByVendor = await fulfilled(byVendor, 'DISPATCHED');
  const delivered = await report(await fulfilled(), 'pickup', 'deliver');
  const collected = await report(await fulfilled({ order_type: 'PICKUP' }), 'collect');
  const cancelled = await placed();
  const reason = { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' };
  await platform('POST', `/platform/v1/orders/${cancelled.order_id}/cancel`, reason);
  const cancelledByStore = await placed();
  await put(cancelledByStore, { status: 'CANCELLED', items: [], cancellation: { reason: 'CLOSED' } });
  const changed = await placed();
  const bread = picked(changed, 'BREAD');
  const items = [
    picked(changed, 'MILK', { quantity: 2 }),
    { ...bread, status: 'REPLACED' },
    { sku: 'TEA', status: 'IN_CART', replaced_id: bread._id, pricing: { pricing_type: 'UNIT', quantity: 1 } },
    picked(changed, 'HAM', { weight: 0.9 }),
  ];
  await put(changed, { status: 'READY_FOR_PICKUP', items });
  const all = { received, ready, dispatched, dispatchedByVendor, delivered, collected, cancelled, cancelledByStore };
  const ids = Object.entries({ ...all, changed }).map(([story, { order_id }]) => [story, order_id]);
  return Object.fromEntries(ids);
}

/** Returns an item in the order as a picking device sends it. */
function picked(order: Response['body'], sku: string, pricing = {}): Response['body'] {
  const { _id, pricing: own } = order.items.find((item: Response['body']) => item.sku === sku);
  return { _id, status: 'IN_CART', pricing: { pricing_type: own.pricing_type, ...pricing } };
}
