import { after } from 'node:test';
import { routes as contract } from '@aisle/contract/index';
import type { Route } from '@aisle/contract/route';
import { tokenHash } from '../../src/identity/index.ts';
import { newId } from '../../src/kernel/values/ids.ts';
import {
  type Response,
  makeChain,
  makeClient,
  makePlatformUser,
  makeToken,
  makeUser,
  startTestAisle,
  type TestChain,
} from './aisle.ts';
import { addProducts, waitForJob } from './catalog.ts';
import { runFile } from './files.ts';
import { allPicked, placeOrder, putOrder, report } from './orders.ts';
import { applyPromotion } from './promotions.ts';
import { openRequestLog } from './requests.ts';
import { startReceiver } from './receiver.ts';
import { codeFor, setUpSecondFactor, startSecondFactor, type TestUser } from './second-factor.ts';
import { waitFor } from './wait.ts';
import { setWebhook } from './webhooks.ts';

/**
 * Every route in the contract, and a chain with all the data needed to call each route with its example.
 * A new path parameter may need an entry in `ids`.
 */
export const routes = Object.entries(contract) as [id: string, route: Route][];

export const aisle = await startTestAisle({ AISLE_MAX_API_TOKENS: '1000', AISLE_MAX_SFTP_USERS: '1000' });
export const receiver = await startReceiver();
export const chain = await prepareChain();
export const otherChain = await makeChain(aisle);
after(() => aisle.stop().then(receiver.close));

/** The parameters before this one in the path, and the credentials for the request. */
type Known = { values: Values; token?: string | undefined };
type Values = Record<string, string>;

/** Returns the value for each path parameter. A parameter without an entry gets an id that does not exist. */
const ids: Record<string, (chain: TestChain, route: Route, known: Known) => Promise<string> | string> = {
  chain_id: ({ chainId }) => chainId,
  vendor_id: ({ vendors }) => String(vendors[0]),
  job_id: (of, { path }) => (path.includes('/promotion/') ? promote(of).then((job) => job.job_id) : makeJob(of, path)),
  promotion_id: (of) => promote(of).then((job) => job.promotion_id),
  token_id: async ({ chainId, base, token }) => {
    await makeToken(aisle, chainId);
    const { body } = await aisle.call('GET', `${base}/tokens?page_size=1`, { token });
    return body.tokens[0].token_id;
  },
  order_id: makeOrder,
  item_id: (of, _route, { values }) => itemOf(of, values['order_id']),
  client_id: async ({ chainId }) => (await makeClient(aisle, chainId)).client_id,
  user_id: async (of, { path }) => {
    if (path.startsWith('/platform/v1/users/')) return (await makePlatformUser(aisle, 'SUPPORT')).user_id;
    const { user_id } = await makeUser(aisle, of.chainId, 'VIEWER');
    if (path.endsWith('/invitation')) await inviteUser(of, user_id);
    return user_id;
  },
  session_id: async ({ chainId }, _route, { values, token = '' }) => {
    const rows = await aisle.db.query<{ session_id: string }>(
      `select session_id from sessions
       where chain_id = $1 and case when $2::uuid is null then session_hash = $3 else user_id = $2 end limit 1`,
      [chainId, values['user_id'], tokenHash(token)],
    );
    return rows[0]?.session_id ?? newId();
  },
  sftp_user_id: async (of) => (await makeSftpUser(of)).sftp_user_id,
  key_id: ({ chainId }) => sftpKeys.get(chainId) ?? newId(),
  request_id: async (of) => {
    const response = await aisle.call('GET', `${of.base}/settings`, { token: of.token });
    return (await (await openRequestLog(aisle, of)).find(response)).request_id;
  },
  task_id: async ({ chainId }) => {
    const rows = await aisle.db.query<{ task_id: string }>(
      `insert into queue_dead (task_id, chain_id, lane, kind, payload, attempts, last_error, created_at)
       values ($2, $1, 'test lane', 'test.kind', '{}', 8, 'failed', now()) returning task_id::text`,
      [chainId, 1_000_000 + Math.floor(Math.random() * 1e12)],
    );
    return rows[0]?.task_id ?? '';
  },
  file_id: async (of) => (await runFile(aisle, of, { name: `${newId()}.csv`, content: failingFile })).file.file_id,
  folder: async () => 'catalog',
  certification_id: async ({ base, token, vendors }) => {
    const path = `${base}/vendors/${vendors[0]}/certifications`;
    return (await aisle.call('POST', path, { token, body: { scenarios: ['as_ordered'] } })).body.certification_id;
  },
  delivery_id: async (of, { path }) => {
    if (path.startsWith('/platform/') && !path.includes('/partner-deliveries/')) return makePlatformDelivery(of);
    return (await aisle.call('POST', `${of.base}/webhook/ping`, { token: of.token })).body.delivery_id;
  },
  webhook_id: makePlatformWebhook,
};

