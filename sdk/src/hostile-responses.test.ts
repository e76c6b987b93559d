import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after, beforeEach } from 'node:test';
import {
  AisleError,
  ApiError,
  type ClientOptions,
  createClient,
  isApiError,
  type Limits,
  UnexpectedResponseError,
} from './index.ts';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** Sends the responses of the test one after the other; the last one is repeated. */
let responses: Respond[] = [];
let received: { path: string | undefined; headers: IncomingMessage['headers'] }[] = [];
const server = createServer((request, response) => {
  request.resume();
  received.push({ path: request.url, headers: request.headers });
  const respond = responses.length > 1 ? responses.shift() : responses[0];
  respond?.(response, request);
});
const stranger = createServer((request, response) => {
  received.push({ path: `stranger${request.url}`, headers: request.headers });
  response.end('{}');
});
const baseUrl = await urlOf(server);
const strangerUrl = await urlOf(stranger);
after(() => {
  for (const one of [server, stranger]) one.close().closeAllConnections();
});
beforeEach(() => {
  received = [];
});

test('a redirect is an error, so that neither credentials nor orders are sent to another server', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    responses = [(response) => response.writeHead(status, { location: `${strangerUrl}/v2/x?token=1` }).end()];
    const client = createClient({ baseUrl, clientId: 'id', clientSecret: 'secret' });
    const error = await errorOf(client.whoami());
    assert.ok(error instanceof UnexpectedResponseError && error.status === status, String(error));
    assert.match(error.message, new RegExp(`redirects to ${strangerUrl}`));
    assert.doesNotMatch(error.message, /token=1/);
  }
  assert.deepEqual(
    received.map(({ path }) => path),
    Array.from({ length: 5 }, () => '/v2/oauth/token'),
  );
});

test('credentials that cannot be sent are an error that does not repeat them, without a request', async () => {
  const secret = 'aisle_live_5ecret';
  const calls: ClientOptions[] = [
    { baseUrl, token: `${secret} ${secret}` },
    { baseUrl, token: `${secret}\u200b` },
    { baseUrl, token: async () => `${secret}\r\nx-other: 1` },
    { baseUrl, token: 'x', headers: { authorization: `Basic ${secret}\n1` } },
    { baseUrl: `http://user:${secret}@127.0.0.1:1`, token: 'x' },
    { baseUrl: `ftp://127.0.0.1/?${secret}`, token: 'x' },
  ];
  for (const options of calls) {
    const error = await errorOf((async () => createClient(options).whoami())());
    assert.ok(error instanceof AisleError, String(error));
    assert.match(error.message, /token|header|baseUrl/);
    assert.doesNotMatch(JSON.stringify([error.message, String(error.cause)]), new RegExp(secret));
  }
  assert.equal(received.length, 0);
});

test('a header of the caller replaces the one of the client, in any case', async () => {
  responses = [(response) => response.end('{"chain":{}}')];
  const client = createClient({ baseUrl, token: 'x\n', headers: { 'User-Agent': 'till/1' } });
  await client.whoami({}, { headers: { Authorization: 'Bearer y' } });
  assert.deepEqual(
    received.map(({ headers }) => [headers['user-agent'], headers.authorization]),
    [['till/1', 'Bearer y']],
  );
});

test('an error whose fields have other types is an unexpected response', async () => {
  const client = createClient({ baseUrl, token: 'x' });
  for (const body of ['{"code":"x","detail":{"a":1}}', '{"code":"x"}', '{"code":{}}', 'null', '[]', '"x"']) {
    responses = [(response) => response.writeHead(400).end(body)];
    const error = await errorOf(client.whoami());
    assert.ok(error instanceof UnexpectedResponseError, String(error));
  }
  const headers = { 'x-request-id': 'r1' };
  responses = [(response) => response.writeHead(404, headers).end('{"code":"x","detail":"y","errors":5,"instance":7}')];
  const error = await errorOf(client.whoami());
  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.requestId, error.problem.errors], ['r1', undefined]);
});

