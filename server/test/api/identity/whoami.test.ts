import assert from 'node:assert/strict';
import test from 'node:test';
import { defaultScopes, roles, scopes } from '@aisle/contract/route';
import { makeChain, makeClient, makeToken, makeUser, requestAccessToken, useAisle } from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle, { profile: 'tolerant' });
const own = { chain_id: chain.chainId, name: 'Test chain', profile: 'tolerant' };
const whoami = (token?: string) => aisle.call('GET', '/v2/whoami', { token });

test('a token with any scope can read its own chain, scopes, vendors and expiry', async () => {
  const expires_at = '2035-01-01T00:00:00.000Z';
  const vendor_ids = [String(chain.vendors[0])];
  const token = await makeToken(aisle, chain.chainId, { scopes: ['outlets:write'], vendor_ids, expires_at });
  const { status, body } = await whoami(token);
  assert.equal(status, 200);
  const { id, limits, ...rest } = body;
  assert.deepEqual(rest, {
    kind: 'TOKEN',
    name: 'limited',
    chain: own,
    scopes: ['outlets:write'],
    role: null,
    vendor_ids,
    expires_at,
  });
  const listed = await aisle.call('GET', `${chain.base}/tokens`, { token: chain.token });
  assert.ok(listed.body.tokens.some((one: { token_id: string }) => one.token_id === id));
  assert.deepEqual(limits, (await aisle.call('GET', '/v2/limits')).body);
});

test('the response for a token without restrictions has null for vendors and no expiry', async () => {
  const { body } = await whoami(chain.token);
  assert.deepEqual([body.scopes, body.vendor_ids, body.expires_at], [[...scopes], null, null]);
});

test('the response for an access token has its client, its requested scopes and its expiry', async () => {
  const client = await makeClient(aisle, chain.chainId);
  const fields = { client_id: client.client_id, client_secret: client.client_secret };
  const narrow = await requestAccessToken(aisle, { ...fields, scope: 'orders:read' });
  const { body } = await whoami(narrow.body.access_token);
  assert.deepEqual(
    [body.kind, body.id, body.name, body.scopes],
    ['CLIENT', client.client_id, 'client', ['orders:read']],
  );
  const seconds = (Date.parse(body.expires_at) - Date.now()) / 1000;
  assert.ok(seconds > 7100 && seconds <= 7200, String(seconds));
  const all = await requestAccessToken(aisle, fields);
  assert.deepEqual((await whoami(all.body.access_token)).body.scopes, defaultScopes);
});

test('a signed-in user sees their role and the scopes it includes', async () => {
  const expected = {
    PICKER: ['orders:read', 'orders:write'],
    VIEWER: scopes.filter((scope) => scope.endsWith(':read')),
    MANAGER: [...defaultScopes],
    OWNER: [...scopes],
  };
  for (const role of roles) {
    const user = await makeUser(aisle, chain.chainId, role);
    const { body } = await whoami(user.session);
    assert.deepEqual(
      [body.kind, body.id, body.role, body.scopes, body.vendor_ids, body.chain],
      ['USER', user.user_id, role, expected[role], null, own],
    );
    assert.match(body.expires_at, /Z$/);
  }
});

test('a request with a platform token returns 403 with a reason, and one without a token returns 401', async () => {
  const response = await whoami(aisle.platformToken);
  assertProblem(response, 'forbidden');
  assert.match(response.body.detail, /platform token does not belong to a chain/);
  assertProblem(await whoami(), 'invalid_token');
});
