import assert from 'node:assert/strict';
import test from 'node:test';
import type { Route } from '@aisle/contract/route';
import { type AisleClient, ApiError, createClient, type Download } from '@aisle/sdk';
import { newId } from '../src/kernel/values/ids.ts';
import type { TestChain } from './support/aisle.ts';
import { assertMatches } from './support/declared.ts';
import {
  aisle,
  chain,
  exampleBody,
  exampleRequest,
  isPrepared,
  prepareChain,
  routes,
  tokenFor,
} from './support/every-route.ts';

/**
 * Calls every operation of the contract through the SDK, with the documented examples. The SDK must send exactly what
 * it was given, and return exactly what the server sent. A new route is covered without changing this file.
 */
const baseUrl = await aisle.aisle.http.listen({ host: '127.0.0.1', port: 0 });

type Call = (input: object) => Promise<unknown>;
type Operation = Call & {
  withResponse?: (input: object) => Promise<{ status: number; data: unknown }>;
  all?: (input: object) => AsyncIterable<unknown>;
  rows?: (input: object) => AsyncIterable<unknown>;
};

test('the client has a function for every operation of the contract', () => {
  const client = createClient({ baseUrl });
  const ids = routes.map(([id]) => id);
  const own = ['consumeEvents', 'pushCatalog', 'waitForCatalogJob', 'waitForPromotionJob'];
  assert.deepEqual(Object.keys(client).toSorted(), [...ids, ...own].toSorted());
});

for (const [id, route] of routes) {
  test(`${id} returns through the SDK what the API returns`, async () => {
    assert.ok(isPrepared(route), 'a path parameter has no entry in support/every-route.ts');
    // Only operations that change something need a chain of their own.
    const of = route.method === 'GET' ? chain : await prepareChain();
    const body = await exampleBody(id, route, of);
    const token = await tokenFor(route, of, body);
    const input = await exampleRequest(route, of, token, {}, body);
    const exchange = record();
    const operation = operationOf(clientWith(token, exchange.fetch), id);
    if (!Object.values(route.responses).some(({ schema }) => schema)) return checkDownload(route, operation, input);

    const { status, data } = await (operation.withResponse ?? assert.fail())(input);
    const declared = route.responses[status as 200] ?? assert.fail(`${status} is not declared`);
    assertMatches(declared.schema ?? assert.fail(), data);
    const sent = exchange.last();
    assert.equal(sent.method, route.method);
    assert.deepEqual(data, JSON.parse(sent.responseText));
    if (route.body && route.body.form !== 'urlencoded') assert.deepEqual(parsed(sent.body), input.body);
    if (!operation.all) return;
    const first = await firstOf(operation.all(input));
    // Compared with its own response: a token, for example, has been used since the first one.
    assert.deepEqual(first, firstItem(route, JSON.parse(exchange.last().responseText)));
  });

  if (route.access === 'public') continue;
  test(`${id} throws the problem that the API returns`, async () => {
    const input = { params: paramsOf(route), query: {}, body: route.body?.example };
    const exchange = record();
    const error = await failureOf(operationOf(clientWith('aisle_live_wrong', exchange.fetch), id)(input));
    assert.equal(error.code, 'invalid_token');
    assert.deepEqual(error.problem, JSON.parse(exchange.last().responseText));
  });
}

test('updateCatalog returns the product if a single product is updated', async () => {
  const of: TestChain = await prepareChain();
  const client = createClient({ baseUrl, token: of.token });
  const update = client.updateCatalog({
    params: { vendor_id: String(of.vendors[0]) },
    body: { products: [{ sku: 'MLK-00012', price: 6.25 }] },
  });
  const response = await update;
  assert.ok('sku' in response && response.price === 6.25, JSON.stringify(response));
  assert.deepEqual(await update.finished(), response);
});

async function checkDownload(route: Route, operation: Operation, input: object): Promise<void> {
  const download = (await operation(input)) as Download;
  const type = route.responses[200]?.mediaTypes?.[0] ?? '';
  assert.ok(download.contentType?.startsWith(type), download.contentType);
  assert.match(download.fileName ?? '', type === 'text/csv' ? /\.csv$/ : /\.ndjson$/);
  const text = await download.text();
  assert.ok(text.length > 0);
  const { row } = route.responses[200] ?? {};
  if (!row) return;
  // A file that is CSV by default has rows only as NDJSON.
  const asked = type === 'text/csv' ? { ...input, query: { format: 'ndjson' } } : input;
  assertMatches(row, await firstOf((operation.rows ?? assert.fail())(asked)));
}

/** A session is sent the way the portal and the console send it. */
function clientWith(token: string, fetch: (url: string, init: RequestInit) => Promise<Response>): AisleClient {
  if (!token.startsWith('aisle_session_')) return createClient({ baseUrl, token, fetch });
  const headers = {
    cookie: `__Host-aisle_session=${token}; __Host-aisle_console=${token}`,
    origin: 'http://aisle.test',
    'sec-fetch-site': 'same-origin',
  };
  return createClient({ baseUrl, session: true, headers, fetch });
}

function operationOf(client: AisleClient, id: string): Operation {
  return client[id as 'getOrder'] as unknown as Operation;
}

/** Keeps what was sent and received last. */
function record() {
  type Exchange = { method: string; url: string; body: unknown; responseText: string };
  const exchanges: Exchange[] = [];
  return {
    last: () => exchanges.at(-1) ?? assert.fail('nothing was sent'),
    async fetch(url: string, init: RequestInit) {
      const response = await fetch(url, init);
      const isJson = /json/.test(response.headers.get('content-type') ?? '');
      const responseText = isJson ? await response.clone().text() : '';
      exchanges.push({ method: init.method ?? '', url, body: init.body, responseText });
      return response;
    },
  };
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  return body.startsWith('{') || body.startsWith('[') ? JSON.parse(body) : body;
}

async function firstOf(items: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of items) return item;
  return undefined;
}

/** The first item of a page. In the contract, the items come before the number of the page or the cursor. */
function firstItem(route: Route, data: unknown): unknown {
  if (Array.isArray(data)) return data[0];
  const schema: { properties?: object } | undefined = route.responses[200]?.schema;
  const names = Object.keys(schema?.properties ?? {});
  const next = names.findIndex((name) => name === 'page_number' || name === 'next_cursor');
  return (data as Record<string, unknown[]>)[names[next - 1] ?? '']?.[0];
}

/** Path parameters need not exist when the credentials are wrong. */
function paramsOf(route: Route): Record<string, string> {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, name === 'chain_id' ? chain.chainId : newId()]));
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ApiError ? error : assert.fail(`not an ApiError: ${String(error)}`);
}
