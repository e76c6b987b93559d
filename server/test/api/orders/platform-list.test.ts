import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { type Move, moveOrder } from '../../../src/orders/index.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import { type Response, type TestChain, useAisle } from '../../support/aisle.ts';
import { ageOrder, allPicked, fulfil, makeShop, placeOrder, putOrder, report } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { createWalk, holdOpen } from '../../support/walk.ts';

const aisle = await useAisle();
const { links } = readConfig({ AISLE_PUBLIC_URL: 'http://aisle.test' });
const [one, two] = [await makeShop(aisle, { vendors: 2 }), await makeShop(aisle)];
const platform = { ...one, base: '/platform/v1', token: aisle.platformToken };
const walk = createWalk(aisle, platform, 'orders', 'orders');

const place = (of: TestChain, more: Record<string, unknown> = {}) =>
  placeOrder(aisle, of, [{ sku: 'MILK', quantity: 1 }], more);
const cancellation: Move = { action: 'cancel', cancelled_by: 'CUSTOMER', reason: 'LATE' };
const cancel = (orderId: string) => report(aisle, orderId, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'LATE' });
const ids = (orders: Response['body'][]): string[] => orders.map((order) => order.order_id);
/** Within each chain, changes are returned in their order. */
const inChain = (orders: Response['body'][], chain: TestChain) =>
  orders.filter((order) => order.client.chain_id === chain.chainId).map((order) => order.order_id);
const end = async () => (await walk.readAll()).cursor;

describe('listing orders across chains', () => {
  test('the list contains the orders of all chains, in each sorted by last change, with the fields of a single order', async () => {
    const cursor = await end();
    const [first, second, third] = [await place(one), await place(two), await place(one)];
    assert.equal((await fulfil(aisle, one, first, allPicked(first))).status, 200);
    for (const limit of [1, 2, 100]) {
      const { items } = await walk.readAll({ cursor, limit });
      assert.equal(items.length, 3);
      assert.deepEqual([inChain(items, one), inChain(items, two)], [ids([third, first]), ids([second])]);
      for (const order of items) {
        const single = await aisle.call('GET', `/platform/v1/orders/${order.order_id}`, { token: aisle.platformToken });
        assert.deepEqual(order, single.body);
      }
    }
  });

  test('changes by everyone are returned', async () => {
    const [byStore, byCustomer, picked, edited] = [
      await place(one),
      await place(two),
      await place(one),
      await place(two),
    ];
    const cursor = await end();
    assert.deepEqual((await walk.read({ cursor })).items, []);
    await putOrder(aisle, one, byStore.order_id, {
      status: 'CANCELLED',
      items: [],
      cancellation: { reason: 'TOO_BUSY' },
    });
    await cancel(byCustomer.order_id);
    await fulfil(aisle, one, picked, allPicked(picked));
    const path = `/platform/v1/orders/${edited.order_id}`;
    await aisle.call('PATCH', path, { token: aisle.platformToken, body: { comment: 'Ring twice' } });
    const { items } = await walk.readAll({ cursor });
    const found = items.map(({ order_id, status, comment }) => [order_id, [status, comment]]);
    assert.deepEqual(Object.fromEntries(found), {
      [byStore.order_id]: ['CANCELLED', null],
      [byCustomer.order_id]: ['CANCELLED', null],
      [picked.order_id]: ['READY_FOR_PICKUP', null],
      [edited.order_id]: ['RECEIVED', 'Ring twice'],
    });
    assert.equal(items.length, 4);
  });

  test('a change that is committed after later changes were read, in another chain too, is returned', async () => {
    const [slow, fast] = [await place(one), await place(two)];
    const cursor = await end();
    const held = await holdOpen(aisle, (tx) =>
      moveOrder(tx, one.chainId, slow.order_id, cancellation, new Date(), links),
    );
    await cancel(fast.order_id);
    const before = await walk.readAll({ cursor });
    assert.deepEqual(ids(before.items), [fast.order_id]);
    await held.commit();
    assert.deepEqual(ids((await walk.readAll({ cursor: before.cursor })).items), [slow.order_id]);
  });

  test('readers at the same time assign different positions to the changes of different chains', async () => {
    const cursor = await end();
    const placed = await Promise.all(Array.from({ length: 20 }, (_, index) => place(index % 2 === 0 ? one : two)));
    const chains = [one, two].map((chain) => createWalk(aisle, chain, 'orders', 'orders').readAll());
    await Promise.all([...chains, walk.readAll(), walk.readAll()]);
    assert.deepEqual(ids((await walk.readAll({ cursor, limit: 3 })).items).toSorted(), ids(placed).toSorted());
    const positions = await aisle.db.query<{ position: string }>('select position from order_changes');
    assert.equal(new Set(positions.map(({ position }) => position)).size, positions.length);
  });

  test('changes that got the same position in an earlier version are all returned', async () => {
    const cursor = await end();
    const placed = [await place(one), await place(two), await place(two)];
    await walk.readAll();
    await aisle.db.query(
      `update order_changes set position = (select max(position) from order_changes)
       where order_id = any ($1) and (chain_id = $2 or order_id = $3)`,
      [ids(placed), one.chainId, placed[2].order_id],
    );
    for (const limit of [1, 2, 3]) {
      const { items } = await walk.readAll({ cursor, limit });
      assert.deepEqual(ids(items).toSorted(), ids(placed).toSorted());
    }
  });

  test('an order of any age is returned', async () => {
    const old = await place(one);
    const cursor = await end();
    await ageOrder(aisle, old.order_id, new Date(Date.now() - 300 * 86_400_000));
    await cancel(old.order_id);
    assert.deepEqual(ids((await walk.readAll({ cursor })).items), [old.order_id]);
  });

  test('a walk with updated_since returns the orders of all chains that were changed since then', async () => {
    const [old, changed] = [await place(one), await place(two)];
    await end();
    const since = new Date(Date.parse(changed.sys.updated_at) + 1);
    while (Date.now() <= since.getTime()) await new Promise((resolve) => setTimeout(resolve, 1));
    await cancel(changed.order_id);
    const young = await place(one);
    for (const limit of [1, 100]) {
      const { items } = await walk.readAll({ updated_since: since.toISOString(), limit });
      assert.deepEqual(ids(items).toSorted(), ids([changed, young]).toSorted());
    }
    assert.ok(ids((await walk.readAll({ updated_since: '2020-01-01' })).items).includes(old.order_id));
  });
});

