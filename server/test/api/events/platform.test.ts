import assert from 'node:assert/strict';
import test from 'node:test';
import { platformEventTypes } from '@aisle/contract/platform-events';
import { readConfig } from '../../../src/config.ts';
import { eventChores } from '../../../src/events/chores.ts';
import { recordPlatformEvent } from '../../../src/events/index.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import { makeChain, type Response, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { runChores } from '../../support/chores.ts';
import { isCluster } from '../../support/database.ts';
import { addProducts, putProducts } from '../../support/catalog.ts';
import { allPicked, placeOrder, putOrder, report } from '../../support/orders.ts';
import { followPlatformFeed } from '../../support/platform-webhooks.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { applyPromotion, fromNow, percent, promotionBody } from '../../support/promotions.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle();
const token = aisle.platformToken;
type Event = Response['body'];

async function makeStore(vendors = 1): Promise<TestChain> {
  const chain = await makeChain(aisle, { vendors });
  await addProducts(
    aisle,
    chain,
    ['A', 'B', 'C'].map((sku) => ({ sku, title: sku, price: 10, quantity: 100 })),
  );
  return chain;
}

const place = (chain: TestChain, more = {}) => placeOrder(aisle, chain, [{ sku: 'A', quantity: 2 }], more);
const cancellation = (order: Event) => ({
  status: 'CANCELLED',
  items: allPicked(order),
  cancellation: { reason: 'TOO_BUSY' },
});
const ofOrder = (id: string) => (event: Event) => event.body.order_id === id;
const storeEvents = '&types=store.opened,store.closed';

test('every change of an order by anyone is an event for the platform, in sequence', async () => {
  const chain = await makeStore();
  const feed = await followPlatformFeed(aisle);
  const rides = await place(chain);
  await aisle.call('PATCH', `/platform/v1/orders/${rides.order_id}`, { token, body: { comment: 'Ring twice' } });
  await put(chain, rides.order_id, { status: 'READY_FOR_PICKUP', items: allPicked(rides) });
  await report(aisle, rides.order_id, 'pickup');
  await report(aisle, rides.order_id, 'deliver');
  const own = await place(chain, { transport_type: 'VENDOR_DELIVERY' });
  await put(chain, own.order_id, { status: 'DISPATCHED', items: allPicked(own) });
  await report(aisle, own.order_id, 'deliver');
  const collected = await place(chain, { order_type: 'PICKUP' });
  await put(chain, collected.order_id, { status: 'READY_FOR_PICKUP', items: allPicked(collected) });
  await report(aisle, collected.order_id, 'collect');
  const rejected = await place(chain);
  await put(chain, rejected.order_id, cancellation(rejected));
  await feed.waitFor(13, (event) => event.type.startsWith('order.'));
  const typesOf = (id: string) => feed.seen.filter(ofOrder(id)).map((event) => event.type.replace('order.', ''));
  assert.deepEqual(typesOf(rides.order_id), ['received', 'edited', 'ready_for_pickup', 'dispatched', 'delivered']);
  assert.deepEqual(typesOf(own.order_id), ['received', 'dispatched', 'delivered']);
  assert.deepEqual(typesOf(collected.order_id), ['received', 'ready_for_pickup', 'collected']);
  assert.deepEqual(typesOf(rejected.order_id), ['received', 'cancelled']);
  const { body, chain_id, vendor_id } = feed.seen.findLast(ofOrder(rejected.order_id));
  assert.deepEqual([chain_id, vendor_id], [chain.chainId, chain.vendors[0]]);
  assert.deepEqual(body.cancellation, { reason: 'TOO_BUSY', cancelled_by: 'VENDOR' });
});

