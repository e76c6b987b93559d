import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { recountOffers } from '../../../src/catalog/count-queries.ts';
import { makeChain, type Response, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { type Explained, expectedRows } from '../../../src/kernel/database/estimate-rows.ts';
import { estimateTotal } from '../../../src/kernel/http/page.ts';
import { addProducts, catalogPath, plainProducts } from '../../support/catalog.ts';

const aisle = await useOwnAisle();
let chain: TestChain;

before(async () => {
  chain = await makeChain(aisle, { vendors: 2 });
  await addProducts(aisle, chain, plainProducts(30));
});

async function total(query = ''): Promise<number> {
  const { body } = await aisle.call('GET', `${catalogPath(chain)}?page_size=1${query}`, { token: chain.token });
  return body.total_items;
}

const storedCounts = () =>
  aisle.db.query('select offers from offer_counts where chain_id = $1 order by vendor_id', [chain.chainId]);

test('the number of products is exact after products are created, also by requests at the same time', async () => {
  assert.equal(await total(), 30);
  const more = plainProducts(60).slice(25);
  await Promise.all([more.slice(0, 20), more.slice(10), more].map((products) => addProducts(aisle, chain, products)));
  assert.equal(await total(), 60);
  assert.equal(await total('&is_active=true'), 60);
  assert.deepEqual(await storedCounts(), [{ offers: 60 }, { offers: 60 }]);
});

test('offers that the previous version has created without counting them are counted later', async () => {
  await aisle.db.query('update offer_counts set offers = offers - 7 where chain_id = $1', [chain.chainId]);
  assert.equal(await aisle.db.transaction((tx) => recountOffers(tx, 100)), 2);
  assert.equal(await total(), 60);
});

test('a store without a count is counted when it is read, and the next creation stores its count', async () => {
  await aisle.db.query('delete from offer_counts where chain_id = $1', [chain.chainId]);
  assert.equal(await total(), 60);
  await addProducts(aisle, chain, plainProducts(61).slice(60));
  assert.equal(await total(), 61);
  assert.deepEqual(await storedCounts(), [{ offers: 61 }, { offers: 61 }]);
});

test('the number of many matching products is an estimate, with which all pages are read', async () => {
  const many = await makeChain(aisle);
  await addProducts(aisle, many, plainProducts(1200));
  await aisle.db.query('analyze products, offers');
  const read = async (query: string) => {
    const { body } = await aisle.call('GET', `${catalogPath(many)}?page_size=500&${query}`, { token: many.token });
    return body;
  };
  const { title } = (await read('page=1')).products[0];
  const term = title.split(' ')[0];
  for (const filter of [
    `query_term=${term}`,
    `query_term=${term}&sort=relevance`,
    `query_term=${term}&is_active=true`,
  ]) {
    const skus = new Set<string>();
    let body: Response['body'] = { total_pages: 1 };
    for (let page = 1; page <= body.total_pages; page++) {
      body = await read(`${filter}&page=${page}`);
      for (const { sku } of body.products) skus.add(sku);
      if (page === 1) assert.equal(body.total_items_is_estimate, true);
    }
    assert.equal(skus.size, 1200);
    assert.deepEqual([body.total_items, body.total_items_is_estimate], [1200, undefined]);
  }
  assert.equal((await read('page=1&is_active=true')).total_items, 1200);
});

test('the estimate is close, although other chains have as many products', async () => {
  const chains = [await makeChain(aisle), await makeChain(aisle), await makeChain(aisle), await makeChain(aisle)];
  for (const one of chains) await addProducts(aisle, one, plainProducts(1200));
  await aisle.db.query('analyze products, offers');
  for (const one of chains) {
    const read = (query: string) => aisle.call('GET', `${catalogPath(one)}?${query}`, { token: one.token });
    const { title } = (await read('page_size=1')).body.products[0];
    const { body } = await read(`query_term=${title.split(' ')[0]}`);
    assert.ok(Math.abs(body.total_items - 1200) < 300, `${body.total_items} products`);
  }
});

test('a distributed database is asked for the estimates of its nodes', () => {
  const task = (count: number) => ({ 'Remote Plan': [[{ Plan: { 'Plan Rows': count } }] as [Explained]] });
  const job = { Job: { Tasks: [task(1200), task(30)] } };
  assert.equal(expectedRows({ Plan: { 'Plan Rows': 0, 'Distributed Query': job } }), 1230);
});

test('an estimate agrees with the page that was read', () => {
  const page = { page: 3, pageSize: 20, offset: 40 };
  assert.deepEqual(estimateTotal(1000, page, 20), { items: 1000, isEstimate: true });
  assert.deepEqual(estimateTotal(30, page, 20), { items: 61, isEstimate: true });
  assert.deepEqual(estimateTotal(60, page, 20), { items: 61, isEstimate: true });
  assert.deepEqual(estimateTotal(1000, page, 7), { items: 47, isEstimate: false });
  assert.deepEqual(estimateTotal(1000, page, 0), { items: 40, isEstimate: true });
  assert.deepEqual(estimateTotal(30, page, 0), { items: 30, isEstimate: true });
});
