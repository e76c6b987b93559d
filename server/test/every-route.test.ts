import assert from 'node:assert/strict';
import test from 'node:test';
import {
  isAudited,
  isPlatformRoleAllowed,
  isRoleAllowed,
  platformRoles,
  requiredPlatformRole,
  requiredRole,
  type Role,
  type Route,
  roles,
  scopes,
} from '@aisle/contract/route';
import { newId } from '../src/kernel/values/ids.ts';
import { lazy } from '../src/kernel/values/lazy.ts';
import { makePlatformUser, makeToken, makeUser, type Response, type TestChain } from './support/aisle.ts';
import { assertDeclared, assertFailure, assertMatches } from './support/declared.ts';
import {
  aisle,
  chain,
  exampleBody,
  idsOf,
  isPrepared,
  prepareChain,
  routes,
  send,
  otherChain,
  tokenFor,
} from './support/every-route.ts';

/**
 * Checks every route in the contract: who can call it, that its example works, and that it returns only declared
 * responses. A new route is covered without changing this file.
 */
const sessions = {
  PICKER: (await makeUser(aisle, chain.chainId, 'PICKER')).session,
  VIEWER: (await makeUser(aisle, chain.chainId, 'VIEWER')).session,
  MANAGER: (await makeUser(aisle, chain.chainId, 'MANAGER')).session,
  OWNER: (await makeUser(aisle, chain.chainId, 'OWNER')).session,
};

const operators = {
  READ_ONLY: (await makePlatformUser(aisle, 'READ_ONLY')).session,
  SUPPORT: (await makePlatformUser(aisle, 'SUPPORT')).session,
  ADMIN: (await makePlatformUser(aisle, 'ADMIN')).session,
};

/** An owner of the other chain. */
const stranger = (await makeUser(aisle, otherChain.chainId)).session;

/** Bodies to send in addition to the documented example, so that every declared success response occurs. */
const extraBodies: Record<string, unknown[]> = {
  updateCatalog: [{ products: [{ sku: 'MLK-00012', price: 6.25, quantity: 40 }] }],
};

for (const [id, route] of routes) {
  if (route.access === 'public') continue;
  // A refused request changes nothing, so all of them refer to the same objects.
  const objects = lazy(() => idsOf(route, chain));
  const refuse = async (token: string | undefined, headers?: Record<string, string>) =>
    send(route, chain, token, await objects(), undefined, headers);

  test(`${id} without a token returns 401`, async () => {
    const response = await refuse(undefined);
    assertFailure(route, response, 'invalid_token');
    assert.equal(response.headers['www-authenticate'], 'Bearer');
  });

  if (isForOperator(route)) {
    test(`${id} with a partner's token returns 403, and with a partner's session 401`, async () => {
      assertFailure(route, await refuse(chain.token), 'forbidden');
      for (const role of roles) assertFailure(route, await refuse(sessions[role]), 'invalid_token');
    });
  } else {
    test(`${id} called by a user of the console returns 401`, async () => {
      assertFailure(route, await refuse(operators.ADMIN), 'invalid_token');
    });
  }

  if (route.access === 'console') {
    test(`${id} with a platform token returns 403`, async () => {
      assertFailure(route, await refuse(aisle.platformToken), 'forbidden');
    });
  }

  for (const role of platformRoles) {
    if (!isForOperator(route) || isPlatformRoleAllowed(role, route)) continue;
    test(`${id} called in the console by a user with the role ${role} returns 403`, async () => {
      assertFailure(route, await refuse(operators[role]), 'forbidden');
    });
  }

  if (!isForOperator(route) && route.access !== 'any') {
    test(`${id} with every scope except the required one returns 403`, async () => {
      const token = await makeToken(aisle, chain.chainId, { scopes: otherScopes(route) });
      assertFailure(route, await refuse(token), 'forbidden');
    });
  }

  for (const role of roles) {
    if (isForOperator(route) || isRoleAllowed(role, route)) continue;
    test(`${id} called by a ${role} returns 403`, async () => {
      assertFailure(route, await refuse(sessions[role]), 'forbidden');
    });
  }

  if (route.method !== 'GET') {
    test(`${id} called by a signed-in user from a page on another site returns 403`, async () => {
      const session = isForOperator(route) ? operators.ADMIN : sessions.OWNER;
      for (const headers of foreignPages) {
        assertFailure(route, await refuse(session, headers), 'forbidden');
      }
      assertFailure(route, await refuse(undefined, cookieOf(session)), 'forbidden');
    });
  }

  if (route.path.includes('{chain_id}') && !isForOperator(route)) {
    test(`${id} called by another chain's owner returns 404 as if the chain did not exist`, async () => {
      assertFailure(route, await refuse(stranger), 'chain_not_found');
    });

    test(`${id} with another chain's token or a platform token returns 404 as if the chain did not exist`, async () => {
      assertFailure(route, await refuse(otherChain.token), 'chain_not_found');
      assertFailure(route, await refuse(aisle.platformToken), 'chain_not_found');
    });
  }

  if (route.path.includes('{vendor_id}')) {
    test(`${id} for another chain's vendor returns 404`, async () => {
      const token = await tokenFor(route, chain);
      const ids = { ...(await objects()), vendor_id: String(otherChain.vendors[0]) };
      const response = await send(route, chain, token, ids);
      assertFailure(route, response, 'vendor_not_found');
    });

    if (route.access !== 'platform') {
      test(`${id} with a token restricted to another vendor returns 403`, async () => {
        const vendor_ids = [String(chain.vendors[1])];
        const token = await makeToken(aisle, chain.chainId, { scopes: [...scopes], vendor_ids });
        assertFailure(route, await refuse(token), 'forbidden');
      });
    }
  }
}