test('a fulfilment has the recomputed total and the outcome of each line', async () => {
  const chain = await makeStore();
  const feed = await followPlatformFeed(aisle);
  const order = await placeOrder(aisle, chain, [
    { sku: 'A', quantity: 2 },
    { sku: 'B', quantity: 1 },
  ]);
  const [first, second] = order.items;
  await put(chain, order.order_id, {
    status: 'READY_FOR_PICKUP',
    items: [
      { _id: first._id, sku: 'A', status: 'IN_CART', pricing: { pricing_type: 'UNIT', quantity: 1 } },
      { _id: second._id, sku: 'B', status: 'NOT_FOUND', pricing: { pricing_type: 'UNIT' } },
    ],
  });
  const [, ready] = await feed.waitFor(2, ofOrder(order.order_id));
  assert.deepEqual(
    ready?.body.items.map((item: Event) => [item.sku, item.status]),
    [
      ['A', 'IN_CART'],
      ['B', 'NOT_FOUND'],
    ],
  );
  assert.equal(ready?.body.payment.sub_total, 10);
});

test('partners get no events of the platform, except when an order is edited', async () => {
  const chain = await makeStore();
  const feed = await followPlatformFeed(aisle, storeEvents);
  const order = await place(chain);
  await aisle.call('PATCH', `/platform/v1/orders/${order.order_id}`, { token, body: { comment: 'Ring twice' } });
  await put(chain, order.order_id, cancellation(order));
  await setStatus(chain, { status: 'CLOSED_TODAY' });
  await feed.waitFor(1);
  const { body } = await aisle.call('GET', `${chain.base}/events`, { token: chain.token });
  assert.deepEqual(
    body.events.map((event: Event) => event.type),
    ['order.received', 'order.edited'],
  );
  assert.equal(body.events[1].body.comment, 'Ring twice');
});

test('the feed can be filtered by type, chain and vendor', async () => {
  const [one, two] = [await makeStore(2), await makeStore()];
  const [first, second] = one.vendors as [string, string];
  const start = (await get('?after=latest')).body.next_cursor;
  const [inFirst, inSecond, elsewhere] = [
    await place(one, { vendor_id: first }),
    await place(one, { vendor_id: second }),
    await place(two),
  ];
  await setStatus(one, { status: 'CLOSED_TODAY' });
  const read = async (query: string): Promise<string[]> => {
    const { body } = await get(`?after=${start}&types=order.received,store.closed${query}`);
    return body.events.map((event: Event) => event.body.order_id ?? event.type);
  };
  await waitFor('all events', async () => (await read('')).length === 4);
  // On a cluster, only events about the same subject are in sequence.
  const expected = [inFirst.order_id, inSecond.order_id, elsewhere.order_id, 'store.closed'];
  const inOrder = (events: string[]) => (isCluster ? events.toSorted() : events);
  assert.deepEqual(inOrder(await read('')), inOrder(expected));
  assert.deepEqual(await read(`&chain_id=${two.chainId}`), [elsewhere.order_id]);
  assert.deepEqual(await read(`&chain_id=${one.chainId}&vendor_id=${second}`), [inSecond.order_id]);
  const { body } = await get(`?after=${start}&types=store.closed`);
  assert.deepEqual(
    body.events.map((event: Event) => [event.type, event.body.status]),
    [['store.closed', 'CLOSED_TODAY']],
  );
  assertInvalid(await get(`?vendor_id=${second}`), 'chain_id');
  assertProblem(await get(`?chain_id=${newId()}`), 'chain_not_found');
  assertProblem(await get(`?chain_id=${one.chainId}&vendor_id=nowhere`), 'vendor_not_found');
  assert.equal((await get('?types=order.unknown')).status, 400);
});

test('an event committed after newer ones were read is still returned, across chains', async () => {
  const [one, two] = [await makeStore(), await makeStore()];
  const feed = await followPlatformFeed(aisle, storeEvents);
  const hold = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const slow = aisle.db.transaction(async (tx) => {
    const vendorId = String(one.vendors[0]);
    recordPlatformEvent(tx, one.chainId, {
      type: 'store.opened',
      body: { chain_id: one.chainId, vendor_id: vendorId, status: 'OPEN' },
      vendorId,
      subject: `store ${vendorId}`,
    });
    await tx.query('select 1');
    written.resolve();
    await hold.promise;
  });
  await written.promise;
  await setStatus(two, { status: 'CLOSED_TODAY' });
  assert.deepEqual(
    (await feed.waitFor(1)).map(({ chain_id }) => chain_id),
    [two.chainId],
  );
  hold.resolve();
  await slow;
  assert.deepEqual(
    (await feed.waitFor(2)).map(({ chain_id }) => chain_id),
    [two.chainId, one.chainId],
  );
});

