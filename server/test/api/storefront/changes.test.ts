import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../src/kernel/values/ids.ts';
import { type Response, makeChain, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, putProducts, waitForJob } from '../../support/catalog.ts';
import { placeOrder, report } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { applyPromotion, final, fromNow, percent, promotionBody, without } from '../../support/promotions.ts';
import { copyCatalog, getChanges } from '../../support/storefront.ts';

const aisle = await useOwnAisle();

const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'];
async function makeStore(vendors = 2): Promise<TestChain> {
  const chain = await makeChain(aisle, { vendors });
  await addProducts(
    aisle,
    chain,
    names.map((sku) => ({ sku, title: sku, price: 10, quantity: 100 })),
  );
  return chain;
}

const get = (chain: TestChain, query: Record<string, unknown> = {}) => getChanges(aisle, chain, query);
const createCopy = (chain: TestChain, limit?: number) => copyCatalog(aisle, chain, limit);

const all = (chain: TestChain, ...skus: string[]) =>
  chain.vendors.flatMap((vendor) => skus.map((sku) => `${vendor} ${sku}`)).toSorted();

describe('changes to products and offers', () => {
  test('a copy starts with all products, and then gets those that change', async () => {
    const chain = await makeStore();
    const copy = createCopy(chain, 3);
    assert.deepEqual(await copy.sync(), all(chain, ...names));
    assert.deepEqual(await copy.sync(), []);
    await putProducts(aisle, chain, [{ sku: 'B', price: 7 }]);
    const order = await placeOrder(aisle, chain, [{ sku: 'C', quantity: 2 }]);
    assert.deepEqual(await copy.sync(), [`${chain.vendors[0]} B`, `${chain.vendors[0]} C`]);
    assert.equal(copy.products.get(`${chain.vendors[0]} B`)?.effective_price, 7);
    await report(aisle, order.order_id, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'LATE' });
    assert.deepEqual(await copy.sync(), [`${chain.vendors[0]} C`]);
    await addProducts(aisle, chain, [{ sku: 'NEW', title: 'New', price: 1 }]);
    assert.deepEqual(await copy.sync(), all(chain, 'NEW'));
    await copy.assertEqual();
  });

  test('products that are not available are returned too', async () => {
    const chain = await makeStore(1);
    const copy = createCopy(chain);
    await copy.sync();
    await putProducts(aisle, chain, [{ sku: 'A', active: false }]);
    assert.deepEqual(await copy.sync(), all(chain, 'A'));
    assert.equal(copy.products.get(`${chain.vendors[0]} A`)?.available, false);
  });

  test('the changes can be limited to a store', async () => {
    const chain = await makeStore();
    const { body } = await get(chain, { vendor_id: 'ext-2' });
    assert.deepEqual(
      new Set(body.products.map((product: Response['body']) => product.vendor_id)),
      new Set([chain.vendors[1]]),
    );
    await applyPromotion(aisle, chain, promotionBody());
    const next = await get(chain, { vendor_id: 'ext-2', cursor: body.next_cursor });
    assert.deepEqual(
      next.body.products.map((product: Response['body']) => [product.vendor_id, product.sku]),
      [[chain.vendors[1], 'A']],
    );
  });
});

