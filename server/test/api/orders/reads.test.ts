import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Response, makeChain, makeToken, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { ageOrder, allPicked, fulfilled, makeShop, sentItem, placeOrder, putOrder } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

let aisle: TestAisle;
let chain: TestChain;
let tolerant: TestChain;
/** The ages of the first store's orders in hours, newest first. */
const hours = [1, 2, 24, 48, 24 * 30, 24 * 59, 24 * 61, 24 * 90];
const listed: Response['body'][] = [];

before(async () => {
  aisle = await useAisle();
  chain = await makeShop(aisle, { vendors: 2 });
  tolerant = await makeShop(aisle, { profile: 'tolerant' });
  for (const age of hours) {
    listed.push(await aged(chain, age));
    await aged(tolerant, age);
  }
  await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }], { vendor_id: chain.vendors[1] });
});

const ago = (age: number) => new Date(Date.now() - age * 3_600_000);
async function aged(shop: TestChain, age: number): Promise<Response['body']> {
  const order = await placeOrder(aisle, shop, [{ sku: 'MILK', quantity: 1 }]);
  await ageOrder(aisle, order.order_id, ago(age));
  return order;
}
const get = (path: string, token = chain.token, base = chain.base) => aisle.call('GET', base + path, { token });
const read = (orderId: string, token = chain.token) => get(`/orders/${orderId}`, token);
const query = (parameters: Record<string, unknown>) =>
  `?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')}`;
const list = (parameters: Record<string, unknown> = {}, shop = chain) =>
  get(`/vendors/${shop.vendors[0]}/orders${query(parameters)}`, shop.token, shop.base);
const bare = (parameters: Record<string, unknown> = {}, shop = chain) =>
  get(`/vendors/${shop.vendors[0]}${query(parameters)}`, shop.token, shop.base);
const ids = (orders: Response['body'][]) => orders.map((order) => order.order_id);
const idsOf = (...ages: number[]) => ages.map((age) => listed[hours.indexOf(age)]?.order_id);
const readable = [1, 2, 24, 48, 24 * 30, 24 * 59];

test('an order of a process whose clock is ahead is in the lists at once', async () => {
  const shop = await makeShop(aisle);
  const order = await placeOrder(aisle, shop, [{ sku: 'MILK', quantity: 1 }]);
  await ageOrder(aisle, order.order_id, ago(-1));
  assert.deepEqual(ids((await list({}, shop)).body.orders), [order.order_id]);
  assert.deepEqual(ids((await list({ query_term: order.order_code }, shop)).body.orders), [order.order_id]);
  assert.deepEqual((await list({ end_time: new Date().toISOString() }, shop)).body.orders, []);
});

describe('reading one order', () => {
  test('an order is returned with all of its fields, and with its revision as the ETag', async () => {
    const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
    const { status, body, headers } = await read(order.order_id);
    assert.equal(status, 200);
    assert.deepEqual(body, order);
    assert.equal(headers['etag'], '"1"');
    assert.deepEqual((await read(order.order_id.toUpperCase())).body, order);
    await aisle.db.query('delete from orders where order_id = $1', [order.order_id]);
  });

  test('an unknown order returns 404, and an id that is not a UUID returns 400', async () => {
    assertProblem(await read('0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4'), 'order_not_found');
    for (const id of ['7', 'x'.repeat(36), '0191f3a46c1e7b7e9a3d52f0c1b6a7d'])
      assertInvalid(await read(id), 'order_id');
  });

  test("an order returns 404 for another chain's token, with either chain's id in the path", async () => {
    const stranger = await makeChain(aisle, { vendors: 1 });
    const [order] = listed;
    assertProblem(await get(`/orders/${order.order_id}`, stranger.token, stranger.base), 'order_not_found');
    assertProblem(await read(order.order_id, stranger.token), 'chain_not_found');
  });

  test('only the platform can read an order older than 60 days; other requests for the order return 404', async () => {
    const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
    await ageOrder(aisle, order.order_id, ago(24 * 60 - 0.1));
    assert.equal((await read(order.order_id)).status, 200);
    await ageOrder(aisle, order.order_id, ago(24 * 60 + 0.1));
    assertProblem(await read(order.order_id), 'order_not_found');
    assertProblem(await get(`/orders/${order.order_id}/history`), 'order_not_found');
    for (const status of ['READY_FOR_PICKUP', 'UPDATE_CART']) {
      const body = { status, items: allPicked(order) };
      assertProblem(await putOrder(aisle, chain, order.order_id, body), 'order_not_found');
    }
    const path = `/platform/v1/orders/${order.order_id}`;
    const seen = await aisle.call('GET', path, { token: aisle.platformToken });
    assert.deepEqual([seen.status, seen.body.status], [200, 'RECEIVED']);
  });

  test('a token restricted to another store gets a 404 for an order, its history and a PUT', async () => {
    const [store, other] = chain.vendors as [string, string];
    const [order] = listed;
    const scopes = ['orders:read', 'orders:write', 'manage'];
    const limited = await makeToken(aisle, chain.chainId, { scopes, vendor_ids: [other] });
    const own = await makeToken(aisle, chain.chainId, { scopes, vendor_ids: [store] });
    const body = { status: 'CANCELLED', items: [], cancellation: { reason: 'CLOSED' } };
    const path = `${chain.base}/orders/${order.order_id}`;
    assertProblem(await read(order.order_id, limited), 'order_not_found');
    assertProblem(await get(`/orders/${order.order_id}/history`, limited), 'order_not_found');
    assertProblem(await aisle.call('PUT', path, { token: limited, body }), 'order_not_found');
    assertProblem(await get(`/vendors/${store}/orders`, limited), 'forbidden');
    assertProblem(await get(`/vendors/${store}`, limited), 'forbidden');
    assert.equal((await read(order.order_id, own)).status, 200);
    assert.equal((await get(`/vendors/${store}/orders`, own)).status, 200);
  });

  test('reading an order requires orders:read', async () => {
    const writer = await makeToken(aisle, chain.chainId, { scopes: ['orders:write'] });
    assertProblem(await read(listed[0].order_id, writer), 'forbidden');
    assertProblem(await get(`/vendors/${chain.vendors[0]}/orders`, writer), 'forbidden');
  });
});

