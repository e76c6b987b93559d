import assert from 'node:assert/strict';
import test from 'node:test';
import { events } from '@aisle/contract/events';
import { makeChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { createCli } from '../../support/cli.ts';
import { clientOf, listen } from '../../support/sdk.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle, { isSandbox: true });
const store = String(chain.vendors[0]);
const product = { price: 2, quantity: 1000 };
await addProducts(aisle, chain, [
  { ...product, sku: 'BREAD', title: 'Bread' },
  { ...product, sku: 'MILK', title: 'Milk' },
  { ...product, sku: 'TOMATO', title: 'Tomatoes', is_sold_by_weight: true },
]);
const client = await clientOf(aisle, chain.token, { chainId: chain.chainId });
const AISLE_URL = await listen(aisle);
const platform = await clientOf(aisle, aisle.platformToken);
const { token: otherToken } = await client.createToken({ body: { name: 'Other' } });
const other = await clientOf(aisle, otherToken, { chainId: chain.chainId });
const cli = createCli({ AISLE_URL, AISLE_TOKEN: chain.token, AISLE_PLATFORM_TOKEN: aisle.platformToken });

async function trigger(type: string, ...more: string[]) {
  const { exitCode, stdout, stderr } = await cli.run(['trigger', type, '--store', store, '--json', ...more]);
  assert.equal(exitCode, 0, stderr);
  return JSON.parse(stdout).result;
}

for (const type of Object.keys(events)) {
  test(`trigger ${type} makes the event happen`, async () => {
    const { next_cursor: after } = await client.listEvents({ query: { after: 'latest', limit: 1 } });
    const result = await trigger(type);
    const isFound = async () => {
      const page = await client.listEvents({ query: { after, limit: 100 } });
      return page.events.some((event) => {
        const body = event.body as { order_id?: string; job_id?: string };
        return event.type === type && (body.order_id ?? body.job_id) === (result.order_id ?? result.job_id);
      });
    };
    await waitFor(type, isFound, 30);
  });
}

test('events that only the platform can cause need a platform token', async () => {
  const partner = createCli({ AISLE_URL, AISLE_TOKEN: chain.token });
  const { exitCode, stderr } = await partner.run(['trigger', 'order.edited', '--store', store]);
  assert.equal(exitCode, 3);
  assert.match(stderr, /needs a platform token/);
});

test('--set changes the order, and --order continues with an existing one', async () => {
  const placed = await trigger('order.received', '--set', 'items.0.sku=MILK', '--set', 'items.0.quantity=3');
  assert.deepEqual([placed.items[0].sku, placed.items[0].pricing.quantity], ['MILK', 3]);
  const cancelled = await trigger('order.cancelled', '--order', placed.order_code, '--set', 'cancellation.reason=LATE');
  assert.deepEqual([cancelled.order_id, cancelled.cancellation.reason], [placed.order_id, 'LATE']);
  const again = await cli.run(['trigger', 'order.delivered', '--order', placed.order_code]);
  assert.deepEqual([again.exitCode, /is CANCELLED and cannot become DELIVERED/.test(again.stderr)], [5, true]);
});

test('pick asks for every item: found, weighed, replaced, changed and added', async () => {
  const items = [
    { sku: 'BREAD', quantity: 2 },
    { sku: 'TOMATO', weight: 1 },
    { sku: 'MILK', quantity: 1 },
  ];
  const { order_id, order_code } = await trigger('order.received', '--set', `items=${JSON.stringify(items)}`);
  const answers = ['1', 'x', '0,9', 'r', 'bread', '1', '1', 'n', 'a', 'MILK', '2', ''];
  const { exitCode, stdout, stderr } = await cli.run(['orders', 'pick', order_code], {
    input: answers.join('\n') + '\n',
  });
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, /READY_FOR_PICKUP/);
  assert.match(stderr, /x is not one of the choices/);
  const order = await client.getOrder({ params: { order_id } });
  assert.deepEqual(
    order.items.map(({ sku, status, pricing }) => [sku, status, pricing.weight ?? pricing.quantity]),
    [
      ['BREAD', 'NOT_FOUND', 2],
      ['TOMATO', 'IN_CART', 0.9],
      ['MILK', 'REPLACED', 1],
      ['BREAD', 'IN_CART', 1],
      ['MILK', 'ADDITION', 2],
    ],
  );
});

test('a cart that the API rejects can be corrected', async () => {
  const { order_id } = await trigger('order.received', '--set', 'items=[{"sku":"BREAD","quantity":1}]');
  const { exitCode, stderr } = await cli.run(['orders', 'pick', order_id], { input: '50\n\n1\n1\n\n' });
  assert.equal(exitCode, 0, stderr);
  assert.match(stderr, /Error: .*quantity/);
});