for (const path of new Set(routes.map(([, route]) => route.path))) {
  test(`${path} called with any other method returns 405 with the allowed methods`, async () => {
    // A fixed segment can match another route's path parameter. In that case, the methods of both routes are allowed.
    const matches = (route: Route) => new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
    const declared = routes.filter(([, route]) => matches(route)).map(([, route]) => route.method as string);
    const known = declared.includes('GET') ? [...declared, 'HEAD'] : declared;
    for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => !known.includes(one))) {
      const response = await aisle.call(method, path.replace(/\{\w+\}/g, newId()), { token: chain.token });
      assert.equal(response.status, 405, method);
      assert.equal(response.body.code, 'method_not_allowed');
      assert.deepEqual(String(response.headers['allow']).split(', ').toSorted(), known.toSorted());
    }
  });
}

for (const [id, route] of routes) {
  test(`the examples for ${id} match their schemas`, () => {
    if (route.body) assertMatches(route.body.schema, route.body.example);
    for (const response of Object.values(route.responses))
      if (response.schema) assertMatches(response.schema, response.example);
  });

  if (isForOperator(route)) {
    const role = requiredPlatformRole(route);
    test(`${id} is accessible in the console with the role ${role}`, async () => {
      const own = await chainFor(route);
      const body = await exampleBody(id, route, own);
      const session =
        route.access === 'console' ? await tokenFor(route, own, body) : (await makePlatformUser(aisle, role)).session;
      const response = await send(route, own, session, {}, body);
      assertDeclared(route, response);
      assert.ok(![401, 403, 404].includes(response.status), response.text);
    });
  }

  for (const role of leastRoles(route)) {
    test(`${id} is accessible to a signed-in ${role}`, async () => {
      const own = await chainFor(route);
      const session = own === chain ? sessions[role] : (await makeUser(aisle, own.chainId, role)).session;
      const response = await send(route, own, session, {}, await exampleBody(id, route, own));
      assertDeclared(route, response);
      assert.ok(response.status !== 403 && response.status !== 404, response.text);
    });
  }

  test(`${id} accepts its documented example, and every declared success response occurs`, async () => {
    const own = await chainFor(route);
    const seen = new Set<string>();
    for (const body of [await exampleBody(id, route, own), ...(extraBodies[id] ?? [])]) {
      const response = await send(route, own, await tokenFor(route, own, body), {}, body);
      assertDeclared(route, response);
      if (isPrepared(route)) assert.ok(response.status < 300, response.text);
      if (response.status < 300) await assertAudited(id, route, response);
      seen.add(String(response.status));
    }
    if (isPrepared(route)) assert.deepEqual([...seen].toSorted(), Object.keys(route.responses));
  });
}

/** Only operations that change something need a chain of their own. */
async function chainFor(route: Route): Promise<TestChain> {
  return route.method === 'GET' ? chain : prepareChain();
}

/** The least powerful roles that can call the route. Pickers are not part of the order of the other roles. */
function leastRoles(route: Route): Role[] {
  if (route.access === 'public' || isForOperator(route)) return [];
  return isRoleAllowed('PICKER', route) ? ['PICKER', requiredRole(route)] : [requiredRole(route)];
}

/** Management actions are recorded exactly once, and nothing else is. */
async function assertAudited(id: string, route: Route, response: Response): Promise<void> {
  const rows = await aisle.db.query<{ action: string; actor_id: string; details: unknown }>(
    'select action, actor_id, details from audit_entries where request_id = $1',
    [response.headers['x-request-id']],
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    isAudited(route) ? [id] : [],
  );
  assert.ok(rows.every(({ actor_id }) => actor_id !== ''));
  assert.doesNotMatch(JSON.stringify(rows), /another one of mine|the right password|aisle_[a-z]+_\w{30}|whsec_\w/);
}

function isForOperator({ access }: Route): boolean {
  return access === 'platform' || access === 'console';
}

function otherScopes({ access, orScopes = [] }: Route): string[] {
  return scopes.filter((one) => one !== access && !orScopes.includes(one));
}

const foreignPages = [
  { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'https://elsewhere.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-site' },
];

/** Returns only the session cookie, not the headers that identify the page. */
function cookieOf(session: string): Record<string, string> {
  return { cookie: `__Host-aisle_session=${session}; __Host-aisle_console=${session}` };
}