describe('filtering orders across chains', () => {
  test('orders can be filtered by chain, store, status, time and external id', async () => {
    const shop = await makeShop(aisle, { vendors: 2 });
    const cursor = await end();
    const first = await place(shop, { external_order_id: 'same' });
    const second = await place(shop, { vendor_id: shop.vendors[1] });
    const foreign = await place(two, { external_order_id: 'same' });
    await cancel(second.order_id);
    const found = async (query: Record<string, unknown>) => ids((await walk.readAll({ cursor, ...query })).items);
    const chain_id = shop.chainId;
    assert.deepEqual(await found({ chain_id }), ids([first, second]));
    assert.deepEqual(await found({ chain_id, vendor_id: shop.vendors[1], limit: 1 }), ids([second]));
    assert.deepEqual(await found({ chain_id, vendor_id: 'ext-1' }), ids([first]));
    assert.deepEqual(await found({ status: 'CANCELLED' }), ids([second]));
    assert.deepEqual(await found({ chain_id, status: 'RECEIVED', limit: 1 }), ids([first]));
    assert.deepEqual((await found({ external_order_id: 'same' })).toSorted(), ids([first, foreign]).toSorted());
    assert.deepEqual(await found({ external_order_id: 'same', chain_id }), ids([first]));
    assert.deepEqual(await found({ external_order_id: 'other' }), []);
    const times = { start_time: second.sys.created_at, end_time: foreign.sys.created_at, chain_id };
    assert.deepEqual(await found(times), ids([second]));
    assert.deepEqual(ids((await walk.readAll({ external_order_id: 'same', chain_id })).items), ids([first]));
  });

  test('invalid filters and cursors are rejected', async () => {
    assertProblem(await walk.get({ chain_id: newId() }), 'chain_not_found');
    assertProblem(await walk.get({ chain_id: one.chainId, vendor_id: two.vendors[0] }), 'vendor_not_found');
    assertInvalid(await walk.get({ vendor_id: one.vendors[0] }), 'chain_id');
    assertInvalid(await walk.get({ chain_id: 'x' }), 'chain_id');
    assertInvalid(await walk.get({ status: 'LOST' }), 'status');
    assertInvalid(await walk.get({ start_time: 'soon' }), 'start_time');
    assertInvalid(await walk.get({ updated_since: '2999-01-01' }), 'updated_since');
    const own = (await createWalk(aisle, one, 'orders', 'orders').read()).cursor;
    assertInvalid(await walk.get({ cursor: own }), 'cursor');
    const encode = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
    for (const content of [
      [],
      ['x', newId()],
      [1],
      [1, 'x'],
      [-1, newId()],
      [1, newId(), 'x', 1],
      [1, newId(), 1, 1, 1],
    ]) {
      assertInvalid(await walk.get({ cursor: encode(['platform orders', ...content]) }), 'cursor');
    }
    assertProblem(await walk.get({}, one.token), 'forbidden');
  });
});
