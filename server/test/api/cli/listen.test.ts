import assert from 'node:assert/strict';
import test from 'node:test';
import { type FeedEvent, verifyWebhook } from '@aisle/sdk';
import { makeChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { createCli, type RunningCommand } from '../../support/cli.ts';
import { type Received, unusedUrl, useReceivers } from '../../support/receiver.ts';
import { clientOf, listen } from '../../support/sdk.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle, { isSandbox: true });
await addProducts(aisle, chain, [{ sku: 'MILK', title: 'Milk', price: 2, quantity: 1000 }]);
const client = await clientOf(aisle, chain.token, { chainId: chain.chainId });
const cli = createCli({ AISLE_URL: await listen(aisle), AISLE_TOKEN: chain.token });
const newReceiver = useReceivers();

test('a forwarded event has the same headers and bytes as the message of a webhook', async () => {
  const [webhook, local] = [await newReceiver(), await newReceiver()];
  const body = { environment: 'production' as const, production_url: `${webhook.url}/hook`, secret: 'Bearer x' };
  const { signing_secret: secret = '' } = await client.putWebhook({ body });
  const running = cli.start(['listen', '--forward-to', `${local.url}/hook`, '--environment', 'production', '--json'], {
    env: { AISLE_SIGNING_SECRET: secret, AISLE_WEBHOOK_AUTHORIZATION: 'Bearer x' },
  });
  await waitFor('listen', () => running.stdout().includes('listen.ready'), 30);
  await placeOrder();
  const [sent] = await webhook.waitFor(1, 30);
  const [forwarded] = await local.waitFor(1, 30);
  assert.ok(sent && forwarded);
  assert.equal(forwarded.text, sent.text);
  assert.equal(forwarded.path, sent.path);
  assert.deepEqual(comparable(forwarded), comparable(sent));
  const message = await verifyWebhook(forwarded.headers, forwarded.text, secret);
  assert.equal(message.type, 'order.received');
  assert.doesNotMatch(running.stdout() + running.stderr(), /whsec_/);
  await client.deleteWebhook();
  running.stop();
  assert.equal((await running.ended).exitCode, 0);
});

test('each event is shown with the status of the receiver, and can be sent again', async () => {
  const receiver = await newReceiver();
  receiver.respondWith((response) => response.writeHead(500).end());
  const running = await startListening('--forward-to', receiver.url);
  const { order_code } = await placeOrder();
  await waitFor('the failure', () => running.stdout().includes('--replay'), 30);
  assert.match(running.stdout(), new RegExp(`order\\.received +${order_code} +500 +\\d+ ms`));
  running.stop();
  await running.ended;

  const [, eventId = ''] = /--replay (\S+)/.exec(running.stdout()) ?? [];
  const failed = await cli.run(['listen', '--replay', eventId, '--forward-to', receiver.url]);
  assert.equal(failed.exitCode, 1);
  receiver.respondWith((response) => response.writeHead(204).end());
  const replayed = await cli.run(['listen', '--replay', eventId, '--forward-to', receiver.url, '--json']);
  assert.deepEqual([replayed.exitCode, JSON.parse(replayed.stdout).status], [0, 204]);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['webhook-id']),
    [eventId, eventId, eventId],
  );
});

test('a receiver that cannot be reached does not end the command', async () => {
  const running = await startListening('--forward-to', await unusedUrl());
  await placeOrder();
  await waitFor('the failure', () => running.stdout().includes('no response: connect ECONNREFUSED'), 30);
  running.stop();
  assert.equal((await running.ended).exitCode, 0);
});

test('a port is not taken for the name of a host', async () => {
  const { exitCode, stderr } = await cli.run(['listen', '--forward-to', '3000']);
  assert.deepEqual([exitCode, /3000 is a port, not a URL\. Write localhost:3000\./.test(stderr)], [2, true], stderr);
});

