import assert from 'node:assert/strict';
import { get, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeClient, makeToken, makeUser, requestAccessToken, useOwnAisle } from '../../support/aisle.ts';
import { waitForJob } from '../../support/catalog.ts';
import { makeShop, placeOrder, putOrder } from '../../support/orders.ts';
import { openRequestLog } from '../../support/requests.ts';

const aisle = await useOwnAisle({ AISLE_RATE_LIMITS: 'manage_write=3,read=1000000' });
const chain = await makeShop(aisle);
const log = await openRequestLog(aisle, chain);
const vendor = String(chain.vendors[0]);

test('a request is recorded with its token, status and duration', async () => {
  const response = await aisle.call('GET', `${chain.base}/vendors/${vendor}/catalog?page_size=2`, {
    token: chain.token,
  });
  const { caller, received_at, duration_ms, ...entry } = await log.find(response);
  assert.deepEqual(entry, {
    request_id: response.headers['x-request-id'],
    method: 'GET',
    path: `${chain.base}/vendors/${vendor}/catalog`,
    query: 'page_size=2',
    status: 200,
    vendor_id: vendor,
    order_id: null,
    error_code: null,
    error_detail: null,
    idempotency: null,
    aborted: false,
    streamed: false,
    ignored_parameters: [],
    ignored_fields: [],
    errors: [],
    request_body: null,
    response_body: null,
  });
  assert.deepEqual([caller.kind, caller.name], ['token', 'all']);
  assert.ok(Math.abs(Date.parse(received_at) - Date.now()) < 10_000, received_at);
  assert.ok(duration_ms > 0 && duration_ms < 10_000, String(duration_ms));
});

test('a rejected request is recorded with the errors in its response', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const response = await putOrder(aisle, chain, order.order_id, { status: 'READY_FOR_PICKUP', items: [{ sku: 5 }] });
  assert.equal(response.status, 400);
  const entry = await log.find(response);
  assert.equal(entry.order_id, order.order_id);
  assert.equal(entry.status, 400);
  assert.equal(entry.error_code, response.body.code);
  assert.equal(entry.error_detail, response.body.detail);
  assert.deepEqual(entry.errors, response.body.errors);
});

test('the names of ignored parameters and fields are recorded', async () => {
  const path = `${chain.base}/vendors/${vendor}/status?stauts=OPEN&a,b%20c=1`;
  const body = { status: 'OPEN', reason: 'none' };
  const entry = await log.find(await aisle.call('PUT', path, { token: chain.token, body }));
  assert.deepEqual(entry.ignored_parameters, ['stauts', 'a,b c']);
  assert.deepEqual(entry.ignored_fields, ['reason']);
});

test('a request whose error message contains U+0000 is recorded', async () => {
  const response = await aisle.call('GET', `${chain.base}/orders/%00`, { token: chain.token });
  assert.equal(response.status, 400);
  assert.equal((await log.find(response)).path, `${chain.base}/orders/%00`);
  const raw = '{"name": "Renamed", "profile": "\\u0000"}';
  const rejected = await aisle.call('PATCH', `${chain.base}/settings`, { token: chain.token, raw });
  assert.equal(rejected.status, 400);
  assert.deepEqual((await log.find(rejected)).errors, rejected.body.errors);
});

