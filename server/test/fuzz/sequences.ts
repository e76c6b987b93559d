import { routes as contract } from '@aisle/contract/index';
import { newId } from '../../src/kernel/values/ids.ts';
import type { Response } from '../support/aisle.ts';
import { aisle, otherChain, receiver } from '../support/every-route.ts';
import { allPicked, newOrder } from '../support/orders.ts';
import { codeFor } from '../support/second-factor.ts';
import { previewAndRevert, readJob, uploadAndDownload } from './job-sequences.ts';
import { attack, type Round, send, type Step, strayFromRoutes } from './round.ts';

/**
 * Sequences of operations that depend on each other. A request between two steps can change anything, so a sequence
 * does not check individual responses and stops when it cannot continue. The model checks what must always hold.
 */
export const sequences: ((round: Round) => Promise<void>)[] = [
  useAndRevokeToken,
  useAndDeleteClient,
  moveOrder,
  playSandbox,
  deliverToWebhook,
  moveOrder,
  pickOrder,
  uploadAndDownload,
  previewAndRevert,
  changePromotion,
  signInAndOut,
  protectAccount,
  closeStore,
  setUpChain,
  readBack,
];

type Body = Response['body'];

/** Creates a token, uses it (also for another store and another chain), revokes it and uses it again. */
async function useAndRevokeToken(round: Round): Promise<void> {
  const { random, chain } = round;
  const scopes = ['catalog:read', 'catalog:write', 'orders:read', 'orders:write', 'outlets:read', 'manage'];
  const limit = random.isLikely(0.7) ? { vendor_ids: chain.vendors.slice(0, 1) } : {};
  const body = { name: 'fuzz', scopes: scopes.filter(() => random.isLikely(0.6)), ...limit };
  const { status, body: created } = await send(round, 'createToken', { body });
  if (status !== 201) return;
  const { token, token_id } = created;
  for (const vendor_id of [...chain.vendors, String(otherChain.vendors[0])]) {
    await send(round, 'getOutletStatus', { token, params: { vendor_id } });
  }
  await send(round, 'listVendors', { token, params: { chain_id: otherChain.chainId } });
  for (let count = 0; count < 4; count++) await attack(round, token);
  await send(round, 'deleteToken', { params: { token_id } });
  await send(round, 'whoami', { token });
  await attack(round, token);
  await send(round, 'deleteToken', { params: { token_id } });
}

async function useAndDeleteClient(round: Round): Promise<void> {
  const body = { name: 'fuzz', scopes: ['catalog:read', 'orders:read', 'orders:write'] };
  const client = await send(round, 'createClient', { body });
  if (client.status !== 201) return;
  const { client_id, client_secret } = client.body;
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  await send(round, 'getAccessToken', { token: undefined, body: { ...grant, client_secret: 'aisle_secret_wrong' } });
  const granted = await send(round, 'getAccessToken', { token: undefined, body: { ...grant, scope: 'orders:read' } });
  const token = granted.body.access_token;
  if (granted.status === 200) {
    await send(round, 'whoami', { token });
    await send(round, 'listChainOrders', { token });
    for (let count = 0; count < 3; count++) await attack(round, token);
  }
  await send(round, 'deleteClient', { params: { client_id } });
  await send(round, 'getAccessToken', { token: undefined, body: grant });
  if (granted.status === 200) await send(round, 'whoami', { token });
}

