import assert from 'node:assert/strict';
import { isKeyed, type Route } from '@aisle/contract/route';
import fc from 'fast-check';
import { newId } from '../../src/kernel/values/ids.ts';
import { makePlatformUser, makeToken, makeUser, type Response, type TestChain } from '../support/aisle.ts';
import { addProducts } from '../support/catalog.ts';
import { assertDeclared, assertSane } from '../support/declared.ts';
import {
  aisle,
  currentBody,
  exampleBody,
  idOf,
  otherChain,
  prepareChain,
  requiredQuery,
  routes,
  tokenFor,
} from '../support/every-route.ts';
import { attacks, strangePaths } from './attacks.ts';
import { placeOrder } from '../support/orders.ts';
import { createModel, type Model } from './model.ts';
import { createPools, type Pools } from './pools.ts';
import { createRandom, type Random } from './random.ts';
import { mutatedTexts } from './values.ts';

/**
 * A round is a series of requests to one new chain. All decisions follow from the seed and the number of the round, so
 * a round can be repeated without the rounds before it.
 */
export type Round = {
  random: Random;
  chain: TestChain;
  model: Model;
  pools: Pools;
  /** The requests so far with their statuses, for the report of a failure. */
  transcript: string[];
  deck: Iterator<Card, never>;
  onResponse: (id: string, status: number) => void;
  /** A signed-in owner, created when first needed. */
  user?: User;
  /** The session of a user of the console, created when first needed. */
  operator?: string;
};

/** The next operation to attack. If `isPlain`, its example is sent instead. */
type Card = { id: string; route: Route; isPlain: boolean };

type User = Awaited<ReturnType<typeof makeUser>>;

export type Step = {
  params?: Record<string, string>;
  query?: string;
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
};

export async function startRound(seed: number, number: number, onResponse: Round['onResponse']): Promise<Round> {
  const chain = await prepareChain();
  const { body } = await aisle.call('GET', `${chain.base}/tokens`, { token: chain.token });
  // If the first token were revoked, all further requests in the round would get 401.
  const hidden = body.tokens.map((one: { token_id: string }) => one.token_id);
  return {
    random: createRandom(Math.imul(seed, 31) + Math.imul(number, 7919)),
    chain,
    model: createModel(),
    pools: createPools(knownValues(chain), hidden),
    transcript: [],
    deck: deckFrom(seed, number),
    onResponse,
  };
}

/** Sends a valid request as a step of a sequence, sometimes after a hostile or nearly valid one, sometimes twice. */
export async function send(round: Round, id: string, step: Step = {}): Promise<Response> {
  const { random, model } = round;
  if (random.isLikely(0.25)) await attack(round);
  const { route, params, url, token, headers, raw } = requestOf(round, id, step);
  const exchangeWith = (payload: string | undefined, more: Record<string, string> = {}) =>
    exchange(round, { id, route, params, url, token, raw: payload, headers: { ...headers, ...more }, sent: step.body });
  if (route.body && random.isLikely(0.3)) {
    await exchangeWith(random.draw(mutatedTexts(fc.constant(step.body), 1)));
  }
  if (!isKeyed(route) || !random.isLikely(0.3)) return exchangeWith(raw);
  const key = { 'idempotency-key': newId() };
  const first = await exchangeWith(raw, key);
  const second = await exchangeWith(raw, key);
  if (first.status < 300 && !model.isEnded(token)) {
    assert.equal(second.headers['idempotent-replayed'], 'true', `${id} was not replayed: ${second.text}`);
    assert.deepEqual([second.status, second.text], [first.status, first.text], `${id} replayed another response`);
  }
  return first;
}

/** Sends any request to the next operation in the deck: valid, nearly valid or hostile. */
export async function attack(round: Round, credential?: string): Promise<void> {
  const { random, chain, pools } = round;
  const { id, route, isPlain } = round.deck.next().value;
  if (isPlain && credential === undefined) return sendExample(round, id, route);
  const params = await paramsFor(round, route);
  const example = await exampleFor(round, id, route, chain);
  const request = random.draw(attacks(route, { ids: params, hints: pools.hints(), example }));
  await exchange(round, {
    ...request,
    id,
    route,
    params,
    token: credential ?? (await credentialFor(round, route, example)),
  });
}

