import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { getVendor } from '../../../src/identity/index.ts';
import { lockPositions } from '../../../src/kernel/database/positions.ts';
import { type Move, moveOrder, type Placement, placeOrder as placeNow } from '../../../src/orders/index.ts';
import { type Response, makeToken, type TestChain, useAisle } from '../../support/aisle.ts';
import { ageOrder, allPicked, fulfil, makeShop, placeOrder, readOrder, report } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';
import { createWalk, holdOpen } from '../../support/walk.ts';

const aisle = await useAisle();
const { links } = readConfig({ AISLE_PUBLIC_URL: 'http://aisle.test' });
let chain: TestChain;
let walk: ReturnType<typeof createWalk>;

before(async () => {
  chain = await makeShop(aisle, { vendors: 3 });
  walk = createWalk(aisle, chain, 'orders', 'orders');
});

const place = (store = 0, of = chain) =>
  placeOrder(aisle, of, [{ sku: 'MILK', quantity: 1 }], { vendor_id: of.vendors[store] });
const cancel = (orderId: string) => report(aisle, orderId, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'LATE' });
const cancellation: Move = { action: 'cancel', cancelled_by: 'CUSTOMER', reason: 'LATE' };
const ids = (orders: Response['body'][]): string[] => orders.map((order) => order.order_id);
/** Makes copies of an order and its first change. */
const copyOrder = (orderId: string, copies: number) =>
  aisle.db.query(
    `with copied as (
       insert into orders (chain_id, order_id, vendor_id, order_code, status, order_type, transport_type, is_test, client,
         currency, payment_type, delivery_fee, service_fee, items, created_at, created_by, updated_at, updated_by)
       select chain_id, gen_random_uuid(), vendor_id, order_code, status, order_type, transport_type, is_test, client,
         currency, payment_type, delivery_fee, service_fee, items, now(), created_by, now(), updated_by
       from orders, generate_series(1, $2) where order_id = $1
       returning *
     )
     insert into order_changes (chain_id, order_id, revision, at, actor, action, to_status, items)
     select chain_id, order_id, revision, updated_at, 'platform', 'placed', status, '[]' from copied`,
    [orderId, copies],
  );

describe("listing a chain's orders", () => {
  test("the list contains all stores' orders, sorted by last change, with the same fields as a single order", async () => {
    const shop = await makeShop(aisle, { vendors: 3 });
    const [first, second, third] = [await place(0, shop), await place(1, shop), await place(2, shop)];
    const fulfilled = await fulfil(aisle, shop, first, allPicked(first));
    assert.equal(fulfilled.status, 200);
    const { items, cursor, hasMore } = await createWalk(aisle, shop, 'orders', 'orders').read();
    assert.deepEqual(ids(items), ids([second, third, first]));
    for (const order of items) assert.deepEqual(order, await readOrder(aisle, shop, order.order_id));
    assert.equal(hasMore, false);
    assert.match(cursor, /^[\w-]+$/);
  });

  test('pages of any size return each order once', async () => {
    const shop = await makeShop(aisle, { vendors: 2 });
    const placed: Response['body'][] = [];
    for (let index = 0; index < 7; index++) placed.push(await place(index % 2, shop));
    for (const limit of [1, 2, 7, 500]) {
      const { items, pages } = await createWalk(aisle, shop, 'orders', 'orders').readAll({ limit });
      assert.deepEqual(ids(items), ids(placed));
      assert.equal(pages, Math.ceil(7 / limit));
    }
  });

  test('the last cursor can be used later to get the orders placed or changed since', async () => {
    const [old, other] = [await place(0), await place(1)];
    const { cursor } = await walk.readAll();
    const idle = await walk.read({ cursor });
    assert.deepEqual([idle.items, idle.hasMore], [[], false]);
    assert.equal((await cancel(old.order_id)).status, 200);
    const young = await place(2);
    const { items, cursor: later } = await walk.readAll({ cursor: idle.cursor });
    assert.deepEqual(ids(items), [old.order_id, young.order_id]);
    assert.equal(items[0].status, 'CANCELLED');
    assert.deepEqual((await walk.read({ cursor: later })).items, []);
    assert.ok(!ids(items).includes(other.order_id));
  });

  test('an order older than 60 days is not returned, even if it changes', async () => {
    const old = await place();
    const { cursor } = await walk.readAll();
    await ageOrder(aisle, old.order_id, new Date(Date.now() - 61 * 86_400_000));
    assert.equal((await cancel(old.order_id)).status, 200);
    assert.deepEqual((await walk.readAll({ cursor })).items, []);
    assert.ok(!ids((await walk.readAll()).items).includes(old.order_id));
  });

  test('a walk with updated_since returns the orders that were changed since then', async () => {
    const shop = await makeShop(aisle);
    const own = createWalk(aisle, shop, 'orders', 'orders');
    const [old, changed] = [await place(0, shop), await place(0, shop)];
    assert.equal((await own.readAll()).items.length, 2);
    const since = new Date(Date.parse(changed.sys.updated_at) + 1);
    while (Date.now() <= since.getTime()) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.equal((await cancel(changed.order_id)).status, 200);
    const young = await place(0, shop);
    const expected = [changed.order_id, young.order_id];
    for (const limit of [1, 100]) {
      assert.deepEqual(ids((await own.readAll({ updated_since: since.toISOString(), limit })).items), expected);
    }
    const early = { updated_since: '2020-01-01' };
    assert.deepEqual(ids((await own.readAll(early)).items), [old.order_id, ...expected]);
  });
});