describe('changes to promotions', () => {
  test('a new, changed or cancelled promotion returns the products whose prices change', async () => {
    const chain = await makeStore();
    const [first] = chain.vendors;
    const copy = createCopy(chain, 2);
    await copy.sync();
    const body = promotionBody({ vendors: [first], discount: [percent(20, 'A', 'B', 'C')] });
    const { promotion_id } = await applyPromotion(aisle, chain, body);
    assert.deepEqual(
      await copy.sync(),
      ['A', 'B', 'C'].map((sku) => `${first} ${sku}`),
    );
    assert.equal(copy.products.get(`${first} A`)?.effective_price, 8);
    assert.equal(copy.promotions.get(promotion_id)?.state, 'RUNNING');
    await applyPromotion(aisle, chain, { ...body, discount: [without('A'), percent(50, 'B')] });
    assert.deepEqual(
      await copy.sync(),
      ['A', 'B'].map((sku) => `${first} ${sku}`),
    );
    await copy.assertEqual();
    await applyPromotion(aisle, chain, { ...body, active: false });
    assert.deepEqual(
      await copy.sync(),
      ['B', 'C'].map((sku) => `${first} ${sku}`),
    );
    assert.equal(copy.promotions.get(promotion_id)?.state, 'CANCELLED');
    await applyPromotion(aisle, chain, { ...body, discount: [percent(10, 'D')] });
    assert.deepEqual(
      await copy.sync(),
      ['B', 'C', 'D'].map((sku) => `${first} ${sku}`),
    );
    await copy.assertEqual();
  });

  test('a promotion for all stores covers all of them, in pages of any size', async () => {
    const chain = await makeStore(3);
    for (const limit of [1, 2, 7, 500]) {
      const copy = createCopy(chain, limit);
      await copy.sync();
      const name = { display_name: { en_AE: `Week ${limit}` } };
      const body = promotionBody({ ...name, discount: [percent(limit === 500 ? 99 : limit, 'A', 'B', 'C', 'D')] });
      await applyPromotion(aisle, chain, body);
      await putProducts(aisle, chain, [{ sku: 'J', price: 3 + limit }]);
      assert.deepEqual(await copy.sync(), [...all(chain, 'A', 'B', 'C', 'D'), `${chain.vendors[0]} J`].toSorted());
      await copy.assertEqual();
    }
  });

  test('when a promotion starts and when it ends, its products are returned', async () => {
    const chain = await makeStore(1);
    const copy = createCopy(chain);
    await copy.sync();
    const [start, end] = [new Date(Date.now() + 1500), new Date(Date.now() + 3000)];
    const conditions = { start_time: start.toISOString(), end_time: end.toISOString() };
    const { promotion_id } = await applyPromotion(
      aisle,
      chain,
      promotionBody({ conditions, discount: [final(1, 'A')] }),
    );
    await copy.sync();
    const price = () => copy.products.get(`${chain.vendors[0]} A`)?.effective_price;
    assert.deepEqual([price(), copy.promotions.get(promotion_id)?.state], [10, 'UPCOMING']);
    for (const [time, expected, state] of [
      [start, 1, 'RUNNING'],
      [end, 10, 'ENDED'],
    ] as const) {
      while (Date.now() < time.getTime()) await new Promise((resolve) => setTimeout(resolve, 10));
      const seen = await copy.sync();
      assert.deepEqual([seen, price(), copy.promotions.get(promotion_id)?.state], [all(chain, 'A'), expected, state]);
    }
    assert.deepEqual(await copy.sync(), []);
    await copy.assertEqual();
  });

  test('prices are right again after the clock of the database was ahead', async () => {
    const chain = await makeStore(1);
    const copy = createCopy(chain);
    const [start, end] = [fromNow(1800), fromNow(7200)];
    const add = (sku: string) =>
      applyPromotion(
        aisle,
        chain,
        promotionBody({
          display_name: { en_AE: sku },
          conditions: { start_time: start, end_time: end },
          discount: [final(1, sku)],
        }),
      );
    await add('A');
    await copy.sync();
    await aisle.db.query('update promotion_clocks set seen_until = $2 where chain_id = $1', [
      chain.chainId,
      new Date(Date.now() + 3_600_000),
    ]);
    const price = (sku: string) => copy.products.get(`${chain.vendors[0]} ${sku}`)?.effective_price;
    // A copy that was read in that time has the price of the future.
    assert.deepEqual([await copy.sync(), price('A')], [all(chain, 'A'), 10]);
    await add('B');
    assert.deepEqual([await copy.sync(), price('B')], [all(chain, 'B'), 10]);
    assert.deepEqual(await copy.sync(), []);
    await copy.assertEqual();
  });

  test('a promotion that reaches its global limit, or is below it again, returns its products', async () => {
    const chain = await makeStore(1);
    const copy = createCopy(chain);
    await applyPromotion(aisle, chain, promotionBody({ discount: [final(1, 'A')], limits: { global_limit: 3 } }));
    await copy.sync();
    const price = () => copy.products.get(`${chain.vendors[0]} A`)?.effective_price;
    await placeOrder(aisle, chain, [{ sku: 'A', quantity: 2 }]);
    await copy.sync();
    assert.equal(price(), 1);
    const last = await placeOrder(aisle, chain, [{ sku: 'A', quantity: 2 }]);
    await copy.sync();
    assert.equal(price(), 10);
    await report(aisle, last.order_id, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'LATE' });
    await copy.sync();
    assert.equal(price(), 1);
    await copy.assertEqual();
  });

  test('a request that repeats the limits of a promotion returns only the products in it', async () => {
    const chain = await makeStore(1);
    const copy = createCopy(chain);
    const limits = { max_discount_per_order: 20, max_items_per_order: 3 };
    const body = promotionBody({ discount: [percent(20, 'A', 'B', 'C')], limits });
    await applyPromotion(aisle, chain, body);
    await copy.sync();
    await applyPromotion(aisle, chain, { ...body, discount: [percent(20, 'D')] });
    assert.deepEqual(await copy.sync(), all(chain, 'D'));
    const less = { ...limits, max_items_per_order: 2 };
    await applyPromotion(aisle, chain, { ...body, discount: [percent(20, 'D')], limits: less });
    assert.deepEqual(await copy.sync(), all(chain, 'A', 'B', 'C', 'D'));
    await copy.assertEqual();
  });

  test('the products of a promotion that changed several times are returned once, unless reading has begun', async () => {
    const chain = await makeStore(1);
    let cursor = (await get(chain)).body.next_cursor;
    const read = async () => {
      const { body } = await get(chain, { cursor, limit: 3 });
      cursor = body.next_cursor;
      return body.products.map((product: Response['body']) => product.sku).join('');
    };
    const discount = [percent(20, 'A', 'B', 'C', 'D')];
    const { promotion_id } = await applyPromotion(aisle, chain, promotionBody({ discount }));
    /** What an order does that uses up a global limit, or is cancelled. */
    const change = (times: number) =>
      aisle.db.query(
        'insert into promotion_changes (chain_id, promotion_id) select $1, $2 from generate_series(1, $3)',
        [chain.chainId, promotion_id, times],
      );
    await change(2);
    assert.equal(await read(), 'ABC');
    await change(3);
    assert.deepEqual([await read(), await read(), await read()], ['DAB', 'CD', '']);
  });

  test('a page looks up a limited number of products', async () => {
    const chain = await makeStore(8);
    const copy = createCopy(chain);
    await copy.sync();
    const body = promotionBody({ discount: [percent(20, 'A', 'J')] });
    const { promotion_id } = await applyPromotion(aisle, chain, body);
    // Products that no store offers.
    await aisle.db.query(
      `insert into promotion_entries (chain_id, promotion_id, sku, discount_subtype, discount_value)
       select $1, $2, 'B' || n, 'PERCENTAGE', 20 from generate_series(1, 10000) n`,
      [chain.chainId, promotion_id],
    );
    const { body: first } = await get(chain, { cursor: copy.cursor(), limit: 500 });
    assert.ok(first.products.length < 16 && first.has_more, `${first.products.length} products`);
    assert.deepEqual(await copy.sync(), all(chain, 'A', 'J'));
    await copy.assertEqual();
  });

  test('partners do not see promotions as changes to their products', async () => {
    const chain = await makeStore(1);
    const list = (cursor = '') => aisle.call('GET', `${chain.base}/catalog?cursor=${cursor}`, { token: chain.token });
    const { next_cursor } = (await list()).body;
    await applyPromotion(aisle, chain, promotionBody());
    assert.deepEqual((await list(next_cursor)).body.products, []);
  });
});