test('events can be filtered by type and store, and read again from a cursor', async () => {
  const [vendor_id = '', other = ''] = chain.vendors;
  const { next_cursor: cursor } = await client.listEvents({ query: { after: 'latest', limit: 1 } });
  const { order_id } = await placeOrder();
  await client.sandboxCancelOrder({ params: { order_id }, body: { cancelled_by: 'CUSTOMER', reason: 'LATE' } });
  const filter = ['--from', cursor, '--events', 'order.cancelled,catalog.*', '--store', vendor_id];
  const running = cli.start(['listen', '--json', ...filter]);
  await waitFor('the event', () => running.stdout().includes('order.cancelled'), 30);
  running.stop();
  const events = lines(running).filter((event) => event.type.startsWith('order.'));
  assert.deepEqual(
    events.map((event) => [event.type, event.vendor_id]),
    [['order.cancelled', vendor_id]],
  );
  const empty = cli.start(['listen', '--from', cursor, '--store', other]);
  await placeOrder(other);
  await waitFor('the event', () => empty.stdout().includes('order.received'), 30);
  empty.stop();
  assert.equal((await empty.ended).stdout.trim().split('\n').length, 1);
});

test('if events were deleted before they were read, the command says so', async () => {
  const { next_cursor: cursor } = await client.listEvents({ query: { after: 'latest', limit: 1 } });
  await placeOrder();
  await client.listEvents({ query: { after: cursor, wait: 25 } });
  await aisle.db.query(
    `insert into deleted_events (chain_id, feed, position)
     select chain_id, 'partner', max(position) from events where chain_id = $1 group by 1`,
    [chain.chainId],
  );
  const running = await startListening('--from', cursor);
  await waitFor('the note', () => running.stderr().includes('deleted before they were read'), 30);
  running.stop();
  await running.ended;
  const json = cli.start(['listen', '--json', '--from', cursor]);
  await waitFor('the line', () => json.stdout().includes('"type":"listen.gap"'), 30);
  json.stop();
  await json.ended;
});

test('the secret stays the same, and one that cannot be used is rejected', async () => {
  const first = await cli.run(['listen', '--print-secret']);
  const second = await cli.run(['listen', '--print-secret']);
  assert.match(first.stdout, /^whsec_[A-Za-z0-9+/]{43}=\n$/);
  assert.equal(second.stdout, first.stdout);
  const running = await startListening('--forward-to', await unusedUrl());
  running.stop();
  const { stdout, stderr } = await running.ended;
  assert.match(stderr, /Signing secret: {2}aisle listen --print-secret shows it/);
  assert.equal((stdout + stderr).includes(first.stdout.trim()), false);
  const short = await cli.run(['listen'], { env: { AISLE_SIGNING_SECRET: 'whsec_short' } });
  assert.deepEqual([short.exitCode, /AISLE_SIGNING_SECRET must be/.test(short.stderr)], [2, true]);
  const type = await cli.run(['listen', '--events', 'order.eaten']);
  assert.match(type.stderr, /order\.eaten is not an event type\.\nEvent types: order\.received/);
});

async function startListening(...options: string[]): Promise<RunningCommand> {
  const running = cli.start(['listen', ...options]);
  await waitFor('listen', () => running.stderr().includes('Press Ctrl-C'), 30);
  return running;
}

function placeOrder(vendor_id = String(chain.vendors[0])) {
  const customer = { first_name: 'Sam', phone_number: '+971500000000' };
  const items = [{ sku: 'MILK', quantity: 1 }];
  return client.sandboxPlaceOrder({ body: { vendor_id, customer, items, payment: { type: 'PAID' } } });
}

/** Without what differs between two messages, and without their connection. */
function comparable({ headers }: Received) {
  const { host: _host, connection: _connection, 'webhook-timestamp': _at, 'webhook-signature': _by, ...rest } = headers;
  return rest;
}

function lines(running: RunningCommand): FeedEvent[] {
  return running
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as FeedEvent);
}