describe("filtering a chain's orders", () => {
  test('orders can be filtered by store and by status', async () => {
    const shop = await makeShop(aisle, { vendors: 2 });
    const own = createWalk(aisle, shop, 'orders', 'orders');
    const [first, second, third] = [await place(0, shop), await place(1, shop), await place(1, shop)];
    assert.equal((await cancel(third.order_id)).status, 200);
    assert.deepEqual(ids((await own.readAll({ vendor_id: shop.vendors[1] })).items), ids([second, third]));
    assert.deepEqual(ids((await own.readAll({ vendor_id: 'ext-1', limit: 1 })).items), ids([first]));
    assert.deepEqual(ids((await own.readAll({ status: 'RECEIVED', limit: 1 })).items), ids([first, second]));
    const both = { status: 'CANCELLED', vendor_id: shop.vendors[1] };
    assert.deepEqual(ids((await own.readAll(both)).items), ids([third]));
    assertProblem(await own.get({ vendor_id: 'nowhere' }), 'vendor_not_found');
    assertInvalid(await own.get({ status: 'LOST' }), 'status');
  });

  test('a filtered walk moves past changes that do not match', async () => {
    const shop = await makeShop(aisle, { vendors: 2 });
    const own = createWalk(aisle, shop, 'orders', 'orders');
    await copyOrder((await place(0, shop)).order_id, 2500);
    const match = await place(1, shop);
    const filter = { vendor_id: shop.vendors[1], limit: 10 };
    const first = await own.read(filter);
    assert.deepEqual([first.items, first.hasMore], [[], true]);
    assert.deepEqual(ids((await own.readAll({ ...filter, cursor: first.cursor })).items), [match.order_id]);
    const { items } = await own.readAll({ limit: 500 });
    assert.equal(new Set(ids(items)).size, 2502);
    assert.equal(items.length, 2502);
  });
});

describe("access to a chain's orders", () => {
  test("a token restricted to certain stores receives only those stores' orders", async () => {
    const token = await makeToken(aisle, chain.chainId, { vendor_ids: [String(chain.vendors[1])] });
    await place(0);
    const own = await place(1);
    const { items } = await walk.readAll({}, token);
    assert.ok(ids(items).includes(own.order_id));
    for (const order of items) assert.equal(order.client.id, chain.vendors[1]);
    assertProblem(await walk.get({ vendor_id: chain.vendors[0] }, token), 'forbidden');
    const all = await walk.readAll();
    assert.deepEqual((await walk.readAll({ cursor: all.cursor }, token)).items, []);
  });

  test("another chain's orders are never returned, and its cursors are rejected", async () => {
    const stranger = await makeShop(aisle);
    const theirs = createWalk(aisle, stranger, 'orders', 'orders');
    const { cursor: start } = await theirs.readAll();
    await place();
    assert.deepEqual((await theirs.readAll({ cursor: start })).items, []);
    const { cursor } = await walk.read({ limit: 1 });
    assertInvalid(await theirs.get({ cursor }), 'cursor');
    assertProblem(await walk.get({}, stranger.token), 'chain_not_found');
  });

  test("listing a chain's orders requires orders:read", async () => {
    const token = await makeToken(aisle, chain.chainId, { scopes: ['catalog:read'] });
    assertProblem(await walk.get({}, token), 'forbidden');
  });
});

describe("invalid requests for a chain's orders", () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('a cursor that did not come from this list is rejected with 400', async () => {
    const catalog = await createWalk(aisle, chain, 'catalog', 'products').read();
    const list = `orders ${chain.chainId}`;
    const forged = [
      [],
      [list],
      [list, -1],
      [list, 1.5],
      [list, 1, null],
      [list, 1, 'x', 2],
      [list, 1, 9e15, 2],
      [list, 1, 2, -1],
    ];
    for (const cursor of ['?', 'abc', '0', catalog.cursor, encode(null), ...forged.map(encode)]) {
      assertInvalid(await walk.get({ cursor }), 'cursor');
    }
  });

  test('updated_since is rejected with 400 if it is malformed, in the future or sent with a cursor', async () => {
    const { cursor } = await walk.read();
    assertInvalid(await walk.get({ cursor, updated_since: '2026-01-01' }), 'updated_since');
    assertInvalid(await walk.get({ updated_since: new Date(Date.now() + 3_600_000).toISOString() }), 'updated_since');
    assertInvalid(await walk.get({ updated_since: 'yesterday' }), 'updated_since');
  });

  test('a limit out of range is rejected with 400', async () => {
    for (const limit of [0, 501, 'many']) assertInvalid(await walk.get({ limit }), 'limit');
  });
});

