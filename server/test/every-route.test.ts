import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { routes as contract } from '@aisle/contract/index';
import { leastRole, type Route, roles, scopes } from '@aisle/contract/route';
import fc from 'fast-check';
import { newId } from '../src/kernel/ids.ts';
import {
  type Answer,
  makeChain,
  makeClient,
  makeToken,
  makeUser,
  startTestAisle,
  type TestChain,
} from './support/aisle.ts';
import { type Attack, attacks, type Hints, strangePaths } from './support/attacks.ts';
import { giveProducts, waitForJob } from './support/catalog.ts';
import { assertDeclared, assertFailure, assertFits, assertSane } from './support/declared.ts';
import { allPicked, placeOrder, putOrder, report } from './support/orders.ts';
import { applyPromotion } from './support/promotions.ts';
import { startReceiver } from './support/receiver.ts';
import { setWebhook } from './support/webhooks.ts';

/**
 * What holds for every route of the contract, tried on every one of them: who may call it, what its example does, that
 * nothing but declared answers comes back, and that no input whatever brings the server out of step.
 * A new route is tried without a line changed here; a new name in a path may want a line in `ids`.
 */
const routes = Object.entries(contract) as [id: string, route: Route][];

const aisle = await startTestAisle({ AISLE_MAX_API_TOKENS: '1000' });
const receiver = await startReceiver();
const chain = await prepareChain();
const stranger = await makeChain(aisle);
const people = {
  VIEWER: (await makeUser(aisle, chain.chainId, 'VIEWER')).session,
  MANAGER: (await makeUser(aisle, chain.chainId, 'MANAGER')).session,
  OWNER: (await makeUser(aisle, chain.chainId, 'OWNER')).session,
};
after(() => aisle.stop().then(receiver.close));

/** What to put for each name of a path. A name without a line gets an id that nothing has. */
const ids: Record<string, (chain: TestChain, route: Route) => Promise<string> | string> = {
  chain_id: ({ chainId }) => chainId,
  vendor_id: ({ vendors }) => String(vendors[0]),
  job_id: (of, { path }) => (path.includes('/promotion/') ? promote(of).then((job) => job.job_id) : exportCatalog(of)),
  promotion_id: (of) => promote(of).then((job) => job.promotion_id),
  token_id: async ({ chainId, base, token }) => {
    await makeToken(aisle, chainId);
    const { body } = await aisle.call('GET', `${base}/tokens?page_size=1`, { token });
    return body.tokens[0].token_id;
  },
  order_id: makeOrder,
  client_id: async ({ chainId }) => (await makeClient(aisle, chainId)).client_id,
  user_id: async ({ chainId }) => (await makeUser(aisle, chainId, 'VIEWER')).user_id,
  delivery_id: async ({ base, token }) =>
    (await aisle.call('POST', `${base}/webhook/ping`, { token })).body.delivery_id,
};

/** Requests beside the documented example, so that every declared success is seen. */
const alsoSent: Record<string, unknown[]> = {
  updateCatalog: [{ products: [{ sku: 'MLK-00012', price: 6.25, quantity: 40 }] }],
};

