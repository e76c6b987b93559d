import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { makeChain, type Response, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts, catalogPath } from '../../support/catalog.ts';

const aisle = await useAisle();
let chain: TestChain;

before(async () => {
  chain = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, chain, [
    { sku: 'A1', title: { en_AE: 'Strawberry yoghurt 500 g', ar_AE: 'زبادي بالفراولة' }, price: 1 },
    { sku: 'A2', title: { en_AE: 'Yoghurt, plain 500 g' }, price: 1 },
    { sku: 'A3', title: { en_AE: 'Frozen yoghurtcake' }, price: 1, barcode: '6291000000017' },
    { sku: 'MILK', title: { en_AE: 'Long life drink' }, price: 1 },
    { sku: 'A4', title: { en_AE: 'Milk 1 l' }, price: 1 },
    { sku: 'A0', title: { en_AE: 'Almond milk' }, price: 1 },
    { sku: 'A5', title: { en_AE: 'Chocolate bar 6291000000017 g' }, price: 1 },
  ]);
  const stranger = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, stranger, [{ sku: 'X1', title: 'Yoghurt of a stranger', price: 1 }]);
});

async function search(term: string, sort = 'relevance'): Promise<string[]> {
  const query = new URLSearchParams({ query_term: term, sort }).toString();
  const { status, body, text } = await aisle.call('GET', `${catalogPath(chain)}?${query}`, { token: chain.token });
  assert.equal(status, 200, text);
  assert.equal(body.total_items, body.products.length);
  return body.products.map((product: Response['body']) => product.sku);
}

test('all words of a search must be in the title, in any order', async () => {
  assert.deepEqual(await search('500 yoghurt'), ['A1', 'A2']);
  assert.deepEqual(await search('yoghurt plain'), ['A2']);
  assert.deepEqual(await search('بالفراولة زبادي'), ['A1']);
  assert.deepEqual(await search('yoghurt milk'), []);
});

test('typos are tolerated if no product matches exactly', async () => {
  for (const term of ['yogurt', 'yoghrut', 'yohgurt strawbery']) {
    const found = await search(term);
    assert.ok(found.includes('A1'), `${term}: ${found.join()}`);
    assert.ok(!found.includes('A4'), `${term}: ${found.join()}`);
  }
  assert.deepEqual(await search('chocolat'), ['A5']);
  assert.deepEqual(await search('choclate'), ['A5']);
  assert.deepEqual(await search('mlik'), ['A0', 'A4']);
  assert.deepEqual(await search('زبادى'), ['A1']);
  assert.deepEqual(await search('screwdriver'), []);
  assert.deepEqual(await search('yoghurt%'), []);
});

test('by relevance, an exact SKU or barcode comes first, then titles and words that begin with the term', async () => {
  assert.deepEqual(await search('milk'), ['MILK', 'A4', 'A0']);
  assert.deepEqual(await search('yoghurt'), ['A2', 'A1', 'A3']);
  assert.deepEqual(await search('6291000000017'), ['A3', 'A5']);
});

test('a barcode with other leading zeros finds the product', async () => {
  await addProducts(aisle, chain, [{ sku: 'DRK', title: 'Soda', price: 1, barcode: '036000291452' }]);
  for (const code of ['036000291452', '0036000291452', '00036000291452']) {
    assert.deepEqual(await search(code), ['DRK'], code);
  }
});

test('by default, a search is sorted by SKU', async () => {
  assert.deepEqual(await search('milk', 'sku'), ['A0', 'A4', 'MILK']);
  const { status } = await aisle.call('GET', `${catalogPath(chain)}?sort=price`, { token: chain.token });
  assert.equal(status, 400);
});

test('a typo finds the products of the store, however many similar ones other stores have', async () => {
  const own = await makeChain(aisle);
  const [store = '', other = ''] = own.vendors;
  const many = Array.from({ length: 1001 }, (_, index) => ({
    sku: `A${index}`,
    title: `Chocolate ${index}`,
    price: 1,
  }));
  await addProducts(aisle, own, many, [other]);
  await addProducts(aisle, own, [{ sku: 'B', title: 'Chocolate', price: 1 }], [store]);
  const path = `${catalogPath(own, store)}?query_term=chocolte`;
  const { body } = await aisle.call('GET', path, { token: own.token });
  assert.deepEqual(
    body.products.map((product: Response['body']) => product.sku),
    ['B'],
  );
});
