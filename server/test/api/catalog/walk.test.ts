import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Tx } from '../../../src/kernel/database/db.ts';
import { deleteOldChanges } from '../../../src/catalog/change-queries.ts';
import { updateOffers } from '../../../src/catalog/single-queries.ts';
import { type Response, makeChain, makeToken, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, putProducts, readProduct, runUpdate } from '../../support/catalog.ts';
import { placeOrder } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { createWalk, holdOpen } from '../../support/walk.ts';

const aisle = await useAisle();
let chain: TestChain;
let walk: ReturnType<typeof createWalk>;

/** Creates a chain with this many products at each store. */
async function makeStocked(products: number, vendors = 2): Promise<TestChain> {
  const made = await makeChain(aisle, { vendors });
  await addProducts(aisle, made, plainProducts(products));
  return made;
}

before(async () => {
  chain = await makeStocked(6, 3);
  walk = walkOf(chain);
});

const walkOf = (of: TestChain, on = aisle) => createWalk(on, of, 'catalog', 'products');
const keyOf = ({ vendor_id, sku }: Response['body']) => `${vendor_id} ${sku}`;
const keys = (products: Response['body'][]) => products.map(keyOf);
const allKeys = (of: TestChain, products: number) =>
  of.vendors.flatMap((vendor_id) => plainProducts(products).map(({ sku }) => keyOf({ vendor_id, sku }))).toSorted();
const change = async (of: TestChain, store: number, product: Record<string, unknown>) => {
  const { status, text } = await putProducts(aisle, of, [product], { vendor: of.vendors[store] });
  assert.equal(status, 200, text);
};

describe("listing a chain's products", () => {
  test("the list contains all stores' products, with the same fields as in each store's own list", async () => {
    for (const limit of [1, 4, 6, 500]) {
      const { items } = await walk.readAll({ limit });
      assert.deepEqual(keys(items), allKeys(chain, 6));
      for (const { vendor_id, ...product } of items) {
        assert.deepEqual(product, await readProduct(aisle, chain, product.sku, vendor_id));
      }
    }
    const { hasMore } = await walk.read({ limit: 500 });
    assert.equal(hasMore, false);
  });

  test('the last cursor can be used later to get the products created or changed since', async () => {
    const { cursor } = await walk.readAll();
    const idle = await walk.read({ cursor });
    assert.deepEqual([idle.items, idle.hasMore], [[], false]);
    await change(chain, 1, { sku: 'SKU-00002', price: 7 });
    await change(chain, 0, { sku: 'SKU-00003', quantity: 1 });
    await change(chain, 0, { sku: 'SKU-00003', quantity: 2 });
    await addProducts(aisle, chain, [{ sku: 'NEW', title: 'New', price: 3 }], [String(chain.vendors[2])]);
    const { items, cursor: later } = await walk.readAll({ cursor: idle.cursor });
    const expected = [
      `${chain.vendors[1]} SKU-00002`,
      `${chain.vendors[0]} SKU-00003`,
      `${chain.vendors[2]} NEW`,
    ].toSorted();
    assert.deepEqual(keys(items).toSorted(), expected);
    assert.equal(items.find(({ sku }) => sku === 'SKU-00003').quantity, 2);
    assert.deepEqual((await walk.read({ cursor: later })).items, []);
  });

  test('a product whose barcode changed is returned for every store that offers it', async () => {
    const shop = await makeStocked(3);
    const own = walkOf(shop);
    for (const limit of [1, 100]) {
      const { cursor } = await own.readAll();
      await change(shop, 0, { sku: 'SKU-00001', barcode: String(limit) });
      const { items } = await own.readAll({ cursor, limit });
      assert.deepEqual(
        new Set(keys(items)),
        new Set(shop.vendors.map((vendor_id) => keyOf({ vendor_id, sku: 'SKU-00001' }))),
      );
      for (const { barcodes } of items) assert.deepEqual(barcodes, [String(limit)]);
    }
  });

  test('a product whose stock was changed by an order is returned again', async () => {
    const { cursor } = await walk.readAll();
    await placeOrder(aisle, chain, [{ sku: 'SKU-00005', quantity: 2 }]);
    const { items } = await walk.readAll({ cursor });
    assert.deepEqual(keys(items), [`${chain.vendors[0]} SKU-00005`]);
    assert.equal(items[0].quantity, 3);
  });

  test('products changed by a bulk update are returned once, for any number of changes and any page size', async () => {
    const shop = await makeStocked(1200);
    const own = walkOf(shop);
    for (const [round, limit] of [7, 500].entries()) {
      let { cursor } = await own.readAll({ limit: 500 });
      const update = async (count: number) =>
        runUpdate(
          aisle,
          shop,
          plainProducts(1200).map(({ sku }, index) => ({ sku, price: index < count ? 10 + round + count : 10 })),
        );
      await update(0);
      cursor = (await own.readAll({ cursor, limit: 500 })).cursor;
      for (const count of [800, 20]) {
        await update(count);
        const { items, cursor: next } = await own.readAll({ cursor, limit });
        const isChanged = ({ price }: Response['body']) => price === 10 + round + count;
        assert.equal(items.filter(isChanged).length, count);
        assert.equal(new Set(keys(items)).size, items.length);
        cursor = next;
      }
    }
  });

  test('products can be filtered by store, and an unknown store or locale is rejected', async () => {
    const { items } = await walk.readAll({ vendor_id: 'ext-2', locale: 'en_AE' });
    assert.deepEqual([...new Set(items.map(({ vendor_id }) => vendor_id))], [chain.vendors[1]]);
    assertProblem(await walk.get({ vendor_id: 'nowhere' }), 'vendor_not_found');
    assertInvalid(await walk.get({ locale: 'English' }), 'locale');
  });
});