for (const [id, route] of routes) {
  if (route.access === 'public') continue;

  test(`${id} without a token is 401`, async () => {
    const answer = await send(route, chain, undefined);
    assertFailure(route, answer, 'invalid_token');
    assert.equal(answer.headers['www-authenticate'], 'Bearer');
  });

  if (route.access === 'platform') {
    test(`${id} with a partner's token is 403`, async () => {
      assertFailure(route, await send(route, chain, chain.token), 'forbidden');
    });
  } else {
    test(`${id} with every scope but its own is 403`, async () => {
      const token = await makeToken(aisle, chain.chainId, { scopes: scopes.filter((one) => one !== route.access) });
      assertFailure(route, await send(route, chain, token), 'forbidden');
    });
  }

  for (const role of roles.slice(0, roles.indexOf(leastRole(route)))) {
    if (route.access === 'platform') continue;
    test(`${id} by a ${role} is 403`, async () => {
      assertFailure(route, await send(route, chain, people[role]), 'forbidden');
    });
  }

  if (route.access !== 'platform' && route.method !== 'GET') {
    test(`${id} by an owner whose browser was on another site's page is 403`, async () => {
      const { session } = await makeUser(aisle, chain.chainId);
      for (const headers of foreignPages) {
        assertFailure(route, await send(route, chain, session, {}, undefined, headers), 'forbidden');
      }
      assertFailure(route, await send(route, chain, undefined, {}, undefined, cookieOf(session)), 'forbidden');
    });
  }

  if (route.path.includes('{chain_id}') && route.access !== 'platform') {
    test(`${id} by an owner of another chain is 404: the chain does not exist for it`, async () => {
      const { session } = await makeUser(aisle, stranger.chainId);
      assertFailure(route, await send(route, chain, session), 'chain_not_found');
    });

    test(`${id} with a stranger's token, or the platform's, is 404: the chain does not exist for it`, async () => {
      assertFailure(route, await send(route, chain, stranger.token), 'chain_not_found');
      assertFailure(route, await send(route, chain, aisle.platformToken), 'chain_not_found');
    });
  }

  if (route.path.includes('{vendor_id}')) {
    test(`${id} of a vendor of another chain is 404`, async () => {
      const token = await tokenFor(route, chain);
      const answer = await send(route, chain, token, { vendor_id: String(stranger.vendors[0]) });
      assertFailure(route, answer, 'vendor_not_found');
    });

    if (route.access !== 'platform') {
      test(`${id} with a token limited to another vendor is 403`, async () => {
        const vendor_ids = [String(chain.vendors[1])];
        const token = await makeToken(aisle, chain.chainId, { scopes: [...scopes], vendor_ids });
        assertFailure(route, await send(route, chain, token), 'forbidden');
      });
    }
  }
}

for (const path of new Set(routes.map(([, route]) => route.path))) {
  test(`${path} with any other method is 405 and says which are allowed`, async () => {
    // A fixed word can stand where another route has an id: then the methods of both are known.
    const fits = (route: Route) => new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
    const declared = routes.filter(([, route]) => fits(route)).map(([, route]) => route.method as string);
    const known = declared.includes('GET') ? [...declared, 'HEAD'] : declared;
    for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => !known.includes(one))) {
      const answer = await aisle.call(method, path.replace(/\{\w+\}/g, newId()), { token: chain.token });
      assert.equal(answer.status, 405, method);
      assert.equal(answer.body.code, 'method_not_allowed');
      assert.deepEqual(String(answer.headers['allow']).split(', ').toSorted(), known.toSorted());
    }
  });
}

for (const [id, route] of routes) {
  test(`the examples of ${id} fit their schemas`, () => {
    if (route.body) assertFits(route.body.schema, route.body.example);
    for (const answer of Object.values(route.answers)) if (answer.schema) assertFits(answer.schema, answer.example);
  });

  if (route.access !== 'public' && route.access !== 'platform') {
    test(`${id} is open to a ${leastRole(route)} who is signed in`, async () => {
      const own = await prepareChain();
      const { session } = await makeUser(aisle, own.chainId, leastRole(route));
      const answer = await send(route, own, session, {}, await exampleBody(id, route, own));
      assertDeclared(route, answer);
      assert.ok(answer.status !== 403 && answer.status !== 404, answer.text);
    });
  }

  test(`${id} accepts its documented example, and every success it declares is seen`, async () => {
    const own = await prepareChain();
    const seen = new Set<string>();
    for (const body of [await exampleBody(id, route, own), ...(alsoSent[id] ?? [])]) {
      const answer = await send(route, own, await tokenFor(route, own, body), {}, body);
      assertDeclared(route, answer);
      if (isPrepared(route)) assert.ok(answer.status < 300, answer.text);
      seen.add(String(answer.status));
    }
    if (isPrepared(route)) assert.deepEqual([...seen].toSorted(), Object.keys(route.answers));
  });
}