test('a waiting request returns as soon as an event of any chain is published', async () => {
  const chain = await makeStore();
  const start = (await get(`?after=latest${storeEvents}`)).body.next_cursor;
  const waiting = get(`?after=${start}&wait=20${storeEvents}`);
  await setStatus(chain, { status: 'CLOSED_TODAY' });
  const { body } = await waiting;
  assert.deepEqual([body.events[0].type, body.events[0].chain_id], ['store.closed', chain.chainId]);
});

test('a store that reopens at its time is an event, and a repeated status is none', async () => {
  const chain = await makeStore();
  const feed = await followPlatformFeed(aisle, storeEvents);
  await setStatus(chain, { status: 'OPEN' });
  const closed_until = new Date(Date.now() + 3600_000).toISOString();
  for (let count = 0; count < 2; count++) await setStatus(chain, { status: 'CLOSED_UNTIL', closed_until });
  await aisle.db.query("update outlet_statuses set closed_until = now() - interval '1 s' where chain_id = $1", [
    chain.chainId,
  ]);
  const events = await feed.waitFor(2);
  assert.deepEqual(
    events.map(({ type, body }) => [type, body.status]),
    [
      ['store.closed', 'CLOSED_UNTIL'],
      ['store.opened', 'OPEN'],
    ],
  );
});

test('promotions that start, end or are cancelled are events', async () => {
  const chain = await makeStore();
  const feed = await followPlatformFeed(aisle, '&types=promotion.started,promotion.ended');
  const running = promotionBody({ discount: [percent(20, 'A')] });
  const { promotion_id: first } = await applyPromotion(aisle, chain, running);
  await feed.waitFor(1);
  await aisle.db.query('update promotions set end_time = now() where promotion_id = $1', [first]);
  await feed.waitFor(2);
  const later = promotionBody({
    discount: [percent(20, 'B')],
    conditions: { start_time: fromNow(3600), end_time: fromNow(7200) },
  });
  const { promotion_id: second } = await applyPromotion(aisle, chain, later);
  await aisle.db.query("update promotions set start_time = now() - interval '1 s' where promotion_id = $1", [second]);
  await feed.waitFor(3);
  await aisle.db.query('update promotions set is_cancelled = true where promotion_id = $1', [second]);
  await feed.waitFor(4);
  assert.deepEqual(
    feed.seen.map(({ type, body }) => [type, body.promotion.promotion_id, body.promotion.state]),
    [
      ['promotion.started', first, 'RUNNING'],
      ['promotion.ended', first, 'ENDED'],
      ['promotion.started', second, 'RUNNING'],
      ['promotion.ended', second, 'CANCELLED'],
    ],
  );
});

test('changed products are events with their newest state, at most one per product and second', async () => {
  const chain = await makeStore();
  const feed = await followProducts(chain);
  for (let price = 11; price <= 30; price++) await putProducts(aisle, chain, [{ sku: 'A', price }]);
  const priceOf = (sku: string) => (event: Event) =>
    event.body.products.filter((product: Event) => product.sku === sku).map((product: Event) => product.price);
  const lastPrice = () => feed.seen.flatMap(priceOf('A')).at(-1);
  await waitFor('the newest price', async () => {
    await feed.poll();
    return lastPrice() === 30;
  });
  const times = feed.seen
    .filter((event) => priceOf('A')(event).length > 0)
    .map(({ created_at }) => Date.parse(created_at));
  for (const [index, time] of times.slice(1).entries()) assert.ok(time - Number(times[index]) >= 1000, String(times));
  await applyPromotion(aisle, chain, promotionBody({ discount: [percent(50, 'B')] }));
  await waitFor('the promoted product', async () => {
    await feed.poll();
    return feed.seen.some(({ body }) =>
      body.products.some((one: Event) => one.sku === 'B' && one.effective_price === 5),
    );
  });
});