/** A file with one row that fails, so that there are failed rows to download. */
const failingFile = 'sku,price\nMLK-00012,5\nMLK-99999,5\n';

/** The query of routes that require one. */
export const requiredQuery = new Map<Route, Record<string, string>>([
  [contract.listProductHistory, { sku: 'MLK-00012' }],
  [contract.listProductOffers, { sku: 'MLK-00012' }],
  [contract.listProductOrders, { sku: 'MLK-00012' }],
  [contract.platformSearch, { query: 'MLK-00012' }],
]);

export async function tokenFor(route: Route, { chainId, token }: TestChain, body?: unknown): Promise<string> {
  if (route.access === 'platform') return aisle.platformToken;
  if (route.access === 'console') return sessions.get(body) ?? (await makePlatformUser(aisle)).session;
  if (route.access !== 'session') return token;
  return sessions.get(body) ?? (await makeUser(aisle, chainId)).session;
}

/** Sends the documented example with path parameters that refer to existing objects. */
export async function send(
  route: Route,
  of: TestChain,
  token: string | undefined,
  instead: Record<string, string> = {},
  given: unknown = route.body?.example,
  more: Record<string, string> = {},
): Promise<Response> {
  const { params, query, body } = await exampleRequest(route, of, token, instead, given);
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const search = new URLSearchParams(query).toString();
  const url = search === '' ? path : `${path}?${search}`;
  if (!route.body) return aisle.call(route.method, url, { token, headers: more });
  if (route.body.form === 'stream') {
    const raw = typeof body === 'string' ? body : JSON.stringify(body);
    return aisle.call(route.method, url, { token, raw, headers: { 'content-type': 'text/csv', ...more } });
  }
  if (route.body.form !== 'urlencoded') return aisle.call(route.method, url, { token, body, headers: more });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more };
  return aisle.call(route.method, url, { token, headers, raw: new URLSearchParams(body as never).toString() });
}

/** The documented example, with path parameters and a query that refer to existing objects. */
export async function exampleRequest(
  route: Route,
  of: TestChain,
  token: string | undefined,
  instead: Record<string, string> = {},
  given: unknown = route.body?.example,
) {
  const params = await idsOf(route, of, token, instead);
  const upload = { folder: '/catalog/all', name: `${newId()}.csv` };
  const query = route.body?.form === 'stream' ? upload : (requiredQuery.get(route) ?? {});
  return { params, query, body: await currentBody(route, of, params['order_id'], given) };
}

/** Examples that name an item, a proposal or a time are changed to ones that exist and a time in the future. */
export async function currentBody(
  route: Route,
  of: TestChain,
  orderId: string | undefined,
  body: unknown,
): Promise<unknown> {
  const isExample = body === route.body?.example;
  if (isExample && route.body === contract.markItems.body) return markFirstItem(of, orderId);
  if (isExample && proposalRoutes.has(route.body)) {
    return { ...(body as object), proposal_id: await proposalOf(of, orderId) };
  }
  if (isExample && route.body === contract.applyCatalogPreview.body) {
    return { apply_at: new Date(Date.now() + 3_600_000).toISOString() };
  }
  return body;
}

const proposalRoutes = new Set<Route['body']>([
  contract.platformApproveReplacement.body,
  contract.platformRejectReplacement.body,
  contract.platformCounterReplacement.body,
]);

/** The id of the proposal for the first item of the order, or an id that does not exist. */
async function proposalOf({ chainId }: TestChain, orderId: string | undefined): Promise<string> {
  const rows = await aisle.db.query<{ id: string | null }>(
    "select items #>> '{0,approval,proposal_id}' as id from orders where chain_id = $1 and order_id = $2",
    [chainId, orderId],
  );
  return rows[0]?.id ?? newId();
}

/** The documented marks, for an item that exists. */
async function markFirstItem(of: TestChain, orderId: string | undefined): Promise<unknown> {
  const { example } = contract.markItems.body;
  const line_id = await itemOf(of, orderId);
  return { ...example, marks: example.marks.map((mark) => ({ ...mark, line_id })) };
}

/** The id of the first item of the order, or of any order, or an id that does not exist. */
async function itemOf({ chainId }: TestChain, orderId: string | undefined): Promise<string> {
  const rows = await aisle.db.query<{ id: string }>(
    "select items -> 0 ->> 'id' as id from orders where chain_id = $1 and ($2::uuid is null or order_id = $2) limit 1",
    [chainId, orderId],
  );
  return rows[0]?.id ?? newId();
}

/** Returns the value for each path parameter, and creates the objects that are not given. */
export async function idsOf(route: Route, of: TestChain, token?: string, given: Values = {}): Promise<Values> {
  const values: Values = {};
  for (const name of namesOf(route)) values[name] = given[name] ?? (await idOf(name, of, route, { values, token }));
  return values;
}