test('an order that was left before the end is released, and stays as it was', async () => {
  const { order_id } = await trigger('order.received');
  const { exitCode } = await cli.run(['orders', 'pick', order_id], { input: 'q\n' });
  assert.equal(exitCode, 130);
  const { status, pickers } = await client.getPicking({ params: { order_id } });
  assert.deepEqual([status, pickers], ['RECEIVED', []]);
});

test('what was picked is shared with the other pickers, and is not asked again', async () => {
  const items = [
    { sku: 'BREAD', quantity: 2 },
    { sku: 'TOMATO', weight: 1 },
    { sku: 'MILK', quantity: 1 },
  ];
  const { order_id } = await trigger('order.received', '--set', `items=${JSON.stringify(items)}`);
  const left = await cli.run(['orders', 'pick', order_id], { input: '1\n0.8\nq\n' });
  assert.equal(left.exitCode, 130);
  const { lines } = await client.getPicking({ params: { order_id } });
  assert.deepEqual(
    lines.map(({ state, quantity, weight }) => [state, quantity, weight]),
    [
      ['IN_CART', 1, null],
      ['IN_CART', null, 0.8],
    ],
  );
  const done = await cli.run(['orders', 'pick', order_id], { input: 'n\n\n' });
  assert.equal(done.exitCode, 0, done.stderr);
  assert.match(done.stderr, /Already picked: 2 of 3\./);
  const order = await client.getOrder({ params: { order_id } });
  assert.deepEqual(
    order.items.map(({ sku, status, pricing }) => [sku, status, pricing.weight ?? pricing.quantity]),
    [
      ['BREAD', 'IN_CART', 1],
      ['TOMATO', 'IN_CART', 0.8],
      ['MILK', 'NOT_FOUND', 1],
    ],
  );
});

for (const [change, message, interfere] of [
  [
    'edited',
    /has changed in the meantime/,
    (order_id: string) => platform.platformEditOrder({ params: { order_id }, body: { comment: 'No nuts.' } }),
  ],
  [
    'taken over',
    /taken over by Other/,
    (order_id: string) => other.claimOrder({ params: { order_id }, body: { mode: 'TAKE_OVER' } }),
  ],
] as const) {
  test(`an order that was ${change} after its last item was picked is not fulfilled`, async () => {
    const { order_id } = await trigger('order.received', '--set', 'items=[{"sku":"BREAD","quantity":1}]');
    async function* type(): AsyncGenerator<string> {
      yield '1\n';
      await waitFor('the last question', () => picking.stderr().includes('Send [Enter]'), 30);
      await interfere(order_id);
      yield '\n';
    }
    const picking = cli.start(['orders', 'pick', order_id], { input: type() });
    const { exitCode, stderr } = await picking.ended;
    assert.equal(exitCode, 5, stderr);
    assert.match(stderr, message);
    assert.equal((await client.getOrder({ params: { order_id } })).status, 'RECEIVED');
  });
}

test('list, get and cancel show what they did, and reject what is not possible', async () => {
  const { order_code, order_id } = await trigger('order.received');
  const list = await cli.run(['orders', 'list', '--status', 'RECEIVED', '--limit', '1', '--json']);
  assert.deepEqual(
    JSON.parse(list.stdout).map((order: { order_id: string }) => order.order_id),
    [order_id],
  );
  assert.match((await cli.run(['orders', 'get', order_code.toLowerCase()])).stdout, /Bread +BREAD/);
  assert.match((await cli.run(['orders', 'cancel', order_code, '--reason', 'TOO_BUSY'])).stdout, /CANCELLED/);
  assert.equal((await cli.run(['orders', 'pick', order_code, '--all'])).exitCode, 5);
  assert.equal((await cli.run(['orders', 'get', 'NOPE-00'])).exitCode, 4);
});

test('watch and listen accept the number of a store, and reject a store that does not exist', async () => {
  const watch = cli.start(['orders', 'watch', '--store', 'ext-1']);
  await waitFor('the watch', () => watch.stderr().includes('Waiting'), 30);
  const { order_code } = await trigger('order.received');
  await waitFor('the order', () => watch.stdout().includes(order_code), 30);
  watch.stop();
  await watch.ended;
  for (const command of [['orders', 'watch'], ['listen']]) {
    assert.equal((await cli.run([...command, '--store', 'nowhere'])).exitCode, 4);
  }
});

test('watch follows an order until it is finished', async () => {
  const { order_code } = await trigger('order.received');
  const watch = cli.start(['orders', 'watch', order_code]);
  await waitFor('the order', () => watch.stdout().includes('RECEIVED'), 30);
  await trigger('order.delivered', '--order', order_code);
  const { exitCode, stdout } = await watch.ended;
  assert.equal(exitCode, 0);
  assert.deepEqual(stdout.match(/RECEIVED|READY_FOR_PICKUP|DISPATCHED|DELIVERED/g), [
    'RECEIVED',
    'READY_FOR_PICKUP',
    'DISPATCHED',
    'DELIVERED',
  ]);
});