/** Places an order and sends changes in any sequence: fulfil, validate, cancel, pick up, deliver, repeat. */
async function moveOrder(round: Round): Promise<void> {
  const { random, chain } = round;
  const items = [
    { sku: 'MLK-00012', quantity: 2 },
    { sku: 'MLK-00013', quantity: 1 },
  ];
  const more = { order_type: random.pick(['DELIVERY', 'PICKUP']), external_order_id: newId() };
  const placed = await send(round, 'platformPlaceOrder', { body: newOrder(chain, items, more) });
  if (placed.status !== 201) return;
  const order = placed.body;
  const params = { order_id: order.order_id };
  const actions: [id: string, step: () => Step][] = [
    ['putOrder', () => ({ body: { status: 'READY_FOR_PICKUP', items: picked(round, order) } })],
    ['putOrder', () => ({ body: { status: 'READY_FOR_PICKUP', items: allPicked(order) } })],
    ['putOrder', () => ({ body: { status: 'UPDATE_CART', items: picked(round, order) } })],
    ['putOrder', () => ({ body: { status: 'CANCELLED', cancellation: { reason: 'CLOSED' } } })],
    ['platformCancelOrder', () => ({ body: contract.platformCancelOrder.body.example })],
    ['platformPickUpOrder', () => ({})],
    ['platformDeliverOrder', () => ({})],
    ['platformCollectOrder', () => ({})],
  ];
  for (let count = 0; count < 4; count++) {
    await send(round, 'putOrder', { params, body: { status: 'UPDATE_CART', items: picked(round, order) } });
  }
  const usual = ['putOrder', more.order_type === 'PICKUP' ? 'platformCollectOrder' : 'platformPickUpOrder'];
  for (const id of [...usual, 'platformDeliverOrder', 'any', 'any', 'any']) {
    const chosen = actions.filter(([one]) => one === id && random.isLikely(0.8));
    const [action, step] = random.pick(chosen.length > 0 ? chosen : actions);
    await send(round, action, { ...step(), params });
    await send(round, random.pick(['getOrder', 'getOrderById', 'platformGetOrder', 'getOrderHistory']), { params });
  }
}

/** Picks an order with two devices that mark its items in any way, while the order can be cancelled. */
async function pickOrder(round: Round): Promise<void> {
  const { random, chain } = round;
  const items = [{ sku: 'MLK-00012', quantity: 2 }];
  const placed = await send(round, 'platformPlaceOrder', { body: newOrder(chain, items) });
  if (placed.status !== 201) return;
  const { order_id, items: lines } = placed.body;
  const params = { order_id, item_id: lines[0]._id };
  await send(round, 'listPickingQueue', { query: `?vendor_id=${chain.vendors[0]}` });
  await send(round, 'claimOrder', { params, body: { mode: random.pick(['CLAIM', 'SHARE', 'TAKE_OVER']) } });
  await send(round, 'listReplacementCandidates', { params });
  await send(round, 'findPickingProducts', { params, query: random.pick(['?query=milk', '?code=2000000000121', '']) });
  const mark_ids = [newId(), newId()];
  for (let count = 0; count < 4; count++) {
    const mark = { mark_id: random.pick(mark_ids), line_id: lines[0]._id, marked_at: '2026-05-04T09:33:12Z' };
    const choices = [
      { ...mark, state: 'IN_CART', quantity: random.pick([0, 1, 2, 2_147_483_647]), scanned_codes: ['2000000000121'] },
      { ...mark, state: 'REPLACED', replacement: { sku: random.pick(['MLK-00012', 'MLK-00013']), quantity: 1 } },
      { ...mark, state: 'ADDED', line_id: newId(), sku: 'MLK-00013', weight: 0.1239 },
    ];
    const marks = choices.filter(() => random.isLikely(0.5));
    await send(round, 'markItems', { params, body: { order_revision: random.pick([1, 1, 1, 2]), marks } });
    if (random.isLikely(0.1)) await send(round, 'platformCancelOrder', { params });
    await send(round, 'getPicking', { params, query: '?version=0&wait_seconds=20' });
  }
  await send(round, 'releaseOrder', { params });
}