test('a round reads a limited number of changes, so that it ends before another worker starts it again', async () => {
  const chain = await makeStore();
  const { promotion_id } = await applyPromotion(aisle, chain, promotionBody());
  const feed = await followProducts(chain);
  await aisle.db.query(
    `insert into promotion_changes (chain_id, promotion_id, skus) select $1, $2, '{A}' from generate_series(1, 1100)`,
    [chain.chainId, promotion_id],
  );
  const skusOf = ({ body }: Event): string[] => body.products.map(({ sku }: Event) => sku);
  // The products with which the chain began can be in an event, too.
  const events = await feed.waitFor(2, (event) => skusOf(event).length === 1);
  assert.deepEqual(events.map(skusOf), [['A'], ['A']]);
});

test('the events of large products, and pages of them, have a limited size', async () => {
  const chain = await makeStore();
  const feed = await followProducts(chain);
  const images = Array.from({ length: 50 }, (_, index) => `https://a.test/${index}/${'x'.repeat(1900)}`);
  const large = Array.from({ length: 12 }, (_, index) => ({ sku: `L${index}`, title: 'L', price: 1, images }));
  await addProducts(aisle, chain, large);
  const skusOf = ({ body }: Event) => body.products.map(({ sku }: Event) => sku);
  await waitFor('all products', async () => {
    await feed.poll();
    return feed.seen.flatMap(skusOf).filter((sku) => sku.startsWith('L')).length === 12;
  });
  const sizes = feed.seen.map((event) => JSON.stringify(event.body).length);
  assert.ok(Math.max(...sizes) < 600_000, `sizes: ${sizes.join(', ')}`);
  const event = feed.seen.find((one) => skusOf(one).includes('L11'));
  await aisle.db.query(
    `insert into platform_events (chain_id, event_id, event_no, type, vendor_id, subject, body)
     select chain_id, gen_random_uuid(), nextval(pg_get_serial_sequence('events', 'event_no')), type, vendor_id, subject,
       body from platform_events, generate_series(1, 120) where chain_id = $1 and event_id = $2`,
    [chain.chainId, event.event_id],
  );
  const before = feed.seen.length;
  await feed.waitFor(before + 1);
  assert.ok(feed.seen.length < before + 120, 'a page contains all events');
  await feed.waitFor(before + 120);
  assert.equal(feed.seen.length, before + 120);
});

test('large orders of a chain do not block the lists of the platform', async (t) => {
  const chain = await makeStore();
  const orders = 60;
  const feed = await followPlatformFeed(aisle, `&chain_id=${chain.chainId}`);
  for (let count = 0; count < orders; count++) await placeOrder(aisle, chain, [{ sku: 'A', quantity: 1 }]);
  await feed.waitFor(orders, (event) => event.type === 'order.received');
  const comment = 'x'.repeat(1_000_000);
  await aisle.db.query('update orders set comment = $2 where chain_id = $1', [chain.chainId, comment]);
  await aisle.db.query(
    "update events set body = jsonb_set(body::jsonb, '{comment}', to_jsonb($2::text))::json where chain_id = $1",
    [chain.chainId, comment],
  );
  const limits = { AISLE_MAX_CATALOG_BYTES: '1048576', AISLE_BODY_MEMORY: String(64 * 1024 * 1024) };
  const small = await aisle.another(limits, 'api');
  t.after(small.stop);
  const readAll = async (path: string, list: string, next: string) => {
    const seen = new Set<string>();
    for (let cursor = ''; seen.size < orders; ) {
      const { status, text, body } = await small.call('GET', `${path}${cursor}`, { token });
      assert.equal(status, 200, text.slice(0, 500));
      for (const one of body[list]) seen.add((one.body ?? one).order_id);
      cursor = `&${next}=${body.next_cursor}`;
    }
  };
  await readAll(`/platform/v1/events?limit=100&chain_id=${chain.chainId}`, 'events', 'after');
  await readAll(`/platform/v1/orders?limit=100&chain_id=${chain.chainId}`, 'orders', 'cursor');
});