describe("listing a chain's products that changed since a given time", () => {
  test('updated_since returns the products changed since then, even if old changes have been deleted', async () => {
    const shop = await makeStocked(4);
    const own = walkOf(shop);
    await own.readAll();
    const yesterday = new Date(Date.now() - 86_400_000);
    await aisle.db.query(
      `update placed_offer_changes set position = position - 86400000000, first_at = $2, last_at = $2
       where chain_id = $1`,
      [shop.chainId, yesterday],
    );
    for (const table of ['offers', 'products']) {
      await aisle.db.query(`update ${table} set updated_at = $2 where chain_id = $1`, [shop.chainId, yesterday]);
    }
    await change(shop, 1, { sku: 'SKU-00004', price: 5 });
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();
    const expected = [`${shop.vendors[1]} SKU-00004`];
    for (const limit of [1, 100]) {
      assert.deepEqual(keys((await own.readAll({ updated_since: hours(1), limit })).items), expected);
    }
    const all = await own.readAll({ updated_since: hours(48) });
    assert.deepEqual(keys(all.items).toSorted(), allKeys(shop, 4));
    await aisle.db.transaction((tx) => deleteOldChanges(tx, 0));
    assert.deepEqual(keys((await own.readAll({ updated_since: hours(1), limit: 1 })).items), expected);
    assert.deepEqual(keys((await own.readAll({ updated_since: '1969-01-01' })).items).toSorted(), allKeys(shop, 4));
  });

  test('updated_since is rejected with 400 if it is in the future or sent with a cursor', async () => {
    const { cursor } = await walk.read();
    assertInvalid(await walk.get({ cursor, updated_since: '2026-01-01' }), 'updated_since');
    assertInvalid(await walk.get({ updated_since: new Date(Date.now() + 3_600_000).toISOString() }), 'updated_since');
  });
});

describe('product cursors', () => {
  test('a cursor starts over with all products if changes after it were deleted', async () => {
    const shop = await makeStocked(3);
    const own = walkOf(shop);
    const { cursor: old } = await own.readAll();
    await change(shop, 0, { sku: 'SKU-00001', price: 2 });
    const { cursor } = await own.readAll({ cursor: old });
    await change(shop, 0, { sku: 'SKU-00002', price: 2 });
    await own.readAll({ cursor });
    const { items: rest } = await own.readAll({ cursor });
    assert.deepEqual(keys(rest), [`${shop.vendors[0]} SKU-00002`]);
    await aisle.db.transaction((tx) => deleteOldChanges(tx, 0));
    assert.deepEqual(keys((await own.readAll({ cursor: old, limit: 2 })).items), allKeys(shop, 3));
  });

  test('a cursor at the last change stays valid however old that change is', async () => {
    const shop = await makeStocked(3);
    const own = walkOf(shop);
    const { cursor } = await own.readAll();
    await aisle.db.transaction((tx) => deleteOldChanges(tx, 0));
    assert.deepEqual((await own.read({ cursor })).items, []);
  });

  test('a cursor that did not come from this list is rejected with 400', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { cursor: other } = await createWalk(aisle, chain, 'orders', 'orders').read();
    const list = `catalog ${chain.chainId}`;
    const forged = [
      [list],
      [list, 'scan', -1, null, null],
      [list, 'sideways', 1, null, null],
      [list, 'scan', 1, [1], null],
      [list, 'scan', 1, null, ['a', 'b\u0000']],
      [list, 'scan', 1, null, ['a', 1]],
      [list, 'scan', 1, null, null, null],
    ];
    for (const cursor of ['abc', other, ...forged.map(encode)]) assertInvalid(await walk.get({ cursor }), 'cursor');
  });
});