/** Returns the order's items as a picking device sends them, with arbitrary choices. */
function picked({ random }: Round, order: Body): unknown[] {
  return order.items.flatMap((item: Body) => {
    const pricing = { pricing_type: item.pricing.pricing_type, quantity: random.pick([0, 1, 2, 3]) };
    const status = random.pick(['IN_CART', 'IN_CART', 'IN_CART', 'NOT_FOUND', 'REPLACED', 'ADDITION']);
    const line = { _id: item._id, status, pricing };
    if (status === 'ADDITION') return [{ sku: item.sku, status, pricing }];
    if (status !== 'REPLACED') return [line];
    return [line, { sku: random.pick(['MLK-00012', 'MLK-00013']), status: 'IN_CART', replaced_id: item._id, pricing }];
  });
}

async function playSandbox(round: Round): Promise<void> {
  const { random, chain } = round;
  const after_seconds = random.pick([1, 5, null]);
  await send(round, 'putSandboxRider', { body: { after_seconds } });
  await send(round, 'getSandboxRider');
  const body = { ...contract.sandboxPlaceOrder.body.example, vendor_id: chain.vendors[0] };
  const placed = await send(round, 'sandboxPlaceOrder', { body });
  if (placed.status === 201) {
    const params = { order_id: placed.body.order_id };
    await send(round, 'putOrder', { params, body: { status: 'READY_FOR_PICKUP', items: allPicked(placed.body) } });
    const moves = ['sandboxPickUpOrder', 'sandboxDeliverOrder', 'sandboxCollectOrder', 'sandboxCancelOrder'];
    for (const id of moves) {
      if (random.isLikely(0.8)) {
        const example = id === 'sandboxCancelOrder' && { body: contract.sandboxCancelOrder.body.example };
        await send(round, id, { params, ...example });
      }
    }
  }
  const test = await send(round, 'createTestOrder', { body: contract.createTestOrder.body.example });
  if (test.status === 201) await send(round, 'getTestOrder', { params: { order_id: test.body.order_id } });
}

/** Sets up a webhook, delivers and resends to it, rotates its secret, and disables, enables and deletes it. */
async function deliverToWebhook(round: Round): Promise<void> {
  const { random } = round;
  const prefix = random.pick(['', 'Vendor']);
  const operation = (name: string) => name.replace('Webhook', `${prefix}Webhook`);
  const hostile = [
    'http://169.254.169.254/',
    'http://[::1]:1/',
    'http://localhost:1/',
    'https://hooks.invalid/',
    'x:y',
  ];
  const production_url = random.isLikely(0.7) ? receiver.url : random.pick(hostile);
  await send(round, operation('putWebhook'), { body: { environment: 'production', production_url } });
  const ping = await send(round, operation('pingWebhook'));
  if (ping.status === 202) {
    const params = { delivery_id: ping.body.delivery_id };
    await send(round, 'getDelivery', { params });
    await send(round, 'listDeliveries', { query: `?status=${random.pick(['PENDING', 'FAILED', 'DELIVERED'])}` });
    await send(round, 'resendDelivery', { params });
  }
  const changes = ['rotateWebhookSecret', 'disableWebhook', 'enableWebhook', 'pingWebhook', 'getWebhook'];
  for (let count = 0; count < 4; count++) await send(round, operation(random.pick(changes)));
  await send(round, 'resendFailedDeliveries', { body: { since: '2026-01-01T00:00:00Z' } });
  await send(round, operation('deleteWebhook'));
  await send(round, operation('pingWebhook'));
  await send(round, operation('getWebhook'));
}

async function changePromotion(round: Round): Promise<void> {
  const { random, chain } = round;
  const example = contract.putPromotion.body.example;
  const vendors = random.pick([['*'], chain.vendors, [...chain.vendors, String(otherChain.vendors[0])]]);
  for (const active of [true, true, false, true]) {
    const discount = example.discount.filter(() => random.isLikely(0.8));
    const { status, body } = await send(round, 'putPromotion', { body: { ...example, vendors, active, discount } });
    if (status !== 202) continue;
    await readJob(round, 'PromotionJob', body.job_id);
  }
  const { body } = await send(round, 'listPromotions');
  const promotion_id = body.promotions?.[0]?.promotion_id;
  if (promotion_id !== undefined) await send(round, 'getPromotion', { params: { promotion_id } });
  await send(round, 'listCatalog', { query: '?query_term=MLK' });
}

