import assert from 'node:assert/strict';
import test from 'node:test';
import type { TSchema } from 'typebox';
import { routes } from '@aisle/contract/index';
import type { Route } from '@aisle/contract/route';
import { makeChain, makeUser, type Response, useAisle } from '../../support/aisle.ts';
import { assertInvalid } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
const store = `${chain.base}/vendors/${chain.vendors[0]}`;
const platform = `/platform/v1/chains/${chain.chainId}`;

const vendor = {
  name: 'Corner',
  currency: 'AED',
  country_code: 'AE',
  locale: 'en_AE',
  timezone: 'Asia/Dubai',
  transport_type: 'LOGISTICS_DELIVERY',
};

const typos: [title: string, method: string, path: string, body: object, pointer: string][] = [
  ['chain setting', 'PATCH', `${chain.base}/settings`, { profil: 'tolerant' }, '/profil'],
  ['store setting', 'PATCH', `${store}/settings`, { sales_bufer: 3 }, '/sales_bufer'],
  ['token field', 'POST', `${chain.base}/tokens`, { name: 'x', scope: ['orders:read'] }, '/scope'],
  ['client field', 'POST', `${chain.base}/clients`, { name: 'x', vendors: ['ext-1'] }, '/vendors'],
  ['user field', 'POST', `${chain.base}/users`, { email: 'a@b', name: 'x', role: 'VIEWER', rol: 1 }, '/rol'],
  [
    'webhook field',
    'PUT',
    `${chain.base}/webhook`,
    { environment: 'production', production_url: 'https://a.example', secrett: null },
    '/secrett',
  ],
  [
    'setting for a new vendor',
    'POST',
    `${platform}/vendors`,
    { ...vendor, settings: { tests: true } },
    '/settings/tests',
  ],
  ['chain field sent by the platform', 'PATCH', platform, { nam: 'x' }, '/nam'],
];

for (const [title, method, path, body, pointer] of typos) {
  test(`a misspelled ${title} returns 400 with the known field names instead of being ignored`, async () => {
    const token = path.startsWith('/platform') ? aisle.platformToken : chain.token;
    const response = await aisle.call(method, path, { token, body });
    assertInvalid(response, pointer);
    assert.equal(response.body.errors[0].code, 'unknown_field');
    assert.match(response.body.errors[0].message, /^is not a recognized field; known fields: \w+/);
    assert.equal(response.headers['aisle-ignored-fields'], undefined, 'it was rejected, not ignored');
  });
}

test('a body with very many unknown fields is rejected, and nothing changes', async () => {
  const junk = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`junk${index}`, 1]));
  const path = `${chain.base}/settings`;
  const before = await aisle.call('GET', path, { token: chain.token });
  for (const body of [junk, { ...junk, name: 'x'.repeat(1000) }, { ...junk, name: 'Valid' }]) {
    const response = await aisle.call('PATCH', path, { token: chain.token, body });
    assert.equal(response.status, 400, response.text);
    assert.ok(
      response.body.errors.some((error: Response['body']) => error.code === 'unknown_field'),
      response.text,
    );
  }
  assert.deepEqual((await aisle.call('GET', path, { token: chain.token })).body, before.body);
});

test('very long field names are truncated in the response', async () => {
  const body = { ['~'.repeat(100_000)]: 1 };
  const response = await aisle.call('PATCH', `${chain.base}/settings`, { token: chain.token, body });
  assert.equal(response.status, 400);
  assert.ok(response.text.length < 2000, String(response.text.length));
});

test('a field named __proto__ is rejected like any other', async () => {
  const raw = '{"name": "x", "__proto__": {"profile": "tolerant"}, "constructor": 1}';
  const response = await aisle.call('PATCH', `${chain.base}/settings`, { token: chain.token, raw });
  assertInvalid(response, '/__proto__', '/constructor');
});

test('a misspelled field is also rejected if a signed-in user sends it', async () => {
  const { session } = await makeUser(aisle, chain.chainId);
  const response = await aisle.call('PATCH', `${chain.base}/settings`, { token: session, body: { Name: 'x' } });
  assertInvalid(response, '/Name');
});

test('every management, platform and session route rejects unknown body fields at every level', () => {
  const closed = Object.entries(routes as Record<string, Route>).filter(
    ([, { access, body }]) => body && ['manage', 'users:manage', 'platform', 'session'].includes(access),
  );
  assert.ok(closed.length > 20);
  for (const [id, { body }] of closed) assertClosed(body?.schema as JsonSchema, id);
});

type JsonSchema = TSchema & {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  additionalProperties?: unknown;
};

function assertClosed(schema: JsonSchema, at: string): void {
  if (schema.properties) assert.equal(schema.additionalProperties, false, at);
  const parts = [...Object.entries(schema.properties ?? {}), ...Object.entries(schema.anyOf ?? [])];
  for (const [name, part] of parts) assertClosed(part, `${at}.${name}`);
  if (schema.items) assertClosed(schema.items, `${at}[]`);
}