describe("access to a chain's products", () => {
  test("a token restricted to certain stores receives only those stores' products", async () => {
    const token = await makeToken(aisle, chain.chainId, { vendor_ids: [String(chain.vendors[1])] });
    const own = await walk.readAll({}, token);
    assert.ok(own.items.length >= 6);
    for (const { vendor_id } of own.items) assert.equal(vendor_id, chain.vendors[1]);
    await change(chain, 0, { sku: 'SKU-00001', price: 8 });
    await change(chain, 1, { sku: 'SKU-00001', price: 9 });
    await change(chain, 0, { sku: 'SKU-00001', barcode: '4711' });
    const { items } = await walk.readAll({ cursor: own.cursor }, token);
    assert.deepEqual([...new Set(keys(items))], [`${chain.vendors[1]} SKU-00001`]);
    assertProblem(await walk.get({ vendor_id: chain.vendors[0] }, token), 'forbidden');
  });

  test("another chain's products are never returned, and its cursors are rejected", async () => {
    const stranger = await makeStocked(2);
    const theirs = walkOf(stranger);
    const { cursor } = await walk.read({ limit: 1 });
    await change(chain, 0, { sku: 'SKU-00001', price: 3.5 });
    const vendors = new Set<string>(stranger.vendors);
    for (const { vendor_id } of (await theirs.readAll()).items) assert.ok(vendors.has(vendor_id));
    assertInvalid(await theirs.get({ cursor }), 'cursor');
    assertProblem(await walk.get({}, stranger.token), 'chain_not_found');
  });

  test("listing a chain's products requires catalog:read", async () => {
    const token = await makeToken(aisle, chain.chainId, { scopes: ['orders:read'] });
    assertProblem(await walk.get({}, token), 'forbidden');
  });
});

describe('changes made during a walk through products', () => {
  const update = (tx: Tx, chainId: string, vendorId: string, sku: string, price: string) =>
    updateOffers(tx, chainId, vendorId, [{ sku, price, changedBy: 'Test' }], true);

  test('a change is returned after its commit, even if the reader has passed its position by then', async () => {
    const shop = await makeStocked(4);
    const own = walkOf(shop);
    const { cursor: start } = await own.readAll();
    const open = await holdOpen(aisle, (tx) => update(tx, shop.chainId, String(shop.vendors[0]), 'SKU-00001', '77'));
    // Both changes are made after the one in the open transaction. The second changes another field of that product.
    await change(shop, 0, { sku: 'SKU-00002', price: 5 });
    await change(shop, 1, { sku: 'SKU-00001', barcode: '123' });
    const passed = await own.readAll({ cursor: start });
    assert.ok(keys(passed.items).includes(`${shop.vendors[0]} SKU-00002`));
    assert.ok(passed.items.every(({ price }) => price !== 77));
    const scanning = await own.read({ limit: 5 });
    await open.commit();
    const { items } = await own.readAll({ cursor: passed.cursor });
    assert.deepEqual(keys(items), [`${shop.vendors[0]} SKU-00001`]);
    assert.equal(items[0].price, 77);
    const rest = await own.readAll({ cursor: scanning.cursor });
    assert.ok(rest.items.some(({ price }) => price === 77));
  });

  test('every reader sees the final state of products changed by concurrent updates, jobs and orders', async () => {
    const shop = await makeStocked(60, 3);
    const second = await aisle.another();
    let isWriting = true;
    const singles = async (store: number) => {
      for (let round = 1; round <= 40; round++) {
        const sku = `SKU-000${String(1 + ((round * 7) % 60)).padStart(2, '0')}`;
        await change(shop, store, {
          sku,
          price: round + store / 10,
          ...(round % 8 === 0 && { barcode: String(round) }),
        });
      }
    };
    const jobs = async () => {
      for (let round = 1; round <= 5; round++) {
        await runUpdate(
          second,
          shop,
          plainProducts(60).map(({ sku }) => ({ sku, quantity: 100 + round })),
          shop.vendors[2],
        );
      }
    };
    const orders = async () => {
      for (let round = 0; round < 5; round++)
        await placeOrder(aisle, shop, [{ sku: `SKU-0000${round + 1}`, quantity: 1 }]);
    };
    const follow = async (reader: number) => {
      const own = walkOf(shop, reader % 2 === 0 ? aisle : second);
      const seen = new Map<string, Response['body']>();
      let page = await own.read({ limit: 9 });
      for (let rounds = 0; ; rounds++) {
        assert.ok(rounds < 10_000, 'the walk does not end');
        for (const product of page.items) seen.set(keyOf(product), product);
        const isLast = !isWriting && !page.hasMore;
        page = await own.read({ limit: 9, cursor: page.cursor });
        if (isLast && page.items.length === 0 && !page.hasMore) return seen;
      }
    };
    const readers = [0, 1, 2].map(follow);
    await Promise.all([singles(0), singles(1), singles(2), jobs(), orders()]);
    isWriting = false;
    for (const seen of await Promise.all(readers)) {
      assert.deepEqual([...seen.keys()].toSorted(), allKeys(shop, 60));
      for (const { vendor_id, ...product } of seen.values()) {
        assert.deepEqual(product, await readProduct(aisle, shop, product.sku, vendor_id));
      }
    }
    await second.stop();
  });
});