describe("listing a store's orders", () => {
  test("the list has the store's orders of the last 60 days, newest first, as an object or bare array", async () => {
    const page = await list();
    assert.equal(page.status, 200);
    assert.deepEqual(ids(page.body.orders), idsOf(...readable));
    const { orders, ...rest } = page.body;
    assert.deepEqual(rest, { page_number: 1, page_size: 20, total_pages: 1, total_items: 6 });
    const array = await bare();
    assert.deepEqual(array.body, orders);
    assert.equal(array.headers['x-total-count'], '6');
    assert.equal(array.headers['link'], undefined);
    assert.deepEqual((await read(orders[0].order_id)).body, orders[0]);
  });

  test("a store's orders can be listed with its external id", async () => {
    const { status, body } = await get('/vendors/ext-1/orders');
    assert.equal(status, 200);
    assert.equal(body.total_items, 6);
    assertProblem(await get('/vendors/unknown/orders'), 'vendor_not_found');
    assertProblem(await get('/vendors/unknown'), 'vendor_not_found');
  });

  test("a store's orders can be filtered by status", async () => {
    const order = listed[1];
    await fulfilled(aisle, chain, order, [sentItem(order, 'MILK')]);
    assert.deepEqual(ids((await list({ status: 'READY_FOR_PICKUP' })).body.orders), idsOf(2));
    assert.deepEqual(ids((await bare({ status: 'READY_FOR_PICKUP' })).body), idsOf(2));
    assert.equal((await bare({ status: 'RECEIVED' })).headers['x-total-count'], '5');
    assert.equal((await list({ status: 'DELIVERED' })).body.total_items, 0);
    assertInvalid(await list({ status: 'UPDATE_CART' }), 'status');
  });

  test("a store's orders are returned in pages, and a page past the end is empty", async () => {
    const second = await list({ page: 2, page_size: 4 });
    assert.deepEqual(ids(second.body.orders), idsOf(24 * 30, 24 * 59));
    const { orders: _, ...rest } = second.body;
    assert.deepEqual(rest, { page_number: 2, page_size: 4, total_pages: 2, total_items: 6 });
    const past = await list({ page: 9, page_size: 4 });
    assert.deepEqual([past.status, past.body.orders, past.body.total_items], [200, [], 6]);
    const array = await bare({ page: 9, page_size: 4 });
    assert.deepEqual([array.status, array.body, array.headers['x-total-count']], [200, [], '6']);
  });

  test('an empty query parameter is treated as absent, and an unknown one is ignored', async () => {
    const { status, body } = await list({ page: '', page_size: '', start_time: '', status: '', color: 'red' });
    assert.deepEqual([status, body.total_items, body.page_size], [200, 6, 20]);
  });

  for (const parameters of [{ page: 0 }, { page: 1.5 }, { page: 'x' }, { page_size: 0 }, { page_size: 501 }]) {
    test(`listing orders with ${JSON.stringify(parameters)} returns 400`, async () => {
      const [name] = Object.keys(parameters) as [string];
      assertInvalid(await list(parameters), name);
      assertInvalid(await bare(parameters), name);
    });
  }

  test('the Link header of a bare array leads to all other pages, with the same query', async () => {
    const start_time = ago(24 * 58).toISOString();
    const end_time = ago(1.5).toISOString();
    const seen: string[] = [];
    let next: string | undefined = `${chain.base}/vendors/ext-1${query({ start_time, end_time, page_size: 2 })}`;
    for (let pages = 0; next !== undefined && pages < 5; pages++) {
      const { body, headers }: Response = await aisle.call('GET', next, { token: chain.token });
      assert.equal(headers['x-total-count'], '4');
      seen.push(...ids(body));
      next = linked(headers, 'next');
    }
    assert.deepEqual(seen, idsOf(2, 24, 48, 24 * 30));
    const last = await bare({ start_time, end_time, page: 2, page_size: 2 });
    assert.equal(linked(last.headers, 'next'), undefined);
    const back = await aisle.call('GET', linked(last.headers, 'prev') ?? '', { token: chain.token });
    assert.deepEqual(ids(back.body), idsOf(2, 24));
  });
});