/** Creates a user, signs in, changes the password, signs out and deletes the user. */
async function signInAndOut(round: Round): Promise<void> {
  const email = `${newId()}@aisle.test`;
  const user = await send(round, 'createUser', { body: { email, name: 'Fuzz', role: 'OWNER' } });
  if (user.status !== 201) return;
  const password = user.body.password;
  const params = { user_id: user.body.user_id };
  await send(round, 'signIn', { token: undefined, body: { email, password: 'not the password' } });
  const token = sessionOf(await send(round, 'signIn', { token: undefined, body: { email, password } }));
  if (token !== undefined) {
    await send(round, 'getSession', { token });
    await attack(round, token);
    const new_password = `longer than ${newId()}`;
    await send(round, 'changePassword', { token, body: { current_password: password, new_password } });
    await send(round, 'updateUser', { token, params, body: { name: 'Fuzz 2' } });
    await send(round, 'signOut', { token });
    await send(round, 'getSession', { token });
  }
  const reset = await send(round, 'resetPassword', { params });
  const again = { email, password: String(reset.body.password) };
  const second = sessionOf(await send(round, 'signIn', { token: undefined, body: again }));
  await send(round, 'deleteUser', { params });
  if (second !== undefined) await send(round, 'getSession', { token: second });
}

/** Turns on a second factor, signs in with recovery codes, ends sessions, turns the factor off, deletes the user. */
async function protectAccount(round: Round): Promise<void> {
  const email = `${newId()}@aisle.test`;
  const user = await send(round, 'createUser', { body: { email, name: 'Fuzz', role: 'MANAGER' } });
  if (user.status !== 201) return;
  const { password, user_id } = user.body;
  const signIn = async (code?: string) =>
    sessionOf(await send(round, 'signIn', { token: undefined, body: { email, password, code } }));
  const token = await signIn();
  if (token === undefined) return;
  const { body: started } = await send(round, 'startSecondFactor', { token, body: { password } });
  const code = typeof started.secret === 'string' ? codeFor(started.secret) : '000000';
  const { body: confirmed } = await send(round, 'confirmSecondFactor', { token, body: { code } });
  await send(round, 'signIn', { token: undefined, body: { email, password } });
  const codes: string[] = confirmed.recovery_codes ?? [];
  for (const id of ['endOwnSession', 'endUserSession']) {
    const other = await signIn(codes.pop());
    const { body } = await send(round, 'listOwnSessions', { token });
    const ended = body.sessions?.find((session: Body) => !session.is_current);
    if (other === undefined || ended === undefined) continue;
    const params = { user_id, session_id: ended.session_id };
    await send(round, id, { params, ...(id === 'endOwnSession' && { token }) });
  }
  await attack(round, token);
  await send(round, 'replaceRecoveryCodes', { token, body: { password, code } });
  const replaced = await send(round, 'replaceRecoveryCodes', { token, body: { password, code: codes.pop() ?? '' } });
  const last = replaced.body.recovery_codes?.[0] ?? '';
  await send(round, 'disableSecondFactor', { token, body: { password, code: last } });
  await send(round, 'deleteUser', { params: { user_id } });
}

function sessionOf({ status, headers }: Response): string | undefined {
  return status === 201 ? /aisle_session=([^;]+)/.exec(String(headers['set-cookie']))?.[1] : undefined;
}