/** Sends the documented example for a new object, so that every operation succeeds now and then. */
async function sendExample(round: Round, id: string, route: Route): Promise<void> {
  const params: Record<string, string> = {};
  for (const [, name = ''] of route.path.matchAll(/\{(\w+)\}/g)) {
    params[name] = await idOf(name, round.chain, route, { values: params }).catch(idOrFail);
  }
  const example = await exampleFor(round, id, route, round.chain);
  const body = await currentBody(route, round.chain, params['order_id'], example);
  const query = new URLSearchParams(requiredQuery.get(route)).toString();
  const token = await ownCredential(round, route, example);
  const request = requestOf(round, id, { params, body, token, ...(query !== '' && { query: `?${query}` }) });
  await exchange(round, { id, ...request, sent: body });
}

export async function strayFromRoutes(round: Round): Promise<void> {
  const { method, url, headers } = round.random.draw(strangePaths());
  const { token } = round.chain;
  await exchange(round, { id: 'none', method, url, headers, token, params: {}, leavesRoute: true });
}

/** Every operation once, in an order that depends on the seed, continued from one round to the next. */
function* deckFrom(seed: number, number: number): Generator<Card, never> {
  const order = createRandom(seed);
  const shuffled = routes
    .map(([id, route]) => ({ id, route, key: order.pick(keys) }))
    .toSorted((a, b) => a.key - b.key);
  for (let index = number * attacksPerRound; ; index++) {
    const { id, route } = shuffled[index % shuffled.length] as { id: string; route: Route };
    yield { id, route, isPlain: Math.floor(index / shuffled.length) % 4 === 0 };
  }
}

const keys = Array.from({ length: 10_007 }, (_, index) => index);
/** The approximate number of operations that a round takes from the deck. */
const attacksPerRound = 29;

/** Returns existing values, so that the valid parts of an attack have an effect. */
function knownValues({ vendors }: TestChain) {
  const foreign = otherChain.vendors.slice(0, 1);
  return {
    sku: ['MLK-00012', 'MLK-00013', 'NEW-1', 'NEW-2'],
    vendors: [...vendors, ...foreign],
    vendor_id: [...vendors, ...foreign],
    vendor_ids: [...vendors, ...foreign],
    categories: ['dairy'],
    category_global_ids: ['dairy'],
    global_id: ['dairy', 'milk'],
    parent_global_id: ['dairy', 'milk'],
    query_term: ['milk', 'MLK', '2000'],
    external_id: ['ext-1', 'ext-9'],
  };
}

function requestOf({ chain }: Round, id: string, step: Step) {
  const route = routes.find(([one]) => one === id)?.[1];
  assert.ok(route, `${id} is not an operation`);
  const params: Record<string, string> = {
    chain_id: chain.chainId,
    vendor_id: String(chain.vendors[0]),
    ...step.params,
  };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const isForm = route.body?.form === 'urlencoded';
  return {
    route,
    params,
    url: `${path}${step.query ?? ''}`,
    token: 'token' in step ? step.token : route.access === 'platform' ? aisle.platformToken : chain.token,
    headers: { ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }), ...step.headers },
    raw: isForm ? new URLSearchParams(step.body as never).toString() : textOf(step.body),
  };
}

