import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import { createSeenIds, type OrderStatus, verifyWebhook, type WebhookError, type WebhookMessage } from '@aisle/sdk';
import { jobTypes } from '@aisle/contract/jobs';
import { aisleWebhook as expressWebhook } from '@aisle/sdk/express';
import { aisleWebhook as fastifyWebhook } from '@aisle/sdk/fastify';
import { aisleWebhook as fetchWebhook } from '@aisle/sdk/fetch';
import fastify from 'fastify';
import { signatureHeader } from '../../../src/deliveries/rules/signature.ts';
import { transitions } from '../../../src/orders/rules/states.ts';
import { signingKey } from '../../../src/webhooks/secrets.ts';
import { makeChain, useAisle } from '../../support/aisle.ts';
import { useReceivers } from '../../support/receiver.ts';
import { clientOf, errorOf } from '../../support/sdk.ts';
import { changeOrder, makeRetriesDue, setWebhook, waitForDeliveries } from '../../support/webhooks.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
const startReceiver = useReceivers();
const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** A message as Aisle has sent it, and the secret of its webhook. */
const { message, secret, chain } = await receiveOne();
const { headers, text } = message;

test('a message that Aisle has signed is verified and typed', async () => {
  const verified = await verifyWebhook(headers, text, secret);
  assert.ok(verified.type === 'order.received');
  const status: OrderStatus = verified.body.status;
  assert.deepEqual([verified.id, status], [headers['webhook-id'], 'RECEIVED']);
  assert.equal(verified.environment, 'production');
  const given = new Headers(headers as Record<string, string>);
  assert.deepEqual(await verifyWebhook(given, Buffer.from(text), [secret]), verified);
});

test('while the secret is rotated, the old and the new secret both verify messages', async () => {
  const client = await clientOf(aisle, chain.token);
  const { signing_secret: fresh } = await client.rotateWebhookSecret();
  assert.notEqual(fresh, secret);
  const receiver = await startReceiver();
  await setWebhook(aisle, chain, { production_url: receiver.url });
  await changeOrder(aisle, chain);
  const [next] = await receiver.waitFor(1, 30);
  assert.ok(next);
  for (const secrets of [secret, fresh, [fresh, secret], ['whsec_b3RoZXI=', secret]]) {
    assert.equal((await verifyWebhook(next.headers, next.text, secrets)).type, 'order.received');
  }
  assert.equal((await verifyWebhook(headers, text, [fresh, secret])).id, headers['webhook-id']);
});

const forged: [what: string, headers: Record<string, unknown>, text: string, reason: string, status: number][] = [
  ['with a changed body', {}, `${text} `, 'invalid_signature', 401],
  ['with another id', { 'webhook-id': 'other' }, text, 'invalid_signature', 401],
  [
    'with another time',
    { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 1) },
    text,
    'invalid_signature',
    401,
  ],
  ['with a signature that is not base64', { 'webhook-signature': 'v1,!' }, text, 'invalid_signature', 401],
  ['with a signature of another version', { 'webhook-signature': 'v2,AAAA' }, text, 'invalid_signature', 401],
  ['whose type was changed', { 'aisle-event-type': 'order.cancelled' }, text, 'type_mismatch', 400],
  ['without a signature', { 'webhook-signature': undefined }, text, 'missing_header', 400],
];
for (const [what, changes, body, reason, status] of forged) {
  test(`a message ${what} is rejected`, async () => {
    const error = await errorOf(verifyWebhook({ ...headers, ...changes } as Record<string, string>, body, secret));
    assert.deepEqual([(error as WebhookError).reason, (error as WebhookError).status], [reason, status]);
  });
}

test('the type of every event matches its body', async () => {
  const sign = (type: string, body: object) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const content = JSON.stringify(body);
    const signature = signatureHeader([signingKey(secret)], 'id', timestamp, content);
    const given = { 'webhook-id': 'id', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
    return verifyWebhook({ ...given, 'aisle-event-type': type }, content, secret);
  };
  const placed = { event: 'order.received', to: 'RECEIVED' };
  for (const { event, to } of [placed, ...transitions]) {
    if (event) assert.equal((await sign(event, { status: to })).type, event);
  }
  for (const job_type of jobTypes) {
    const type = job_type === 'CATALOG_EXPORT' ? 'catalog.export_finished' : 'catalog.job_finished';
    assert.equal((await sign(type, { job_type })).type, type);
  }
  assert.equal((await sign('order.invented_later', { status: 'NEW' })).id, 'id');
});

test('a message that is signed with another secret is rejected', async () => {
  const error = await errorOf(verifyWebhook(headers, text, 'whsec_b3RoZXI='));
  assert.equal((error as WebhookError).reason, 'invalid_signature');
  assert.match(String(await errorOf(verifyWebhook(headers, text, []))), /At least one signing secret/);
  assert.match(String(await errorOf(verifyWebhook(headers, text, 'whsec_?'))), /starts with "whsec_"/);
});