async function closeStore(round: Round): Promise<void> {
  const { random, chain } = round;
  const statuses = [
    { status: 'OPEN' },
    { status: 'CLOSED_TODAY', closed_reason: 'HOLIDAY_SPECIAL_DAY' },
    { status: 'CLOSED_UNTIL', closed_reason: 'HOLIDAY_SPECIAL_DAY', closed_until: '2035-01-01T00:00:00Z' },
  ];
  for (let count = 0; count < 3; count++) {
    await send(round, 'putOutletStatus', { body: random.pick(statuses) });
    await send(round, 'platformPutOutletStatus', { body: { status: 'CLOSED', closed_reason: 'BAD_WEATHER' } });
    await send(round, 'getOutletStatus');
    await send(round, 'platformPlaceOrder', { body: newOrder(chain, [{ sku: 'MLK-00012', quantity: 1 }]) });
  }
  for (let count = 0; count < 5; count++) await strayFromRoutes(round);
}

/** Creates a second chain, which the first chain's token must not be able to access. */
async function setUpChain(round: Round): Promise<void> {
  const { chain } = round;
  const created = await send(round, 'platformCreateChain', { body: contract.platformCreateChain.body.example });
  if (created.status !== 201) return;
  const params = { chain_id: created.body.chain_id };
  const vendor = await send(round, 'platformCreateVendor', {
    params,
    body: contract.platformCreateVendor.body.example,
  });
  if (vendor.status !== 201) return;
  const both = { ...params, vendor_id: vendor.body.vendor_id };
  const granted = await send(round, 'platformCreateToken', { params, body: { name: 'first', scopes: ['manage'] } });
  const owner = { email: `${newId()}@aisle.test`, name: 'First', role: 'OWNER', invite: true };
  const { invitation } = (await send(round, 'platformCreateUser', { params, body: owner })).body;
  const body = { token: String(invitation?.url).replace(/.*#/, ''), password: `longer than ${newId()}` };
  await send(round, 'acceptInvitation', { token: undefined, body });
  await send(round, 'platformPutCategories', { params, body: contract.platformPutCategories.body.example });
  await send(round, 'platformUpdateVendor', { params: both, body: { name: 'Renamed' } });
  await send(round, 'getVendorSettings', { params: both });
  await send(round, 'getVendorSettings', { params: { ...both, chain_id: chain.chainId } });
  if (granted.status === 201) {
    const { token } = granted.body;
    await send(round, 'getVendorSettings', { params: both, token });
    await send(round, 'updateVendorSettings', { params: both, token, body: { sales_buffer: 1 } });
    await send(round, 'getSettings', { token });
    for (let count = 0; count < 3; count++) await attack(round, token);
  }
  const mixed = newOrder(chain, [{ sku: 'MLK-00012', quantity: 1 }], { vendor_id: both.vendor_id });
  await send(round, 'platformPlaceOrder', { body: mixed });
}

/** Reads everything that a chain can list, with the cursors from earlier pages. */
async function readBack(round: Round): Promise<void> {
  const { random, chain } = round;
  const body = newOrder(chain, [{ sku: 'MLK-00012', quantity: 1 }]);
  for (let count = 0; count < 2; count++) await send(round, 'platformPlaceOrder', { body });
  await send(round, 'updateSettings', { body: { profile: random.pick(['strict', 'tolerant']) } });
  const first = await send(round, 'listChainOrders', { query: '?limit=1' });
  const cursor = encodeURIComponent(String(first.body.next_cursor));
  if (first.status === 200) await send(round, 'listChainOrders', { query: `?cursor=${cursor}` });
  const events = await send(round, 'listEvents', { query: '?limit=1' });
  if (events.status === 200) await send(round, 'listEvents', { query: `?after=${events.body.next_cursor}` });
  for (const id of ['listTokens', 'listClients', 'listUsers', 'listWebhooks', 'listRequests', 'getStatistics']) {
    await send(round, id);
  }
  const etag = (await send(round, 'listCatalog')).headers['etag'];
  if (typeof etag === 'string') await send(round, 'listCatalog', { headers: { 'if-none-match': etag } });
  await send(round, 'platformListChains', { token: aisle.platformToken });
}
