import assert from 'node:assert/strict';
import test from 'node:test';
import { callerFor, makeChain, makeToken, type Response, startAisleOn, useAisle } from '../../support/aisle.ts';
import { allPicked, fulfilled, itemOf, makeShop, placeOrder, report } from '../../support/orders.ts';
import { addition, makePicker, markOf } from '../../support/picking.ts';
import { assertProblem } from '../../support/problem.ts';
import { startCountingProxy } from '../../support/round-trips.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle, { vendors: 2 });
const [first = '', second = ''] = chain.vendors;
const sara = await makePicker(aisle, chain, 'Sara');
const omar = await makePicker(aisle, chain, 'Omar', [second]);
const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const items = [
  { sku: 'MILK', quantity: 2 },
  { sku: 'BREAD', quantity: 1 },
];
const later = await placeOrder(aisle, chain, items, { promised_for: soon(120), comment: 'Ring twice.' });
const asap = await placeOrder(aisle, chain, items);
const sooner = await placeOrder(aisle, chain, items, { promised_for: soon(60), vendor_id: second });
const idsOf = (queue: Response['body']) => queue.orders.map((order: Response['body']) => order.order_id);

test('the queue has the open orders, most urgent first', async () => {
  const queue = await sara.queue();
  assert.deepEqual(
    idsOf(queue),
    [asap, sooner, later].map(({ order_id }) => order_id),
  );
  assert.equal(queue.has_more, false);
  assert.ok(Math.abs(Date.parse(queue.server_time) - Date.now()) < 60_000);
  assert.deepEqual(queue.orders[2], {
    order_id: later.order_id,
    order_code: later.order_code,
    vendor_id: first,
    vendor_name: 'Store 1',
    status: 'RECEIVED',
    revision: 1,
    created_at: later.sys.created_at,
    promised_for: later.promised_for,
    item_count: 2,
    customer_note: 'Ring twice.',
    is_test: false,
    progress: { picked: 0, total: 2 },
    pickers: [],
  });
});

test('the queue shows the progress and the pickers', async () => {
  await sara.claim(later);
  await sara.mark(later, [
    markOf(itemOf(later, 'MILK'), { state: 'NOT_FOUND' }),
    markOf(itemOf(later, 'BREAD'), { state: 'PENDING', quantity: 0 }),
    addition('TEA'),
  ]);
  const entryFor = async (query = '') =>
    (await sara.queue(query)).orders.find((order: Response['body']) => order.order_id === later.order_id);
  const entry = await entryFor();
  assert.deepEqual(entry.progress, { picked: 1, total: 2 });
  assert.deepEqual(entry.pickers, [{ actor: sara.actor, name: 'Sara', is_me: true }]);
  await aisle.db.query('update picking_claims set expires_at = now()');
  assert.deepEqual((await entryFor()).pickers, []);
});

test('the queue is limited to the stores of the caller, and to those asked for', async () => {
  assert.deepEqual(idsOf(await omar.queue()), [sooner.order_id]);
  assert.deepEqual(idsOf(await sara.queue(`?vendor_id=${second}`)), [sooner.order_id]);
  assert.deepEqual(
    idsOf(await sara.queue('?vendor_id=ext-1')),
    [asap, later].map(({ order_id }) => order_id),
  );
  assert.equal((await sara.queue(`?vendor_id=${first},${second}`)).orders.length, 3);
  assert.equal((await sara.queue(`?vendor_id=${first}&vendor_id=ext-2&vendor_id=ext-1`)).orders.length, 3);
  assertProblem(await omar.call('GET', `/picking/queue?vendor_id=${first}`), 'forbidden');
  assertProblem(await sara.call('GET', '/picking/queue?vendor_id=none'), 'vendor_not_found');
  const other = await makeChain(aisle);
  assertProblem(await sara.call('GET', `/picking/queue?vendor_id=${other.vendors[0]}`), 'vendor_not_found');
  const token = await makeToken(aisle, chain.chainId, { scopes: ['orders:read'] });
  const all = await callerFor(aisle, chain, token)('GET', '/picking/queue');
  assert.equal(all.body.orders.length, 3);
});

test('orders that are fulfilled, cancelled or too old are not in the queue', async () => {
  const [done, cancelled, old] = [
    await placeOrder(aisle, chain, items),
    await placeOrder(aisle, chain, items),
    await placeOrder(aisle, chain, items),
  ];
  await fulfilled(aisle, chain, done, allPicked(done));
  await report(aisle, cancelled.order_id, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' });
  await aisle.db.query("update orders set created_at = now() - interval '61 days' where order_id = $1", [old.order_id]);
  assert.deepEqual(
    idsOf(await sara.queue()),
    [asap, sooner, later].map(({ order_id }) => order_id),
  );
});

test('an urgent order is in the queue of a store that has many preorders from before', async () => {
  const shop = await makeShop(aisle);
  const urgent = await placeOrder(aisle, shop, items);
  const preorder = `jsonb_build_object('order_id', gen_random_uuid(), 'created_at', created_at - interval '1 day',
    'promised_for', created_at + interval '1 day')`;
  await aisle.db.query(
    `insert into orders select (made.preorder).* from (
       select jsonb_populate_record(o, ${preorder}) as preorder from orders o cross join generate_series(1, 501)
       where chain_id = $1 and order_id = $2 offset 0) made`,
    [shop.chainId, urgent.order_id],
  );
  const { body } = await aisle.call('GET', `${shop.base}/picking/queue`, { token: shop.token });
  assert.deepEqual([body.orders.length, body.has_more], [500, true]);
  assert.equal(body.orders[0].order_id, urgent.order_id);
});

test('the queue of many stores takes as many round trips as that of one', async () => {
  const large = await makeChain(aisle, { vendors: 30 });
  const proxy = await startCountingProxy(aisle.url);
  const server = await startAisleOn(proxy.url, {}, 'api');
  const tripsFor = async (vendors: string[]) => {
    const before = proxy.roundTrips();
    const path = `/picking/queue?vendor_id=${vendors.join(',')}`;
    assert.equal((await callerFor(server, large)('GET', path)).status, 200);
    return proxy.roundTrips() - before;
  };
  try {
    await tripsFor(large.vendors);
    // Other statements, such as polls, can run at the same time.
    assert.ok((await tripsFor(large.vendors)) < 20);
  } finally {
    await server.stop();
    await proxy.close();
  }
});