function textOf(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

/** Chooses each path parameter: a value from an earlier response, an id of another chain, or the id of a new object. */
async function paramsFor(round: Round, route: Route): Promise<Record<string, string>> {
  const { random, chain, pools } = round;
  const hints = pools.hints();
  const params: Record<string, string> = {};
  for (const [, name = ''] of route.path.matchAll(/\{(\w+)\}/g)) {
    const known = hints[name] ?? [];
    const isReused = known.length > 0 && random.isLikely(name === 'chain_id' ? 0.1 : 0.75);
    params[name] = isReused ? random.pick(known) : await idOf(name, chain, route, { values: params }).catch(idOrFail);
  }
  if (random.isLikely(0.05)) params['chain_id'] = otherChain.chainId;
  return params;
}

/** Returns an id that does not exist if the object cannot be created, for example because the store is closed. */
function idOrFail(error: unknown): string {
  const actual = error instanceof assert.AssertionError ? error.actual : undefined;
  if (actual === 'FAILED' || (typeof actual === 'number' && actual < 500)) return newId();
  throw error;
}

/** Chooses credentials: usually the right ones, otherwise none, invalid ones, another chain's or restricted ones. */
async function credentialFor(round: Round, route: Route, body: unknown): Promise<string | undefined> {
  const { random, chain, model } = round;
  const { chainId, vendors } = chain;
  if (random.isLikely(0.15)) {
    const others = [undefined, 'aisle_live_none', '\\', otherChain.token, chain.token, ...model.issued()];
    return random.pick([...others, await makeToken(aisle, chainId, { vendor_ids: vendors.slice(0, 1) })]);
  }
  return ownCredential(round, route, body);
}

async function ownCredential(round: Round, route: Route, body: unknown): Promise<string | undefined> {
  if (route.access === 'platform') return aisle.platformToken;
  if (route.access === 'console') {
    // A body with a password belongs to a user of its own, and signing out ends the session.
    if (route.method !== 'GET') return tokenFor(route, round.chain, body);
    return (round.operator ??= (await makePlatformUser(aisle)).session);
  }
  return route.access === 'session' ? (await userOf(round)).session : round.chain.token;
}

/** Returns the round's user, or a new one after a sign-out. Users are reused, because creating one is slow. */
async function userOf(round: Round): Promise<User> {
  if (!round.user || round.model.isEnded(round.user.session)) round.user = await makeUser(aisle, round.chain.chainId);
  return round.user;
}

async function exampleFor(round: Round, id: string, route: Route, chain: TestChain): Promise<unknown> {
  if (id !== 'signIn' && id !== 'changePassword') return exampleBody(id, route, chain);
  const { email, password } = await userOf(round);
  return id === 'signIn'
    ? { email, password }
    : { current_password: password, new_password: `another one of ${newId()}` };
}

type Request = {
  id: string;
  route?: Route;
  method?: string;
  params: Record<string, string>;
  url: string;
  token: string | undefined;
  headers: Record<string, string>;
  raw?: string | Buffer | undefined;
  leavesRoute?: boolean;
  /** The body before it was encoded, if it is known. */
  sent?: unknown;
};

/** Sends a request and checks the response. */
async function exchange(round: Round, request: Request): Promise<Response> {
  const { id, route, params, token, headers, raw } = request;
  const method = route?.method ?? request.method ?? 'GET';
  // Long polling would slow the round down.
  const url = request.url.replace(/\bwait=[1-9]\d*/g, 'wait=0');
  const line = `${id}: ${method} ${url.slice(0, 300)} ${raw === undefined ? '' : String(raw).slice(0, 500)}`;
  round.transcript.push(line);
  const response = await aisle.call(method, url, { token, headers, ...(raw !== undefined && { raw }) });
  round.transcript.push(`  ${response.status} ${response.status < 400 ? '' : response.text.slice(0, 300)}`);
  round.onResponse(id, response.status);
  if (!route || request.leavesRoute) assertSane(response);
  else {
    assertDeclared(route, response);
    round.model.observe({ id, route, params, credential: token, sent: request.sent, response });
  }
  assertSeparate(token, response);
  round.pools.collect(response);
  return response;
}

/** Text that only the other chain can read, in its catalog and in one of its orders. */
const secret = `only-${newId()}`;
await addProducts(aisle, otherChain, [{ sku: 'OTHER-1', title: secret, price: 5, quantity: 100 }]);
await placeOrder(aisle, otherChain, [{ sku: 'OTHER-1', quantity: 1 }], { comment: secret });

function assertSeparate(token: string | undefined, { text }: Response): void {
  const mayRead = token === aisle.platformToken || token === otherChain.token;
  assert.ok(mayRead || !text.includes(secret), `the response contains data of another chain: ${text.slice(0, 500)}`);
}
