import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import test from 'node:test';
import { aisleWebhook as expressWebhook } from './express.ts';
import { aisleWebhook as fastifyWebhook } from './fastify.ts';
import { aisleWebhook as fetchWebhook } from './fetch.ts';
import { verifyWebhook, WebhookError } from './webhooks.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

/** The headers of a message that is signed correctly. */
function sign(body: string | Uint8Array, { id = 'id', type = 'order.received', timestamp = now() } = {}) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    'aisle-event-type': type,
  };
}

function now(): string {
  return String(Math.floor(Date.now() / 1000));
}

async function reasonOf(headers: Record<string, string | string[]>, body: string | Uint8Array) {
  return verifyWebhook(headers, body, secret).then(
    ({ type }) => type,
    (error: unknown) => (error instanceof WebhookError ? error.reason : error),
  );
}

const body = '{"status":"RECEIVED"}';

test('the names of built-in properties are unknown types', async () => {
  for (const type of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    assert.equal(await reasonOf(sign(body, { type }), body), type);
  }
});

test('a signed body that is not an object is rejected', async () => {
  for (const one of ['null', '5', '"x"', '[]', 'true', '', '{']) {
    assert.equal(await reasonOf(sign(one), one), 'invalid_body', one);
  }
  const bytes = Buffer.from('{"status":"RECEIVED","note":"caf\xe9"}', 'latin1');
  assert.equal(await reasonOf(sign(bytes), bytes), 'invalid_body');
});

test('a time that is not a number of seconds is rejected', async () => {
  const seconds = now();
  for (const timestamp of [`${seconds}.0`, `0x${Number(seconds).toString(16)}`, ` ${seconds}`, '-1', '9'.repeat(400)]) {
    assert.equal(await reasonOf(sign(body, { timestamp }), body), 'too_old', timestamp);
  }
});

test('headers that were sent twice do not verify unless they are the same in every place', async () => {
  const headers = sign(body);
  assert.equal(await reasonOf({ ...headers, 'webhook-id': ['other', 'id'] }, body), 'invalid_signature');
  assert.equal(await reasonOf({ ...headers, 'webhook-id': 'id, id' }, body), 'invalid_signature');
  assert.equal(await reasonOf({ ...headers, 'webhook-id': [] }, body), 'missing_header');
});

test('express and fetch verify the bytes as they were sent, with a byte order mark and any characters', async () => {
  const bytes = Buffer.from('\ufeff{"status":"RECEIVED","note":"خبز 🥖"}');
  const handled: unknown[] = [];
  const options = { secrets: secret, handle: (message: { body: object }) => void handled.push(message.body) };
  const request = new Request('http://a.test', { method: 'POST', headers: sign(bytes), body: bytes });
  assert.equal((await fetchWebhook(options)(request)).status, 200);
  const url = await serveExpress(options);
  assert.equal((await fetch(url, { method: 'POST', headers: sign(bytes), body: bytes })).status, 200);
  assert.deepEqual(
    handled,
    [0, 1].map(() => ({ status: 'RECEIVED', note: 'خبز 🥖' })),
  );
});

test('a server whose secret is missing or has another form does not start', async () => {
  const app = { addContentTypeParser() {}, post() {} };
  for (const wrong of [undefined, '', [], 'whsec_', 'whsec_?', [secret, '']]) {
    const options = { secrets: wrong as string, handle() {} };
    assert.throws(() => expressWebhook(options), /signing secret/, String(wrong));
    await assert.rejects(fastifyWebhook(app, { path: '/', ...options }), /signing secret/, String(wrong));
    // A framework can load the module while it builds, where the secret is not known yet.
    const request = new Request('http://a.test', { method: 'POST', headers: sign(body), body });
    await assert.rejects(fetchWebhook(options)(request), /signing secret/, String(wrong));
  }
});

test('express and fetch do not keep a body that is too large in memory', async () => {
  const options = { secrets: secret, handle() {}, maxBytes: 1000 };
  const large = JSON.stringify({ status: 'RECEIVED', note: 'x'.repeat(1000) });
  const send = { method: 'POST', headers: sign(large), body: large };
  assert.equal((await fetchWebhook(options)(new Request('http://a.test', send))).status, 413);
  const url = await serveExpress(options);
  assert.equal((await fetch(url, send)).status, 413);

  // Without a length, the size is known only while the body is read. An endless body ends with the connection.
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(600));
    },
  });
  const streamed = new Request('http://a.test', { ...send, body: endless, duplex: 'half' });
  assert.equal((await fetchWebhook(options)(streamed)).status, 413);
  assert.ok(pulled < 10, String(pulled));
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
  const chunk = `258\r\n${'x'.repeat(600)}\r\n`;
  const writing = setInterval(() => socket.write(chunk), 1);
  await new Promise<void>((resolve) => socket.on('error', () => {}).on('close', () => resolve()));
  clearInterval(writing);
});

async function serveExpress(options: Parameters<typeof expressWebhook>[0]): Promise<string> {
  const middleware = expressWebhook(options);
  const server = createServer((request, response) =>
    middleware(request, response, () => {
      response.statusCode = 500;
      response.end();
    }),
  );
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