test('requests with a token that lacks the required scope, has expired or was revoked are recorded', async () => {
  const limited = await makeToken(aisle, chain.chainId, { scopes: ['catalog:read'] });
  const forbidden = await aisle.call('GET', `${chain.base}/settings`, { token: limited });
  assert.equal((await log.find(forbidden)).error_code, 'forbidden');

  const expired = await makeToken(aisle, chain.chainId, { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
  await aisle.db.query("update api_tokens set expires_at = now() - interval '1 hour' where expires_at is not null");
  const unauthorized = await aisle.call('GET', `${chain.base}/settings`, { token: expired });
  assert.equal(unauthorized.status, 401);
  const entry = await log.find(unauthorized);
  assert.deepEqual([entry.status, entry.caller.name], [401, 'limited']);
  assert.match(entry.error_detail, /expired/);

  const revoked = await makeToken(aisle, chain.chainId);
  await aisle.db.query("update api_tokens set revoked_at = now() where name = 'limited'");
  const unknown = await aisle.call('GET', `${chain.base}/settings`, { token: revoked });
  assert.match(unknown.body.detail, /unknown or revoked/);
  assert.equal((await log.find(unknown)).status, 401);
});

test('a request over the rate limit is recorded', async () => {
  const token = await makeToken(aisle, chain.chainId, { scopes: ['manage'] });
  const change = () => aisle.call('PATCH', `${chain.base}/settings`, { token, body: {} });
  let response = await change();
  while (response.status !== 429) response = await change();
  assert.equal((await log.find(response)).error_code, 'rate_limited');
});

test("a request with a client's access token is recorded with the client's name", async () => {
  const { client_id, client_secret } = await makeClient(aisle, chain.chainId);
  const { body } = await requestAccessToken(aisle, { client_id, client_secret });
  const response = await aisle.call('GET', `${chain.base}/vendors`, { token: body.access_token });
  assert.deepEqual((await log.find(response)).caller, { kind: 'client', id: client_id, name: 'client' });
});

test('requests from the portal, from the platform or without a known token are not recorded', async () => {
  const { session } = await makeUser(aisle, chain.chainId);
  const silent = [
    await aisle.call('GET', `${chain.base}/vendors`, { token: session }),
    await aisle.call('GET', `/platform/v1/chains/${chain.chainId}`, { token: aisle.platformToken }),
    await aisle.call('GET', `${chain.base}/vendors`, { token: `${chain.token.slice(0, -6)}AAAAAA` }),
    await aisle.call('GET', `${chain.base}/vendors`),
  ];
  await log.find(await aisle.call('GET', `${chain.base}/vendors`, { token: chain.token }));
  for (const { headers } of silent) {
    assert.equal((await log.list(`?request_id=${String(headers['x-request-id'])}`)).total_items, 0);
  }
});

test('a request repeated with the same idempotency key is recorded as a replay', async () => {
  const send = () =>
    aisle.call('PUT', `${chain.base}/vendors/${vendor}/catalog`, {
      token: chain.token,
      headers: { 'idempotency-key': 'one' },
      body: { products: [{ sku: 'MILK', price: -1 }] },
    });
  const [first, second] = [await send(), await send()];
  assert.equal(first.status, 400);
  assert.equal((await log.find(first)).idempotency, 'stored');
  const replay = await log.find(second);
  assert.equal(replay.idempotency, 'replayed');
  assert.deepEqual(replay.errors, first.body.errors);
});

test('a download is recorded as streamed', async () => {
  const { body } = await aisle.call('POST', `${chain.base}/vendors/${vendor}/catalog/export`, { token: chain.token });
  await waitForJob(aisle, chain, body.job_id);
  const path = `${chain.base}/catalog/jobs/${body.job_id}/download`;
  const entry = await log.find(await aisle.call('GET', path, { token: chain.token }));
  assert.deepEqual([entry.status, entry.streamed, entry.aborted], [200, true, false]);
});

test('a request is recorded as aborted if the client disconnects before the response', async () => {
  await aisle.aisle.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = aisle.aisle.http.server.address() as AddressInfo;
  const request: ClientRequest = get({
    port,
    path: `${chain.base}/events?after=999999999999&wait=25`,
    headers: { authorization: `Bearer ${chain.token}`, 'x-request-id': 'given-up' },
  });
  request.on('error', () => {});
  await sleep(300);
  request.destroy();
  const entry = await log.find({ headers: { 'x-request-id': 'given-up' } });
  assert.deepEqual([entry.status, entry.aborted, entry.error_code], [499, true, null]);
});

test('a text that looks like a secret within an escape sequence does not keep other requests from being recorded', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const strange = await putOrder(aisle, chain, order.order_id, {
    status: 'READY_FOR_PICKUP',
    items: [{ _id: '\bearer 12345678', status: 'IN_CART', pricing: { pricing_type: 'UNIT' } }],
  });
  const other = await aisle.call('GET', `${chain.base}/vendors/${vendor}/catalog?page_size=3`, { token: chain.token });
  assert.equal((await log.find(other)).query, 'page_size=3');
  assert.equal((await log.find(strange)).status, strange.status);
});
