import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import {
  ApiError,
  ConnectionError,
  createClient,
  isApiError,
  NotModifiedError,
  type ProblemOf,
  TimeoutError,
  UnexpectedResponseError,
} from '@aisle/sdk';
import { identityChannel } from '../../../src/identity/index.ts';
import { makeChain, makeClient, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { clientOf, errorOf, faultyNetwork, listen } from '../../support/sdk.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
const baseUrl = await listen(aisle);
const chain = await makeChain(aisle, { isSandbox: true });
await addProducts(aisle, chain, [{ sku: 'MILK', title: 'Milk', price: 2, quantity: 1000 }]);
const vendor_id = String(chain.vendors[0]);
const order = {
  vendor_id,
  customer: { first_name: 'Sam', phone_number: '+971500000000' },
  items: [{ sku: 'MILK', quantity: 2 }],
  payment: { type: 'PAID' as const },
};

const cancelled = {
  status: 'CANCELLED' as const,
  items: [],
  cancellation: { reason: 'ITEM_UNAVAILABLE' as const },
};

/** A server that accepts requests and never responds. */
const silent = createServer(() => {});
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
after(() => silent.close().closeAllConnections());
const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

test('the chain of the credentials is used if none is given, and asked for only once', async () => {
  const network = faultyNetwork();
  const client = await clientOf(aisle, chain.token, { fetch: network.fetch });
  const [first] = await Promise.all([client.listVendors(), client.listVendors(), client.getSettings()]);
  assert.equal(first?.total_items, 2);
  await client.getVendorSettings({ params: { vendor_id } });
  assert.equal(network.sent.filter(({ path }) => path === '/v2/whoami').length, 1);
});

test('an order whose response was lost is placed once', async () => {
  const network = faultyNetwork(undefined, 'response lost', 'not sent');
  const retries: string[] = [];
  const onRetry = ({ attempt, error }: { attempt: number; error: Error }) => retries.push(`${attempt} ${error.name}`);
  const client = await clientOf(aisle, chain.token, { fetch: network.fetch, onRetry });
  const placed = await client.sandboxPlaceOrder({ body: order });
  assert.deepEqual(retries, ['1 ConnectionError', '2 ConnectionError']);
  const { orders } = await client.listOrders({ params: { vendor_id } });
  assert.deepEqual(
    orders.map(({ order_id }) => order_id),
    [placed.order_id],
  );
  const keys = network.sent.slice(1, 4).map(({ headers }) => headers['idempotency-key']);
  assert.equal(new Set(keys).size, 1);
  assert.match(String(keys[0]), /^[0-9a-f]{32}$/);
});

test('a request that cannot be repeated safely is sent once', async () => {
  const network = faultyNetwork('response lost');
  const client = await clientOf(aisle, chain.token, { fetch: network.fetch, chainId: chain.chainId });
  assert.ok((await errorOf(client.updateSettings({ body: { name: 'New name' } }))) instanceof ConnectionError);
  assert.equal(network.sent.length, 1);
  assert.equal((await client.getSettings()).name, 'New name');
});

test('a request that the API has rejected is repeated after the time in Retry-After', async () => {
  const delays: number[] = [];
  const network = faultyNetwork(problem('rate_limited', 429, { 'retry-after': '1' }), problem('request_timeout', 408));
  const client = await clientOf(aisle, chain.token, {
    fetch: network.fetch,
    chainId: chain.chainId,
    onRetry: ({ delayMs }) => delays.push(delayMs),
  });
  assert.equal((await client.updateSettings({ body: { name: 'Another name' } })).name, 'Another name');
  assert.equal(network.sent.length, 3);
  assert.ok(Number(delays[0]) >= 1000, String(delays[0]));
  assert.ok(Number(delays[1]) > 0 && Number(delays[1]) <= 1000, String(delays[1]));
});

test('the error is thrown at once if the server asks to wait longer than the client wants to', async () => {
  const network = faultyNetwork(problem('rate_limited', 429, { 'retry-after': '30' }));
  const client = await clientOf(aisle, chain.token, { fetch: network.fetch, maxRetryDelayMs: 5000 });
  assert.ok(isApiError(await errorOf(client.whoami()), 'rate_limited'));
  assert.equal(network.sent.length, 1);
});

test('a page of a proxy is repeated if that is safe, and then thrown as an unexpected response', async () => {
  const page = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  const network = faultyNetwork(page(), page(), page(), page());
  const client = await clientOf(aisle, chain.token, { fetch: network.fetch });
  const error = await errorOf(client.whoami({}, { retries: 1 }));
  assert.ok(error instanceof UnexpectedResponseError && error.status === 502, String(error));
  assert.equal(network.sent.length, 2);
  assert.ok(
    (await errorOf(client.deleteToken({ params: { chain_id: chain.chainId, token_id: 'x' } }))) instanceof
      UnexpectedResponseError,
  );
  assert.equal(network.sent.length, 3);
});

test('errors are told apart by their code, which determines their fields', async () => {
  const client = await clientOf(aisle, chain.token);
  const { order_id, items } = await client.sandboxPlaceOrder({ body: order });
  await client.putOrder({ params: { order_id }, body: cancelled });
  const picked = items.map(({ _id }) => ({
    _id,
    status: 'IN_CART' as const,
    pricing: { pricing_type: 'UNIT' as const },
  }));
  const error = await errorOf(
    client.putOrder({ params: { order_id }, body: { status: 'READY_FOR_PICKUP', items: picked } }),
  );
  assert.ok(error instanceof ApiError);
  const problemOf = error.problem as ProblemOf<'putOrder'>;
  assert.ok(problemOf.code === 'order_state_conflict', String(error));
  const allowed: string[] | undefined = problemOf.allowed;
  assert.deepEqual([problemOf.order_status, allowed], ['CANCELLED', ['CANCELLED']]);
  assert.ok(isApiError(error, 'order_state_conflict', 'order_changed'));
  assert.ok(!isApiError(error, 'order_changed'));
  assert.equal(error.requestId, error.headers.get('x-request-id'));
});

test('client credentials are exchanged once for many requests, and again when the token no longer works', async () => {
  const { client_id, client_secret } = await makeClient(aisle, chain.chainId);
  const network = faultyNetwork();
  const client = createClient({ baseUrl, clientId: client_id, clientSecret: client_secret, fetch: network.fetch });
  const exchanges = () => network.sent.filter(({ path }) => path === '/v2/oauth/token').length;
  const found = await Promise.all(Array.from({ length: 10 }, () => client.listVendors()));
  assert.ok(found.every(({ total_items }) => total_items === 2));
  assert.equal(exchanges(), 1);
  await aisle.db.query("update access_tokens set expires_at = now() - interval '1 second' where chain_id = $1", [
    chain.chainId,
  ]);
  // The server caches credentials until it is notified of a change.
  await aisle.db.query('select pg_notify($1, $2)', [identityChannel, '']);
  await waitFor('a second exchange', async () => {
    await Promise.all(Array.from({ length: 5 }, () => client.listVendors()));
    return exchanges() > 1;
  });
  assert.equal(exchanges(), 2);
});

test('an access token is renewed before it expires', async () => {
  let exchanges = 0;
  const fetching = async (url: string, init: RequestInit) => {
    if (!url.endsWith('/oauth/token')) return fetch(url, init);
    exchanges++;
    return Response.json({ access_token: chain.token, token_type: 'Bearer', expires_in: exchanges === 1 ? 0 : 7200 });
  };
  const client = createClient({ baseUrl, clientId: 'a', clientSecret: 'b', fetch: fetching });
  for (const expected of [1, 2, 2]) {
    await client.whoami();
    assert.equal(exchanges, expected);
  }
});

test('an access token that was rejected is renewed even if the file cannot be sent again', async () => {
  const sent: (string | null)[] = [];
  const fetching = async (url: string, init: RequestInit) => {
    if (url.endsWith('/oauth/token')) return Response.json({ access_token: `token-${sent.length}`, expires_in: 7200 });
    sent.push(new Headers(init.headers).get('authorization'));
    return sent.length > 1
      ? Response.json({})
      : Response.json({ code: 'invalid_token', detail: 'The token is unknown or revoked.' }, { status: 401 });
  };
  const client = createClient({ baseUrl, clientId: 'a', clientSecret: 'b', chainId: 'c', fetch: fetching });
  const upload = () =>
    client.uploadFile({
      query: { folder: '/catalog/all', name: 'a.csv' },
      body: (async function* () {
        yield new TextEncoder().encode('sku');
      })(),
    });
  assert.ok(isApiError(await errorOf(upload()), 'invalid_token'));
  await upload();
  assert.deepEqual(sent, ['Bearer token-0', 'Bearer token-1']);
});

test('wrong client credentials are an error of the first call', async () => {
  const client = createClient({ baseUrl, clientId: 'client_unknown', clientSecret: 'wrong' });
  assert.ok(isApiError(await errorOf(client.whoami()), 'invalid_client'));
});

test('a request ends when its time is over or its signal is aborted', async () => {
  const client = createClient({ baseUrl: silentUrl, token: 'x', retries: 0 });
  assert.ok((await errorOf(client.whoami({}, { timeoutMs: 50 }))) instanceof TimeoutError);
  const reason = new Error('no longer needed');
  const controller = new AbortController();
  const pending = errorOf(client.whoami({}, { signal: controller.signal }));
  controller.abort(reason);
  assert.equal(await pending, reason);
  assert.equal(await errorOf(client.whoami({}, { signal: controller.signal })), reason);
});

test('a signal also ends the wait before a request is repeated', async () => {
  const controller = new AbortController();
  const network = faultyNetwork(problem('rate_limited', 429, { 'retry-after': '50' }));
  const client = await clientOf(aisle, chain.token, { fetch: network.fetch, onRetry: () => controller.abort() });
  const error = await errorOf(client.whoami({}, { signal: controller.signal }));
  assert.equal((error as Error).name, 'AbortError');
});

test('headers of responses are available, and a copy that is current is reported as not modified', async () => {
  const client = await clientOf(aisle, chain.token);
  const { order_id } = await client.sandboxPlaceOrder({ body: order });
  const { data, headers, status, requestId } = await client.getOrder.withResponse({ params: { order_id } });
  assert.deepEqual([status, data.order_id], [200, order_id]);
  assert.ok(requestId);
  const etag = String(headers.get('etag'));
  const unchanged = client.getOrder({ params: { order_id } }, { headers: { 'if-none-match': etag } });
  assert.ok((await errorOf(unchanged)) instanceof NotModifiedError);
  const stale = client.putOrder({ params: { order_id }, body: cancelled }, { headers: { 'if-match': '"999"' } });
  const error = await errorOf(stale);
  assert.ok(isApiError(error, 'precondition_failed') && error.problem.revision === data.revision, String(error));
  const response = await client.putOrder({ params: { order_id }, body: cancelled }, { headers: { 'if-match': etag } });
  assert.equal(response.status, 'CANCELLED');
});

test('a missing path parameter is an error that names it, without a request', async () => {
  const network = faultyNetwork();
  const client = await clientOf(aisle, chain.token, { fetch: network.fetch });
  const error = await errorOf(client.platformGetChain({ params: {} as { chain_id: string } }));
  assert.match(String(error), /params\.chain_id is required for GET/);
  assert.equal(network.sent.length, 0);
});

function problem(code: string, status: number, headers: Record<string, string> = {}): Response {
  return Response.json(
    { code, status, title: code, detail: code, instance: 'x', message: code, type: '' },
    { status, headers },
  );
}
