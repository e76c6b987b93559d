import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { recountOffers } from '../../../src/catalog/count-queries.ts';
import { makeChain, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts, catalogPath, plainProducts } from '../../support/catalog.ts';

const aisle = await useAisle();
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