test('a reader is told if events that it has not read were deleted, those about products after a week', async () => {
  const { chainId, vendors } = await makeChain(aisle, { vendors: 1 });
  const vendorId = String(vendors[0]);
  const read = async (query: string): Promise<Event> => (await get(`?chain_id=${chainId}&${query}`)).body;
  const start = (await get('?after=latest')).body.next_cursor;
  await aisle.db.transaction((tx) => {
    const about = { vendorId, subject: newId() };
    const status = { chain_id: chainId, vendor_id: vendorId, status: 'OPEN' as const };
    recordPlatformEvent(tx, chainId, { type: 'store.opened', body: status, ...about });
    const body = { chain_id: chainId, vendor_id: vendorId, products: [] };
    recordPlatformEvent(tx, chainId, { type: 'products.changed', body, ...about });
  });
  await waitFor('both events', async () => (await read(`after=${start}`)).events.length === 2);
  const end = (await get('?after=latest')).body.next_cursor;
  const age = async (days: number) => {
    const old = 'update platform_events set created_at = now() - make_interval(days => $2) where chain_id = $1';
    await aisle.db.query(old, [chainId, days]);
    await runChores(aisle, eventChores(readConfig({})));
  };
  const gaps = async () => {
    const queries = [start, end].flatMap((after) => ['store.opened', 'products.changed'].map((type) => [after, type]));
    return Promise.all(queries.map(async ([after, type]) => (await read(`after=${after}&types=${type}`)).has_gap));
  };
  await age(8);
  assert.deepEqual(await gaps(), [undefined, true, undefined, undefined]);
  await age(31);
  assert.deepEqual(await gaps(), [true, true, undefined, undefined]);
});

test('a reader is not told about a gap if only events of partners were deleted', async () => {
  const { chainId, vendors } = await makeChain(aisle, { vendors: 1 });
  const start = (await get('?after=latest')).body.next_cursor;
  const deleteOne = async (type: string, id: 'job_id' | 'order_id') => {
    await aisle.db.query(
      `insert into events (chain_id, event_id, type, vendor_id, ${id}, body, position, created_at)
       values ($1, $2, $3, $4, $5, '{}', nextval('event_positions'), now() - interval '31 days')`,
      [chainId, newId(), type, vendors[0], newId()],
    );
    await runChores(aisle, eventChores(readConfig({})));
  };
  const hasGap = async () => (await get(`?chain_id=${chainId}&after=${start}`)).body.has_gap;
  await deleteOne('catalog.job_finished', 'job_id');
  assert.equal(await hasGap(), undefined);
  await deleteOne('order.received', 'order_id');
  assert.equal(await hasGap(), true);
});

test('the feed is for the platform only', async () => {
  const chain = await makeStore();
  assertProblem(await aisle.call('GET', '/platform/v1/events', { token: chain.token }), 'forbidden');
  assert.ok(platformEventTypes.length > 0);
});

async function followProducts(chain: TestChain) {
  const feed = await followPlatformFeed(aisle, `&types=products.changed&chain_id=${chain.chainId}`);
  await waitFor('the chain to be followed', async () => {
    const rows = await aisle.db.query(
      'select 1 from product_event_cursors where chain_id = $1 and jsonb_array_length(cursor) > 0',
      [chain.chainId],
    );
    return rows.length > 0;
  });
  return feed;
}

async function put(chain: TestChain, orderId: string, body: unknown): Promise<void> {
  const response = await putOrder(aisle, chain, orderId, body);
  assert.equal(response.status, 200, response.text);
}

const get = (query: string): Promise<Response> => aisle.call('GET', `/platform/v1/events${query}`, { token });

async function setStatus(chain: TestChain, body: Record<string, unknown>): Promise<void> {
  const path = `${chain.base}/vendors/${chain.vendors[0]}/status`;
  const response = await aisle.call('PUT', path, { token: chain.token, body });
  assert.equal(response.status, 200, response.text);
}