test('an old message is rejected, and one that was handled before is a duplicate', async () => {
  for (const minutes of [-6, 6]) {
    const now = new Date(Date.now() + minutes * 60_000);
    const error = await errorOf(verifyWebhook(headers, text, secret, { now }));
    assert.equal((error as WebhookError).reason, 'too_old');
    await verifyWebhook(headers, text, secret, { now, toleranceSeconds: 600 });
  }
  const seen = createSeenIds(2);
  const { id } = await verifyWebhook(headers, text, secret, { seen });
  await verifyWebhook(headers, text, secret, { seen });
  await seen.add(id);
  const error = (await errorOf(verifyWebhook(headers, text, secret, { seen }))) as WebhookError;
  assert.deepEqual([error.reason, error.status], ['duplicate', 200]);
  for (const other of ['a', 'b']) await seen.add(other);
  await verifyWebhook(headers, text, secret, { seen });
});

/** Starts a receiver of each kind with this handler, and returns its URL. */
const kinds: Record<string, (options: Options) => Promise<string>> = {
  async fastify(options) {
    const app = fastify();
    await app.register(fastifyWebhook, { path: '/aisle', ...options });
    app.post('/other', async ({ body }) => ({ body }));
    after(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const other = await fetch(`${url}/other`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    assert.deepEqual(await other.json(), { body: { a: 1 } }, 'other routes still get parsed JSON');
    return `${url}/aisle`;
  },
  express: (options) => {
    const middleware = expressWebhook(options);
    return serve((request, response) =>
      middleware(request, response, () => {
        response.statusCode = 500;
        response.end();
      }),
    );
  },
  'express behind express.raw': (options) => {
    const middleware = expressWebhook(options);
    return serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      middleware(Object.assign(request, { body }), response, () => {
        response.statusCode = 500;
        response.end();
      });
    });
  },
  fetch: (options) => {
    const handler = fetchWebhook(options);
    return serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const given = { method: 'POST', headers: request.headers as Record<string, string>, body };
      const result = await handler(new Request('http://receiver.test/aisle', given)).catch(() => undefined);
      response.statusCode = result?.status ?? 500;
      response.end(await result?.text());
    });
  },
};
type Options = Parameters<typeof fetchWebhook>[0];

for (const [kind, start] of Object.entries(kinds)) {
  test(`${kind}: an order arrives once, although the first attempt to handle it fails`, async () => {
    const own = await makeChain(aisle, { isSandbox: true });
    const handled: WebhookMessage[] = [];
    const rejected: string[] = [];
    let secrets = '';
    let attempts = 0;
    const url = await start({
      secrets: () => secrets,
      seen: createSeenIds(),
      onRejected: ({ reason }) => rejected.push(reason),
      handle(one) {
        if (one.type === 'order.received' && attempts++ === 0) throw new Error('the database is not available');
        handled.push(one);
      },
    });
    secrets = (await setWebhook(aisle, own, { production_url: url })).signing_secret;
    const client = await clientOf(aisle, own.token);
    await client.pingWebhook();
    await waitFor('the ping', () => handled.length === 1, 30);
    assert.equal(handled[0]?.type, 'webhook.ping');

    const order = await changeOrder(aisle, own);
    await waitFor('the first attempt', () => attempts === 1, 30);
    await waitFor(
      'the second attempt',
      async () => {
        await makeRetriesDue(aisle);
        return handled.length === 2;
      },
      30,
    );
    assert.ok(handled[1]?.type === 'order.received' && handled[1].body.order_id === order);

    // Until the attempt is recorded, the delivery is pending, and resending it adds no message.
    await waitForDeliveries(aisle, own, order, 'DELIVERED');
    await client.resendDelivery({ params: { delivery_id: handled[1].id } });
    await waitFor('the duplicate', () => rejected.length === 1, 30);
    assert.deepEqual([rejected, handled.length], [['duplicate'], 2]);
    const forgery = await fetch(url, {
      method: 'POST',
      headers: { ...(headers as Record<string, string>), 'content-type': 'application/json' },
      body: text,
    });
    assert.equal(forgery.status, 401, 'the message is signed for another chain');
  });
}

test('express: a body that was parsed before it was verified is an error that says what to change', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const request = { headers: {}, body: {}, async *[Symbol.asyncIterator]() {} };
  expressWebhook({ secrets: secret, handle() {} })(request, { statusCode: 200, end() {} }, resolve);
  assert.match(String(await promise), /Mount aisleWebhook before express\.json\(\)/);
});

async function receiveOne() {
  const own = await makeChain(aisle, { isSandbox: true });
  const receiver = await startReceiver();
  const webhook = await setWebhook(aisle, own, { production_url: receiver.url });
  await changeOrder(aisle, own);
  const [first] = await receiver.waitFor(1, 30);
  return { chain: own, secret: webhook.signing_secret as string, message: first ?? assert.fail('no message arrived') };
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
