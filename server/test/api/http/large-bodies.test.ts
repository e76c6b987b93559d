import assert from 'node:assert/strict';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { makeChain, startTestAisle, type OwnAisle, type TestChain } from '../../support/aisle.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

const mebibyte = 1024 * 1024;
let aisle: OwnAisle;
let chain: TestChain;
let url: string;

before(async () => {
  const limit = String(2 * mebibyte);
  aisle = await startTestAisle({
    AISLE_MAX_CATALOG_BYTES: limit,
    AISLE_BODY_MEMORY: String(4 * mebibyte),
    AISLE_MAX_CATALOG_ITEMS: '1000',
    AISLE_MAX_PROMOTION_PAIRS: '1000',
  });
  chain = await makeChain(aisle);
  url = await aisle.aisle.http.listen({ host: '127.0.0.1', port: 0 });
});
after(() => aisle.stop());

test('a large upload waits until there is memory for it, but a small one does not', async () => {
  const first = await begin();
  await waitFor('memory to be reserved', async () => (await used()) > mebibyte);
  const second = await begin();
  second.finish();
  let hasResponded = false;
  void second.response.then(() => {
    hasResponded = true;
  });
  const small = { token: chain.token, body: { products: [{ sku: 'A', price: 1 }] } };
  assert.equal((await aisle.call('PUT', path(), small)).status, 404);
  await sleep(200);
  assert.equal(hasResponded, false);
  first.finish();
  assert.equal((await first.response).status, 202);
  assert.equal((await second.response).status, 202);
  await waitFor('the memory to be released', async () => (await used()) === 0);
});

test('a body of unknown length is rejected if there is no memory for it', async () => {
  const first = await begin();
  await waitFor('memory to be reserved', async () => (await used()) > mebibyte);
  const before = await metric('aisle_large_bodies_refused_total');
  const headers = { 'content-encoding': 'gzip' };
  const response = await aisle.call('PUT', path(), { token: chain.token, raw: gzipSync(document()), headers });
  assertProblem(response, 'service_unavailable');
  assert.match(response.body.detail, /large bodies/);
  assert.equal(response.headers['retry-after'], '5');
  // The metrics can be up to a second old.
  await waitFor('the count', async () => (await metric('aisle_large_bodies_refused_total')) === before + 1);
  first.finish();
  assert.equal((await first.response).status, 202);
  await waitFor('the memory to be released', async () => (await used()) === 0);
});

test('an aborted upload releases its memory', async () => {
  const first = await begin();
  await waitFor('memory to be reserved', async () => (await used()) > mebibyte);
  first.sending.destroy();
  await waitFor('the memory to be released', async () => (await used()) === 0);
});

test('a gzip upload reserves no memory if the client disconnects while the upload waits for memory', async () => {
  const first = await begin();
  await waitFor('memory to be reserved', async () => (await used()) > mebibyte);
  const compressed = await begin({ 'content-encoding': 'gzip' });
  await sleep(100);
  compressed.sending.destroy();
  await sleep(100);
  first.finish();
  assert.equal((await first.response).status, 202);
  await waitFor('the memory to be released', async () => (await used()) === 0);
});

test('100 Continue is sent when the body is about to be read, but not if the request is rejected', async () => {
  const expectContinue = { expect: '100-continue' };
  const accepted = await begin(expectContinue);
  accepted.finish();
  assert.deepEqual(await accepted.response, { status: 202, continued: true, closes: false });
  const rejections = [
    [413, { ...expectContinue, 'content-length': 2 * mebibyte + 1 }],
    [401, { ...expectContinue, authorization: 'Bearer junk' }],
    [415, { ...expectContinue, 'content-encoding': 'br' }],
  ] as const;
  for (const [status, headers] of rejections) {
    const rejected = await begin(headers);
    assert.deepEqual(await rejected.response, { status, continued: false, closes: true });
    rejected.sending.destroy();
  }
});

const overLimit = {
  'a promotion with too many SKUs': ['/promotion', '/discount', `{"discount":[{"sku":[${numbers(20_000)}`],
  'a product creation with too many products': ['/catalog', '/products', `{"products":[${numbers(20_000)}`],
} as const;
for (const [what, [route, pointer, raw]] of Object.entries(overLimit)) {
  test(`${what} is rejected before it is parsed`, async () => {
    const method = route === '/catalog' ? 'POST' : 'PUT';
    // The document is incomplete, so a parser would report a different error.
    const response = await aisle.call(method, chain.base + route, { token: chain.token, raw });
    assertInvalid(response, pointer);
    assert.match(response.body.detail, /must have at most 1000 /);
  });
}

test('slow uploads that hold the memory another chain waits for are ended', async () => {
  const others = [await makeChain(aisle), await makeChain(aisle)];
  const slow = [await begin({}, others[0]), await begin({}, others[1])];
  await waitFor('memory to be reserved', async () => (await used()) > 2 * mebibyte);
  const waiting = await begin();
  waiting.finish();
  const first = await Promise.race(slow.map(({ response }) => response));
  assert.deepEqual(first, { status: 408, continued: false, closes: true });
  assert.equal((await waiting.response).status, 202);
  for (const { sending } of slow) sending.destroy();
  await waitFor('the memory to be released', async () => (await used()) === 0);
});

const path = (of = chain) => `${of.base}/vendors/${of.vendors[0]}/catalog`;
const used = () => metric('aisle_large_body_bytes');

async function metric(name: string): Promise<number> {
  const { text } = await aisle.call('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** Returns a catalog update of 1.5 MiB. */
function document(): string {
  const padding = 'x'.repeat(1.5 * mebibyte);
  return JSON.stringify({
    products: [
      { sku: 'A', price: 1 },
      { sku: 'B', price: 1 },
    ],
    padding,
  });
}

function numbers(count: number): string {
  return Array.from({ length: count }, (_, n) => `"SKU-${n}"`).join(',');
}

type HalfResponse = { status: number; continued: boolean; closes: boolean };
type Half = { sending: ClientRequest; finish(): void; response: Promise<HalfResponse> };

/** Sends the first bytes of an update (with `Expect`, only the headers), and the rest on demand. */
async function begin(headers: Record<string, string | number> = {}, of = chain): Promise<Half> {
  const text = document();
  const sending = request(url + path(of), {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${of.token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...headers,
    },
  });
  let continued = false;
  sending.once('continue', () => {
    continued = true;
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sending.once('response', resolve);
    sending.once('error', reject);
  }).then((message) => {
    const { statusCode = 0, headers: given } = message.resume();
    return { status: statusCode, continued, closes: given.connection === 'close' };
  });
  response.catch(() => {});
  const sent = 'expect' in headers ? 0 : 1000;
  if (sent === 0) sending.flushHeaders();
  else await new Promise<void>((resolve) => sending.write(text.slice(0, sent), () => resolve()));
  return { sending, finish: () => void sending.end(text.slice(sent)), response };
}