/** One seed a run, told when something fails: AISLE_FUZZ_SEED repeats it. AISLE_FUZZ_RUNS=5000 is for a long night. */
const seed = Number(process.env['AISLE_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const numRuns = Number(process.env['AISLE_FUZZ_RUNS'] ?? 60);
const budgetMs = Math.max(1000, (500 * numRuns) / routes.length);

for (const [id, route] of routes) {
  test(`${id} answers whatever is sent with what it declares`, async () => {
    const own = await prepareChain();
    const token = route.access === 'public' ? undefined : await tokenFor(route, own);
    const hints = { ...hintsFor(own), ...textsOf(await exampleBody(id, route, own)) };
    await forAll(attacks(route, await idsOf(route, own), hints), async (attack) => {
      const answer = await attackWith(attack, route.method, token);
      if (attack.leavesRoute) assertSane(answer);
      else assertDeclared(route, answer);
    });
  });
}

test('addresses that are none of the contract are answered as problems', async () => {
  await forAll(strangePaths(), async (attack) => {
    assertSane(await attackWith(attack, attack.method, chain.token));
  });
});

test('whatever was accepted is worked off, and no background task has given up', async () => {
  const deadline = Date.now() + 60_000;
  const count = async (table: string) => (await aisle.db.query(`select 1 from ${table}`)).length;
  while ((await count('queue_tasks')) > 0) {
    assert.ok(Date.now() < deadline, `${await count('queue_tasks')} tasks are still there`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(await aisle.db.query('select kind, last_error from queue_dead'), []);
});

function forAll<Input>(inputs: fc.Arbitrary<Input>, holds: (input: Input) => Promise<void>): Promise<void> {
  return fc.assert(fc.asyncProperty(inputs, holds), { seed, numRuns, interruptAfterTimeLimit: budgetMs });
}

function attackWith(attack: Attack, method: string, token: string | undefined): Promise<Answer> {
  // To be made to wait is no attack, and would use up the time for the others.
  const url = attack.url.replace(/\bwait=[1-9]\d*/g, 'wait=0');
  return aisle.call(method, url, {
    token,
    headers: attack.headers,
    ...(attack.raw !== undefined && { raw: attack.raw }),
  });
}

async function tokenFor(route: Route, { chainId, token }: TestChain, body?: unknown): Promise<string> {
  if (route.access === 'platform') return aisle.platformToken;
  if (route.access !== 'session') return token;
  return sessions.get(body) ?? (await makeUser(aisle, chainId)).session;
}

const foreignPages = [
  { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'https://elsewhere.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-site' },
];

/** The session without a word about the page. */
function cookieOf(session: string): Record<string, string> {
  return { cookie: `aisle_session=${session}` };
}

/** So that what is sound in an attack finds something to work on. */
function hintsFor({ vendors }: TestChain): Hints {
  return {
    sku: ['MLK-00012', 'MLK-00013', 'NEW-1', 'NEW-2'],
    vendors,
    vendor_ids: vendors,
    categories: ['dairy'],
    category_global_ids: ['dairy'],
    global_id: ['dairy', 'milk'],
    parent_global_id: ['dairy', 'milk'],
    query_term: ['milk', 'MLK', '2000'],
    external_id: ['ext-1', 'ext-9'],
  };
}

/** A request as documented: the example as its body, everything in its path existing. */
async function send(
  route: Route,
  of: TestChain,
  token: string | undefined,
  instead: Record<string, string> = {},
  body: unknown = route.body?.example,
  more: Record<string, string> = {},
): Promise<Answer> {
  const values = { ...(await idsOf(route, of)), ...instead };
  const url = route.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  if (!route.body) return aisle.call(route.method, url, { token, headers: more });
  if (route.body.form !== 'urlencoded') return aisle.call(route.method, url, { token, body, headers: more });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more };
  return aisle.call(route.method, url, { token, headers, raw: new URLSearchParams(body as never).toString() });
}

async function idsOf(route: Route, of: TestChain): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const name of namesOf(route)) values[name] = (await ids[name]?.(of, route)) ?? newId();
  return values;
}

function namesOf(route: Route): string[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** Whether this file can make all that the path names, so that the example must succeed. */
function isPrepared(route: Route): boolean {
  return namesOf(route).every((name) => name in ids);
}

/** Who a body with a password belongs to. */
const sessions = new Map<unknown, string>();

async function exampleBody(id: string, route: Route, { chainId, vendors }: TestChain): Promise<unknown> {
  const example = route.body?.example as Record<string, unknown> | undefined;
  if (id === 'createUser' || id === 'platformCreateUser') {
    return { ...example, email: `${newId()}@aisle.test` };
  }
  if (id === 'signIn' || id === 'changePassword') {
    const { email, password, session } = await makeUser(aisle, chainId);
    const body =
      id === 'signIn' ? { email, password } : { current_password: password, new_password: 'another one of mine' };
    sessions.set(body, session);
    return body;
  }
  if (id === 'sandboxPlaceOrder') return { ...example, vendor_id: vendors[0] };
  if (id === 'platformPlaceOrder') return { ...example, chain_id: chainId, vendor_id: vendors[0] };
  if (id !== 'getAccessToken') return example;
  const { client_id, client_secret } = await makeClient(aisle, chainId);
  return { ...example, client_id, client_secret };
}

function textsOf(body: unknown): Hints {
  const texts = Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts.map(([name, value]) => [name, [value]]));
}

async function prepareChain(): Promise<TestChain> {
  const made = await makeChain(aisle, { isSandbox: true });
  await aisle.call('PUT', `/platform/v1/chains/${made.chainId}/categories`, {
    token: aisle.platformToken,
    body: contract.platformPutCategories.body.example,
  });
  const product = { title: { en_AE: 'Milk' }, price: 5, quantity: 1000, categories: ['dairy'] };
  await giveProducts(aisle, made, [
    { ...product, sku: 'MLK-00012', barcode: '2000000000121' },
    { ...product, sku: 'MLK-00013' },
  ]);
  for (const vendor of [undefined, made.vendors[0]]) {
    await setWebhook(aisle, made, { production_url: receiver.url }, vendor);
  }
  return made;
}

/** A promotion that could not be applied whole, so that its job has a file. */
async function promote(of: TestChain): Promise<{ job_id: string; promotion_id: string }> {
  const example = contract.putPromotion.body.example;
  const discount = [...example.discount, { ...example.discount[0], sku: ['MLK-99999'] }];
  return applyPromotion(aisle, of, { ...example, discount });
}

async function exportCatalog(of: TestChain): Promise<string> {
  const path = `${of.base}/vendors/${of.vendors[0]}/catalog/export`;
  const { body } = await aisle.call('POST', path, { token: of.token });
  await waitForJob(aisle, of, body.job_id);
  return body.job_id;
}

/** An order in the status the route needs. */
async function makeOrder(of: TestChain, { path }: Route): Promise<string> {
  if (path.includes('/test-orders/')) return sendTestOrder(of);
  const isCollected = path.endsWith('/collect');
  const more = isCollected ? { order_type: 'PICKUP' } : {};
  const order = await placeOrder(aisle, of, [{ sku: 'MLK-00012', quantity: 2 }], more);
  const isReady = isCollected || path.endsWith('/pickup') || path.endsWith('/deliver');
  if (isReady) await putOrder(aisle, of, order.order_id, { status: 'READY_FOR_PICKUP', items: allPicked(order) });
  if (path.endsWith('/deliver')) await report(aisle, order.order_id, 'pickup');
  return order.order_id;
}

async function sendTestOrder({ base, token, vendors }: TestChain): Promise<string> {
  const { example } = contract.createTestOrder.body;
  const answer = await aisle.call('POST', `${base}/vendors/${vendors[0]}/test-orders`, { token, body: example });
  return answer.body.order_id;
}