/** Returns a URL from the Link header, without the host. */
function linked(headers: Response['headers'], rel: string): string | undefined {
  const match = new RegExp(`<http://aisle.test([^>]*)>; rel="${rel}"`).exec(String(headers['link'] ?? ''));
  return match?.[1];
}

describe('listing orders by time', () => {
  const createdAt = async (index: number) => new Date((await read(listed[index].order_id)).body.sys.created_at);

  test('a time range includes its start and excludes its end', async () => {
    const start = await createdAt(3);
    const end = await createdAt(1);
    const range = { start_time: start.toISOString(), end_time: end.toISOString() };
    assert.deepEqual(ids((await list(range)).body.orders), idsOf(24, 48));
    assert.deepEqual(ids((await bare(range)).body), idsOf(24, 48));
    const later = { ...range, start_time: new Date(start.getTime() + 1).toISOString() };
    assert.deepEqual(ids((await list(later)).body.orders), idsOf(24));
  });

  test('a time range without an end ends now, and one without a start begins 60 days before its end', async () => {
    const since = { start_time: ago(30).toISOString() };
    assert.deepEqual(ids((await list(since)).body.orders), idsOf(1, 2, 24));
    const until = { end_time: ago(30).toISOString() };
    assert.deepEqual(ids((await list(until)).body.orders), idsOf(48, 24 * 30, 24 * 59));
  });

  test('the times in a range can have Z, an offset or neither, with or without fractional seconds', async () => {
    const time = ago(30).toISOString().slice(0, 19);
    const plusFour = new Date(Date.parse(`${time}Z`) + 4 * 3_600_000).toISOString().slice(0, 19);
    for (const start_time of [time, `${time}Z`, `${time}.000`, `${time}.123456Z`, `${plusFour}+04:00`]) {
      const { status, body } = await list({ start_time });
      assert.equal(status, 200);
      assert.deepEqual(ids(body.orders), idsOf(1, 2, 24), start_time);
    }
  });

  test('a time range can end in the future', async () => {
    const ahead = { start_time: ago(30).toISOString(), end_time: ago(-48).toISOString() };
    assert.deepEqual(ids((await list(ahead)).body.orders), idsOf(1, 2, 24));
    const far = { end_time: ago(-24 * 50).toISOString() };
    assert.deepEqual(ids((await list(far)).body.orders), idsOf(1, 2, 24, 48));
  });

  test('a time range that ends before it starts returns 400', async () => {
    const range = { start_time: ago(10).toISOString(), end_time: ago(20).toISOString() };
    for (const response of [await list(range), await bare(range), await list(range, tolerant)]) {
      assertInvalid(response, 'end_time');
    }
    assertInvalid(await list({ start_time: ago(-10).toISOString() }), 'end_time');
  });

  test('a time range with an invalid time returns 400', async () => {
    for (const time of ['yesterday', '2026-02-30T00:00:00', '2026-13-01', '25:00']) {
      assertInvalid(await list({ start_time: time }), 'start_time');
      assertInvalid(await bare({ end_time: time }), 'end_time');
    }
  });

  test('a time range over 60 days returns 400 in the strict profile and is shortened to its last 60 days in the tolerant one', async () => {
    const end = Date.now();
    const wide = {
      start_time: new Date(end - 60 * 86_400_000 - 1).toISOString(),
      end_time: new Date(end).toISOString(),
    };
    assertInvalid(await list(wide), 'start_time');
    assertInvalid(await bare(wide), 'start_time');
    const exact = { ...wide, start_time: new Date(end - 60 * 86_400_000).toISOString() };
    assert.equal((await list(exact)).status, 200);
    const { status, body } = await list(wide, tolerant);
    assert.deepEqual([status, body.total_items], [200, 6]);
    const early = { start_time: ago(24 * 200).toISOString(), end_time: ago(30).toISOString() };
    assert.equal((await bare(early, tolerant)).body.length, 3);
  });

  test('a time range never returns orders older than 60 days', async () => {
    const old = { start_time: ago(24 * 95).toISOString(), end_time: ago(24 * 58).toISOString() };
    assert.deepEqual(ids((await list(old)).body.orders), idsOf(24 * 59));
    const older = { start_time: ago(24 * 95).toISOString(), end_time: ago(24 * 80).toISOString() };
    assert.deepEqual((await bare(older)).body, []);
    assert.deepEqual((await bare(older, tolerant)).body, []);
  });
});