/** Returns a value for a path parameter of the route, and creates the object if necessary. */
export async function idOf(name: string, of: TestChain, route: Route, known: Known = { values: {} }): Promise<string> {
  return (await ids[name]?.(of, route, known)) ?? newId();
}

function namesOf(route: Route): string[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** Returns whether all path parameters refer to existing objects, so that the example must succeed. */
export function isPrepared(route: Route): boolean {
  return namesOf(route).every((name) => name in ids);
}

/** Maps each request body that contains a user's password to that user's session. */
const sessions = new Map<unknown, string>();

export async function exampleBody(id: string, route: Route, of: TestChain): Promise<unknown> {
  const { chainId, vendors } = of;
  const example = route.body?.example as Record<string, unknown> | undefined;
  if (['createUser', 'platformCreateUser', 'platformCreateConsoleUser'].includes(id)) {
    return { ...example, email: `${newId()}@aisle.test` };
  }
  // The console has the same account routes as the portal.
  const account = id.replace(/^console(?=[A-Z])/, '').replace(/^./, (first) => first.toLowerCase());
  const makeAccount = () => (account === id ? makeUser(aisle, chainId) : makePlatformUser(aisle));
  if (account === 'signIn' || account === 'changePassword') {
    const { email, password, session } = await makeAccount();
    const body =
      account === 'signIn' ? { email, password } : { current_password: password, new_password: 'another one of mine' };
    sessions.set(body, session);
    return body;
  }
  if (account === 'readInvitation' || account === 'acceptInvitation') {
    const { user_id } = await makeAccount();
    return { ...example, token: await (account === id ? inviteUser(of, user_id) : inviteOperator(user_id)) };
  }
  if (account in secondFactorBodies) {
    const user = await makeAccount();
    const body = await secondFactorBodies[account]?.({ ...user, site: account === id ? 'portal' : 'console' });
    sessions.set(body, user.session);
    return body;
  }
  if (id === 'sandboxPlaceOrder') return { ...example, vendor_id: vendors[0] };
  if (id === 'platformPlaceOrder' || id === 'platformQuoteBasket')
    return { ...example, chain_id: chainId, vendor_id: vendors[0] };
  if (id !== 'getAccessToken') return example;
  const { client_id, client_secret } = await makeClient(aisle, chainId);
  return { ...example, client_id, client_secret };
}

const secondFactorBodies: Record<string, (user: TestUser) => Promise<unknown>> = {
  startSecondFactor: async ({ password }) => ({ password }),
  confirmSecondFactor: async (user) => ({ code: codeFor(await startSecondFactor(aisle, user)) }),
  replaceRecoveryCodes: async (user) => ({
    password: user.password,
    code: (await setUpSecondFactor(aisle, user)).recoveryCodes[0],
  }),
  disableSecondFactor: async (user) => ({
    password: user.password,
    code: (await setUpSecondFactor(aisle, user)).recoveryCodes[0],
  }),
};

export async function prepareChain(): Promise<TestChain> {
  const prepared = await makeChain(aisle, { isSandbox: true });
  await aisle.call('PUT', `/platform/v1/chains/${prepared.chainId}/categories`, {
    token: aisle.platformToken,
    body: contract.platformPutCategories.body.example,
  });
  const product = { title: { en_AE: 'Milk' }, price: 5, quantity: 1000, categories: ['dairy'] };
  await addProducts(aisle, prepared, [
    { ...product, sku: 'MLK-00012', barcode: '2000000000121' },
    { ...product, sku: 'MLK-00013' },
    { ...product, sku: 'MLK-00014' },
  ]);
  for (const vendor of [undefined, prepared.vendors[0]]) {
    await setWebhook(aisle, prepared, { production_url: receiver.url }, vendor);
  }
  return prepared;
}

/** Returns the token in the link. */
async function inviteUser({ base, token }: TestChain, userId: string): Promise<string> {
  const { body } = await aisle.call('POST', `${base}/users/${userId}/invitation`, { token });
  return new URL(body.invitation.url).hash.slice(1);
}

async function inviteOperator(userId: string): Promise<string> {
  const { body } = await aisle.call('POST', `/platform/v1/users/${userId}/invitation`, { token: aisle.platformToken });
  return new URL(body.invitation.url).hash.slice(1);
}

/** The key of the SFTP user that was created last, by chain. In a path, the user comes before the key. */
const sftpKeys = new Map<string, string>();

async function makeSftpUser({ chainId, base, token }: TestChain): Promise<{ sftp_user_id: string }> {
  const { example } = contract.createSftpUser.body;
  const { body } = await aisle.call('POST', `${base}/sftp-users`, { token, body: example });
  sftpKeys.set(chainId, body.public_keys[0].key_id);
  return body;
}

/** Creates a promotion with a SKU that is rejected, so that the job has a file to download. */
async function promote(of: TestChain): Promise<{ job_id: string; promotion_id: string }> {
  const example = contract.putPromotion.body.example;
  const discount = [...example.discount, { ...example.discount[0], sku: ['MLK-99999'] }];
  return applyPromotion(aisle, of, { ...example, discount });
}

/** Creates a catalog job in the state that the route requires. */
async function makeJob(of: TestChain, path: string): Promise<string> {
  if (path.endsWith('/cancel')) {
    return makeUpdate(of, `?apply_at=${new Date(Date.now() + 3_600_000).toISOString()}`);
  }
  const isPreview = path.endsWith('/preview') || path.endsWith('/apply');
  if (!isPreview && !path.endsWith('/revert')) return exportCatalog(of);
  const jobId = await makeUpdate(of, isPreview ? '?dry_run=true' : '');
  await waitForJob(aisle, of, jobId);
  return jobId;
}

async function makeUpdate(of: TestChain, query: string): Promise<string> {
  prices += 1;
  const path = `${of.base}/vendors/${of.vendors[0]}/catalog${query}`;
  const products = [{ sku: 'MLK-00012', price: prices }];
  const headers = { prefer: 'respond-async' };
  return (await aisle.call('PUT', path, { token: of.token, body: { products }, headers })).body.job_id;
}

/** Each update changes the price, so that there is something to revert. */
let prices = 1000;

async function exportCatalog(of: TestChain): Promise<string> {
  const path = `${of.base}/vendors/${of.vendors[0]}/catalog/export`;
  const { body } = await aisle.call('POST', path, { token: of.token });
  await waitForJob(aisle, of, body.job_id);
  return body.job_id;
}

/** The platform can have 20 webhooks. This deletes one if there are many, so that tests can create some too. */
async function makePlatformWebhook(): Promise<string> {
  const token = aisle.platformToken;
  const body = { url: receiver.url, event_types: ['order.received'] };
  for (;;) {
    const { webhooks } = (await aisle.call('GET', '/platform/v1/webhooks', { token })).body;
    if (webhooks.length > 10)
      await aisle.call('DELETE', `/platform/v1/webhooks/${webhooks.at(-1).webhook_id}`, { token });
    const created = await aisle.call('POST', '/platform/v1/webhooks', { token, body });
    if (created.status === 201) return created.body.webhook_id;
  }
}

async function makePlatformDelivery(of: TestChain): Promise<string> {
  const webhookId = await makePlatformWebhook();
  const { order_id } = await placeOrder(aisle, of, [{ sku: 'MLK-00012', quantity: 1 }]);
  const path = `/platform/v1/webhooks/${webhookId}/deliveries?order_id=${order_id}`;
  let deliveryId: string | undefined;
  let isDeleted = false;
  await waitFor('the delivery', async () => {
    const { status, body } = await aisle.call('GET', path, { token: aisle.platformToken });
    isDeleted = status === 404;
    deliveryId = body.deliveries?.[0]?.delivery_id;
    return isDeleted || deliveryId !== undefined;
  });
  // Another request can have deleted the webhook.
  return isDeleted ? makePlatformDelivery(of) : String(deliveryId);
}

/** Creates an order in the status that the route requires. */
async function makeOrder(of: TestChain, { path }: Route): Promise<string> {
  if (path.includes('/test-orders/')) return sendTestOrder(of);
  const isCollected = path.endsWith('/collect');
  const isAsked = path.endsWith('-replacement');
  const more = { ...(isCollected && { order_type: 'PICKUP' }), ...(isAsked && { replacement_policy: 'ASK' }) };
  const order = await placeOrder(aisle, of, [{ sku: 'MLK-00012', quantity: 2 }], more);
  const isReady = isCollected || path.endsWith('/pickup') || path.endsWith('/deliver');
  if (isReady) await putOrder(aisle, of, order.order_id, { status: 'READY_FOR_PICKUP', items: allPicked(order) });
  if (path.endsWith('/deliver')) await report(aisle, order.order_id, 'pickup');
  if (isAsked && !path.endsWith('/propose-replacement')) await proposeFor(of, order);
  return order.order_id;
}

async function proposeFor({ base, token }: TestChain, order: Response['body']): Promise<void> {
  const path = `${base}/orders/${order.order_id}/items/${order.items[0]._id}/propose-replacement`;
  await aisle.call('POST', path, { token, body: { sku: 'MLK-00013' } });
}

async function sendTestOrder({ base, token, vendors }: TestChain): Promise<string> {
  const { example } = contract.createTestOrder.body;
  const response = await aisle.call('POST', `${base}/vendors/${vendors[0]}/test-orders`, { token, body: example });
  return response.body.order_id;
}