describe('the snapshot', () => {
  const snapshot = async (chain: TestChain, query = '') => {
    const path = `/platform/v1/chains/${chain.chainId}/snapshot${query}`;
    const response = await aisle.call('GET', path, { token: aisle.platformToken });
    assert.equal(response.status, 200, response.text);
    assert.match(String(response.headers['content-type']), /^application\/x-ndjson/);
    return response.text
      .trimEnd()
      .split('\n')
      .map((line): Response['body'] => JSON.parse(line));
  };

  test('it contains all products and promotions, and ends with the cursor to continue with', async () => {
    const chain = await makeStore();
    const { promotion_id } = await applyPromotion(aisle, chain, promotionBody());
    const ended = promotionBody({ display_name: { en_AE: 'Ended' }, discount: [percent(5, 'B')] });
    await applyPromotion(aisle, chain, ended);
    await applyPromotion(aisle, chain, { ...ended, active: false });
    const lines = await snapshot(chain);
    const products = lines.filter(({ type }) => type === 'product').map(({ product }) => product);
    const { body } = await get(chain, { limit: 500 });
    assert.deepEqual(products, body.products);
    assert.deepEqual(
      lines.filter(({ type }) => type === 'promotion').map(({ promotion }) => promotion.promotion_id),
      [promotion_id],
    );
    const last = lines.at(-1);
    assert.deepEqual([last.type, last.products, last.promotions, lines.length], ['end', 20, 1, 22]);
    const copy = createCopy(chain);
    copy.start(last.next_cursor);
    assert.deepEqual(await copy.sync(), []);
    await putProducts(aisle, chain, [{ sku: 'B', price: 7 }]);
    assert.deepEqual(await copy.sync(), [`${chain.vendors[0]} B`]);
  });

  test('it can be limited to a store, and has more than one page', async () => {
    const chain = await makeStore();
    const more = Array.from({ length: 1100 }, (_, index) => ({ sku: `P${index}`, title: `P${index}`, price: 1 }));
    await addProducts(aisle, chain, more, [String(chain.vendors[1])]);
    const lines = await snapshot(chain, '?vendor_id=ext-2');
    assert.equal(lines.at(-1).products, 1110);
    assert.equal(new Set(lines.slice(0, -1).map(({ product }) => product.sku)).size, 1110);
  });

  test('a chain without products has an empty snapshot', async () => {
    const chain = await makeChain(aisle, { vendors: 0 });
    assert.deepEqual(
      (await snapshot(chain)).map(({ type, products }) => [type, products]),
      [['end', 0]],
    );
    assert.deepEqual((await get(chain)).body.products, []);
  });
});