describe('changes made during a walk through orders', () => {
  test('changes that are uncommitted when the reader passes their position are returned once their transaction commits', async () => {
    const [waiting, passing] = [await place(0), await place(1)];
    const { cursor: start } = await walk.readAll();
    const now = new Date();
    let placed = '';
    const open = await holdOpen(aisle, async (tx) => {
      await moveOrder(tx, chain.chainId, waiting.order_id, cancellation, now, links);
      const vendor = await getVendor(tx, chain.chainId, { vendorIds: null }, String(chain.vendors[0]));
      const order: Placement['order'] = {
        customer: { first_name: 'Sam', phone_number: '+971500000000' },
        items: [{ sku: 'MILK', quantity: 1 }],
        payment: { type: 'PAID' },
      };
      const by = { name: 'platform', actor: 'platform' };
      placed = (await placeNow(tx, chain.chainId, vendor, { order, isTest: false, by, now }, links)).order_id;
    });
    assert.equal((await cancel(passing.order_id)).status, 200);
    const passed = await walk.readAll({ cursor: start });
    assert.deepEqual(ids(passed.items), [passing.order_id]);
    await open.commit();
    const late = await walk.readAll({ cursor: passed.cursor });
    assert.deepEqual(ids(late.items).toSorted(), [String(waiting.order_id), placed].toSorted());
    for (const order of late.items) assert.deepEqual(order, await readOrder(aisle, chain, order.order_id));
  });

  test('a change made before updated_since and committed after the walk began is returned', async () => {
    const shop = await makeShop(aisle);
    const own = createWalk(aisle, shop, 'orders', 'orders');
    const order = await place(0, shop);
    const before = new Date();
    const open = await holdOpen(aisle, (tx) =>
      moveOrder(tx, shop.chainId, order.order_id, cancellation, before, links),
    );
    while (Date.now() <= before.getTime() + 2) await new Promise((resolve) => setTimeout(resolve, 1));
    const { cursor } = await own.readAll({ updated_since: new Date().toISOString() });
    await open.commit();
    const { items } = await own.readAll({ cursor });
    assert.deepEqual(ids(items), [order.order_id]);
    assert.equal(items[0].status, 'CANCELLED');
  });

  test('every reader sees the final state of all orders changed concurrently by several servers', async () => {
    const shop = await makeShop(aisle, { vendors: 3 });
    const others = [await aisle.another(), await aisle.another()];
    const servers = [aisle, ...others];
    const server = (index: number) => servers[index % servers.length] as typeof aisle;
    const orders: Response['body'][] = [];
    for (let index = 0; index < 60; index++) orders.push(await place(index % 3, shop));
    let isWriting = true;
    const write = async (worker: number) => {
      for (let index = worker; index < orders.length; index += 4) {
        const order = orders[index];
        if (index % 5 === 0) orders.push(await place(index % 3, shop));
        const done = await fulfil(server(index), shop, order, allPicked(order));
        assert.equal(done.status, 200, done.text);
        if (index % 2 === 0) assert.equal((await report(server(index), order.order_id, 'pickup')).status, 200);
      }
    };
    const follow = async (reader: number) => {
      const own = createWalk(server(reader), shop, 'orders', 'orders');
      const seen = new Map<string, Response['body']>();
      let page = await own.read({ limit: 7 });
      for (let rounds = 0; ; rounds++) {
        assert.ok(rounds < 10_000, 'the walk does not end');
        for (const order of page.items) seen.set(order.order_id, order);
        const isLast = !isWriting && !page.hasMore;
        page = await own.read({ limit: 7, cursor: page.cursor });
        if (isLast && page.items.length === 0 && !page.hasMore) return seen;
      }
    };
    const readers = [0, 1, 2].map(follow);
    await Promise.all([0, 1, 2, 3].map(write));
    isWriting = false;
    for (const seen of await Promise.all(readers)) {
      assert.equal(seen.size, orders.length);
      for (const { order_id } of orders) assert.deepEqual(seen.get(order_id), await readOrder(aisle, shop, order_id));
    }
    await Promise.all(others.map((one) => one.stop()));
  });

  test('no positions are assigned in a chain while a process of an older version assigns them', async () => {
    const shop = await makeShop(aisle, { vendors: 1 });
    await place(0, shop);
    // Versions before the migration 0040 take only this lock.
    const older = await holdOpen(aisle, (tx) => lockPositions(tx, `order changes ${shop.chainId}`));
    let isListed = false;
    const listing = createWalk(aisle, shop, 'orders', 'orders')
      .read()
      .finally(() => (isListed = true));
    await waitFor('the request to wait for the lock', async () => {
      const waiting = await aisle.db.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
      );
      return waiting.length > 0 || isListed;
    });
    assert.equal(isListed, false);
    await older.commit();
    assert.equal((await listing).items.length, 1);
  });
});