test('an endless error page is not read to its end', async () => {
  responses = [
    (response) => {
      response.writeHead(404);
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    },
  ];
  const error = await errorOf(createClient({ baseUrl, token: 'x', timeoutMs: 20_000 }).whoami());
  assert.ok(error instanceof UnexpectedResponseError && error.status === 404, String(error));
});

test('an endless response is not read until the memory is full', async () => {
  const part = Buffer.alloc(1024 * 1024, 'x');
  const endless =
    (start: string): Respond =>
    (response) => {
      response.write(start);
      const write = () => {
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', write);
      write();
    };
  const client = createClient({ baseUrl, token: 'x', chainId: 'c', retries: 0, timeoutMs: 60_000 });
  responses = [endless('"')];
  const error = await errorOf(client.whoami());
  assert.ok(error instanceof UnexpectedResponseError, String(error));
  assert.match(error.message, /more than 268435456 bytes/);
  responses = [endless('{"a":"')];
  const read = async () => {
    for await (const _ of client.downloadCatalogJob.rows({ params: { job_id: 'j' } }));
  };
  assert.match(String(await errorOf(read())), /more than 16777216 characters/);
});

test('a response that is cut in the middle is repeated', async () => {
  const cut: Respond = (response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"a":', () => response.destroy());
  };
  responses = [cut, (response) => response.end('{"catalog_items_per_request":7}')];
  const limits = await createClient({ baseUrl }).getLimits();
  assert.equal(limits.catalog_items_per_request, 7);
});

test('lists, jobs, events and tokens of other types are errors, not endless loops', async () => {
  const client = createClient({ baseUrl, token: 'x', chainId: 'c' });
  const renewing = createClient({ baseUrl, clientId: 'x', clientSecret: 'y' });
  const all = async (items: AsyncIterable<unknown>) => {
    for await (const _ of items);
  };
  const events = { vendor_id: 'v', events: [], next_cursor: 7 };
  const calls: [body: unknown, call: () => Promise<unknown>][] = [
    [{}, () => all(client.searchOrders.all())],
    [null, () => all(client.searchOrders.all())],
    [{ orders: [] }, () => all(client.searchOrders.all())],
    [{ orders: [{}], total_pages: 'many' }, () => all(client.searchOrders.all())],
    [{}, () => all(client.listOrdersBare.all({ params: { vendor_id: 'v' } }))],
    [{ events: [{}], next_cursor: null }, () => all(client.listEvents.all())],
    // The same cursor again would be read for ever.
    [{ events: [{}], next_cursor: 'a' }, () => all(client.listEvents.all())],
    [{}, () => client.waitForCatalogJob('j')],
    [null, () => client.waitForCatalogJob('j')],
    [null, () => client.exportCatalog({ params: { vendor_id: 'v' } }).finished()],
    [{}, () => client.consumeEvents({ handle() {} })],
    [events, () => client.consumeEvents({ handle() {} })],
    [{}, () => renewing.whoami()],
    [{ access_token: 5, expires_in: 5 }, () => renewing.whoami()],
    [{}, () => createClient({ baseUrl, token: 'x' }).getSettings()],
    [{}, () => client.pushCatalog([{ sku: 'a' }], { vendorId: 'v' }).finished()],
  ];
  for (const [body, call] of calls) {
    responses = [(response) => response.end(JSON.stringify(body))];
    const error = await errorOf(call());
    assert.ok(error instanceof AisleError, `${String(call)}: ${String(error)}`);
  }
  assert.ok(received.length < 40, String(received.length));
});

test('rows of a file that are not valid are an error that names the row', async () => {
  const client = createClient({ baseUrl, token: 'x', chainId: 'c' });
  const files: [bytes: string | Uint8Array, error: RegExp][] = [
    ['{"sku":"a"}\n{"sku":', /Row 2 .* not valid JSON/],
    ['{"sku":"a"}\n\n<html>\n{}', /Row 3 .* not valid JSON/],
    [Uint8Array.of(0x22, 0xff, 0x22), /not UTF-8/],
  ];
  for (const [bytes, expected] of files) {
    responses = [(response) => response.end(bytes)];
    const read = async () => {
      for await (const _ of client.downloadCatalogJob.rows({ params: { job_id: 'j' } }));
    };
    const error = await errorOf(read());
    assert.ok(error instanceof AisleError);
    assert.match(error.message, expected);
  }
});

test('a signal ends the exchange of credentials and the lookup of the chain', async () => {
  responses = [() => {}];
  const options = { baseUrl, retries: 0, timeoutMs: 60_000 };
  const clients = [
    createClient({ ...options, clientId: 'x', clientSecret: 'y' }),
    createClient({ ...options, token: 'x' }),
    createClient({ ...options, token: () => new Promise<string>(() => {}) }),
  ];
  for (const client of clients) {
    const controller = new AbortController();
    const pending = errorOf(client.getSettings({}, { signal: controller.signal }));
    setImmediate(() => controller.abort(new Error('no longer needed')));
    assert.match(String(await pending), /no longer needed/);
  }
});

test('the signal of the client ends all of its requests, and the wait before they are repeated', async () => {
  const controller = new AbortController();
  const onRetry = () => controller.abort(new Error('stopped'));
  const client = createClient({ baseUrl, token: 'x', chainId: 'c', signal: controller.signal, onRetry });
  const body = '{"code":"rate_limited","detail":"x"}';
  responses = [() => {}, (response) => response.writeHead(429, { 'retry-after': '50' }).end(body)];
  const pending = errorOf(client.whoami());
  assert.match(String(await errorOf(client.getSettings())), /stopped/);
  assert.match(String(await pending), /stopped/);
  assert.match(String(await errorOf(client.whoami())), /stopped/);
});

test('a push ends when its signal is aborted while the rows are read, and closes their source', async () => {
  const limits = { catalog_items_per_request: 100, catalog_bytes_per_request: 10_000 };
  responses = [(response) => response.end(JSON.stringify(limits satisfies Partial<Limits>))];
  const controller = new AbortController();
  let isClosed = false;
  const rows: AsyncIterable<{ sku: string }> = {
    [Symbol.asyncIterator]: () => ({
      next() {
        setImmediate(() => controller.abort(new Error('stopped')));
        return new Promise(() => {});
      },
      async return() {
        isClosed = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const client = createClient({ baseUrl, token: 'x', chainId: 'c' });
  const pushing = client.pushCatalog(rows, { vendorId: 'v', signal: controller.signal }).finished();
  assert.match(String(await errorOf(pushing)), /stopped/);
  assert.ok(isClosed);
});

test('a push with numbers or rows that make no sense is rejected', async () => {
  const limits = { catalog_items_per_request: 100, catalog_bytes_per_request: 10_000 };
  responses = [(response) => response.end(JSON.stringify(limits))];
  const client = createClient({ baseUrl, token: 'x', chainId: 'c' });
  for (const options of [{ unfinishedJobs: 0 }, { unfinishedJobs: NaN }, { rowsPerJob: 0 }, { rowsPerJob: NaN }]) {
    const pushing = client.pushCatalog([{ sku: 'a' }], { vendorId: 'v', ...options }).finished();
    assert.match(String(await errorOf(pushing)), /must be a whole number of at least 1/);
  }
  const rows = [undefined] as unknown as { sku: string }[];
  assert.match(String(await errorOf(client.pushCatalog(rows, { vendorId: 'v' }).finished())), /Row 1 is not an object/);
});

test('a number that JSON does not have is rejected, as null would mean that the stock is unknown', async () => {
  const limits = { catalog_items_per_request: 100, catalog_bytes_per_request: 10_000 };
  responses = [(response) => response.end(JSON.stringify(limits))];
  const client = createClient({ baseUrl, token: 'x', chainId: 'c' });
  const products = [
    { sku: 'a', quantity: null },
    { sku: 'b', quantity: Number('abc') },
  ];
  const pushing = client.pushCatalog(products, { vendorId: 'v' }).finished();
  assert.match(String(await errorOf(pushing)), /Row 2 cannot be sent: quantity is NaN instead of a number/);
  const updating = client.updateCatalog({ params: { vendor_id: 'v' }, body: { products } });
  assert.match(String(await errorOf(updating)), /The body cannot be sent: products\.1\.quantity is NaN/);
  assert.deepEqual(
    received.map(({ path }) => path),
    ['/v2/limits'],
  );
});

test('a feed that responds at once without events is not read in a tight loop', async () => {
  responses = [(response) => response.end('{"events":[],"next_cursor":"a"}')];
  const signal = AbortSignal.timeout(700);
  await createClient({ baseUrl, token: 'x', chainId: 'c' }).consumeEvents({ from: 'a', handle() {}, signal });
  assert.ok(received.length <= 2, String(received.length));
});

test('a feed that responds late without events is read again at once, without a warning', async (t) => {
  let now = Date.now();
  t.mock.method(Date, 'now', () => now);
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', onWarning);
  const controller = new AbortController();
  responses = [
    (response) => {
      now += 25_000;
      if (received.length === 3) controller.abort();
      response.end('{"events":[],"next_cursor":"a"}');
    },
  ];
  const client = createClient({ baseUrl, token: 'x', chainId: 'c' });
  await client.consumeEvents({ from: 'a', handle() {}, signal: controller.signal });
  process.off('warning', onWarning);
  assert.deepEqual(warnings, []);
});

test('the consumer waits as long as the server asks for', async () => {
  const headers = { 'retry-after': '120' };
  responses = [(response) => response.writeHead(429, headers).end('{"code":"rate_limited","detail":"x"}')];
  const controller = new AbortController();
  let delay = 0;
  await createClient({ baseUrl, token: 'x', chainId: 'c' }).consumeEvents({
    handle() {},
    signal: controller.signal,
    onRetry(error, delayMs) {
      assert.ok(isApiError(error, 'rate_limited'));
      delay = delayMs;
      controller.abort();
    },
  });
  assert.ok(delay >= 120_000 && delay <= 121_000, String(delay));
});

test('the cursor is saved if the consumer is stopped while it handles the last event of a page', async () => {
  const event = { event_id: 'e', type: 'order.received', body: { order_id: 'o' } };
  responses = [(response) => response.end(JSON.stringify({ events: [event], next_cursor: 'b' }))];
  const controller = new AbortController();
  const saved: string[] = [];
  await createClient({ baseUrl, token: 'x', chainId: 'c' }).consumeEvents({
    handle: () => controller.abort(),
    saveCursor: (cursor) => void saved.push(cursor),
    signal: controller.signal,
  });
  assert.deepEqual(saved, ['b']);
});

test('the consumer is told about a gap before the events after it are handled', async () => {
  const event = { event_id: 'e', type: 'order.received', body: { order_id: 'o' } };
  responses = [(response) => response.end(JSON.stringify({ events: [event], next_cursor: 'b', has_gap: true }))];
  const controller = new AbortController();
  const log: string[] = [];
  await createClient({ baseUrl, token: 'x', chainId: 'c' }).consumeEvents({
    from: 'a',
    handle() {
      log.push('event');
      controller.abort();
    },
    onGap: () => void log.push('gap'),
    signal: controller.signal,
  });
  assert.deepEqual(log, ['gap', 'event']);
});

test('an id cannot change the path of a request', async () => {
  const client = createClient({ baseUrl, token: 'x', chainId: 'c' });
  for (const order_id of ['.', '..']) {
    const error = await errorOf((async () => client.getOrder({ params: { order_id } }))());
    assert.ok(error instanceof AisleError, String(error));
    assert.equal(error.message, `params.order_id must not be "${order_id}"`);
  }
  assert.deepEqual(received, []);
});

async function urlOf(one: typeof server): Promise<string> {
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => assert.fail('the call succeeded'),
    (error: unknown) => error,
  );
}