describe('cursors of changes', () => {
  test('a cursor that is too old starts over with all products', async () => {
    const chain = await makeStore(1);
    const copy = createCopy(chain);
    await copy.sync();
    await applyPromotion(aisle, chain, promotionBody());
    await copy.sync();
    await aisle.db.query(
      'delete from promotion_changes where chain_id = $1 and position < (select max(position) from promotion_changes where chain_id = $1)',
      [chain.chainId],
    );
    assert.deepEqual(await copy.sync(), []);
    await aisle.db.query('update promotion_changes set position = position + 1 where chain_id = $1', [chain.chainId]);
    assert.deepEqual(await copy.sync(), all(chain, ...names));
    await copy.assertEqual();
  });

  test('invalid requests are rejected', async () => {
    const [chain, other] = [await makeStore(1), await makeStore(1)];
    const { next_cursor } = (await get(chain)).body;
    assertInvalid(await get(other, { cursor: next_cursor }), 'cursor');
    assertInvalid(await get(chain, { cursor: 'x' }), 'cursor');
    const encode = (content: unknown[]) =>
      Buffer.from(JSON.stringify([`changes ${chain.chainId}`, ...content])).toString('base64url');
    const catalog = ['changes', 1, null, null];
    for (const content of [
      [],
      [catalog],
      [catalog, -1, null],
      [catalog, 1, ['a']],
      [catalog, 1, ['a', 1]],
      [null, 1, null],
      [catalog, 1, null, 1],
    ]) {
      assertInvalid(await get(chain, { cursor: encode(content) }), 'cursor');
    }
    assertInvalid(await get(chain, { limit: 0 }), 'limit');
    assertProblem(await get(chain, { vendor_id: other.vendors[0] }), 'vendor_not_found');
    assertProblem(await get({ ...chain, chainId: newId() }), 'chain_not_found');
  });

  test('a copy is complete after concurrent updates, orders and promotions', async () => {
    const chain = await makeStore();
    const copy = createCopy(chain, 4);
    await copy.sync();
    const work = names.map(async (sku, index) => {
      await putProducts(aisle, chain, [{ sku, price: 5 + index }]);
      await placeOrder(aisle, chain, [{ sku, quantity: 1 }]);
      const name = { display_name: { en_AE: `P ${sku}` } };
      if (index % 3 === 0)
        await applyPromotion(aisle, chain, promotionBody({ ...name, discount: [percent(10 + index, sku)] }));
    });
    const bulk = aisle.call('PUT', `${chain.base}/vendors/${chain.vendors[1]}/catalog`, {
      token: chain.token,
      body: { products: names.map((sku, index) => ({ sku, price: 20 + index })) },
    });
    await copy.sync();
    const [{ body }] = await Promise.all([bulk, ...work]);
    await copy.sync();
    await waitForJob(aisle, chain, body.job_id);
    await copy.sync();
    await copy.assertEqual();
  });
});

test('a chain without stores has no changes and an empty snapshot', async () => {
  const chain = await makeChain(aisle, { vendors: 0 });
  const { status, text, body } = await get(chain);
  assert.equal(status, 200, text);
  assert.deepEqual([body.products, body.promotions, body.has_more], [[], [], false]);
  const path = `/platform/v1/chains/${chain.chainId}/snapshot`;
  const snapshot = await aisle.call('GET', path, { token: aisle.platformToken });
  assert.equal(snapshot.status, 200, snapshot.text);
  assert.deepEqual(
    snapshot.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type),
    ['end'],
  );
});
