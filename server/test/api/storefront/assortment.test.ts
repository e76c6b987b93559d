import assert from 'node:assert/strict';
import test from 'node:test';
import { type Response, makeChain, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, putProducts } from '../../support/catalog.ts';
import { changeVendor, placeOrder } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { applyPromotion, percent, promotionBody } from '../../support/promotions.ts';

const aisle = await useOwnAisle();

const categories = [
  { global_id: 'food', details: { name: { en_AE: 'Food' } } },
  { global_id: 'dairy', parent_global_id: 'food', details: { name: { en_AE: 'Dairy' } } },
  { global_id: 'hidden', parent_global_id: 'food', details: { name: { en_AE: 'Hidden' } }, active: false },
  { global_id: 'below', parent_global_id: 'hidden', details: { name: { en_AE: 'Below' } } },
];

async function makeStore(): Promise<TestChain> {
  const chain = await makeChain(aisle, { vendors: 2 });
  const path = `/platform/v1/chains/${chain.chainId}/categories`;
  await aisle.call('PUT', path, { token: aisle.platformToken, body: { categories } });
  await addProducts(aisle, chain, [
    {
      sku: 'MILK',
      title: 'Fresh milk',
      price: 10.005,
      quantity: 9,
      categories: ['dairy'],
      images: ['https://a.test/m.png'],
    },
    { sku: 'BREAD', title: 'White bread', price: 4, categories: ['food'] },
    { sku: 'EMPTY', title: 'Empty milk', price: 1, quantity: 0, categories: ['dairy'] },
    { sku: 'LAST', title: 'Last milk', price: 1, quantity: 1, categories: ['dairy'] },
    { sku: 'NONE', title: 'No milk', price: 1, maximum_sales_quantity: 0, categories: ['dairy'] },
    { sku: 'OLD', title: 'Old milk', price: 1, active: false, categories: ['below'] },
  ]);
  return chain;
}

const get = (chain: TestChain, path: string, store = 0): Promise<Response> =>
  aisle.call('GET', `/platform/v1/chains/${chain.chainId}/vendors/${chain.vendors[store]}/${path}`, {
    token: aisle.platformToken,
  });
const skus = async (chain: TestChain, query = '', store = 0): Promise<string[]> => {
  const { status, text, body } = await get(chain, `assortment?${query}`, store);
  assert.equal(status, 200, text);
  return body.products.map((product: Response['body']) => product.sku);
};

const chain = await makeStore();

test('customers see the products that are available, with all fields', async () => {
  assert.deepEqual(await skus(chain), ['BREAD', 'LAST', 'MILK']);
  const { body } = await get(chain, 'assortment?query_term=fresh');
  const [milk] = body.products;
  assert.deepEqual(
    [milk.sku, milk.vendor_id, milk.price, milk.effective_price, milk.available, milk.images, milk.category],
    ['MILK', chain.vendors[0], 10.005, 10.01, true, ['https://a.test/m.png'], 'Dairy'],
  );
  assert.equal(body.total_items, 1);
});

test('pages, words and categories select products', async () => {
  assert.deepEqual(await skus(chain, 'page_size=2&page=2'), ['MILK']);
  assert.deepEqual(await skus(chain, 'query_term=milk'), ['LAST', 'MILK']);
  assert.deepEqual(await skus(chain, 'query_term=empty'), []);
  assert.deepEqual(await skus(chain, 'category_global_ids=dairy'), ['LAST', 'MILK']);
  assert.deepEqual(await skus(chain, 'category_global_ids=food&query_term=bread'), ['BREAD']);
  const { body } = await get(chain, 'assortment?page_size=1');
  assert.deepEqual([body.total_items, body.total_pages], [3, 3]);
});

test('products are found by their SKUs, in the order of the SKUs, if they are available', async () => {
  assert.deepEqual(await skus(chain, 'skus=MILK,EMPTY,BREAD,NOWHERE,MILK'), ['MILK', 'BREAD']);
  assert.deepEqual(await skus(chain, 'skus=MILK&skus=BREAD&page_size=1&page=2'), ['BREAD']);
  assertInvalid(await get(chain, 'assortment?skus=MILK&query_term=milk'), 'skus');
  await addProducts(aisle, chain, [{ sku: 'A,B', title: 'Comma', price: 1 }]);
  assert.deepEqual(await skus(chain, 'skus=MILK,A\\,B'), ['MILK', 'A,B']);
  assertInvalid(await get(chain, `assortment?skus=${'x'.repeat(65)}`), 'skus');
});

test('the effective price is the price of an order', async () => {
  const own = await makeStore();
  await applyPromotion(aisle, own, promotionBody({ discount: [percent(33, 'MILK')] }));
  const { products } = (await get(own, 'assortment')).body;
  for (const { sku, effective_price } of products) {
    const order = await placeOrder(aisle, own, [{ sku, quantity: 1 }]);
    assert.equal(effective_price, order.payment.order_total, sku);
  }
  assert.equal(products[2].promotion.type, 'STRIKETHROUGH');
});

test('what is sold out disappears, also because of the sales buffer', async () => {
  const own = await makeStore();
  await placeOrder(aisle, own, [{ sku: 'LAST', quantity: 1 }]);
  assert.deepEqual(await skus(own), ['BREAD', 'MILK']);
  await changeVendor(aisle, own, { settings: { sales_buffer: 9 } });
  assert.deepEqual(await skus(own), ['BREAD']);
  assert.deepEqual(await skus(own, 'skus=MILK'), []);
  assert.deepEqual(await skus(own, '', 1), ['BREAD', 'LAST', 'MILK']);
  await putProducts(aisle, own, [{ sku: 'BREAD', active: false }]);
  assert.deepEqual(await skus(own), []);
});

test('customers see active categories with the number of available products', async () => {
  const { body } = await get(chain, 'categories');
  assert.deepEqual(
    body.categories.map((category: Response['body']) => [category.global_id, category.product_count]),
    [
      ['food', 3],
      ['dairy', 2],
    ],
  );
});

test('other chains and partners have no access', async () => {
  const other = await makeStore();
  const path = `/platform/v1/chains/${chain.chainId}/vendors/${other.vendors[0]}/assortment`;
  assertProblem(await aisle.call('GET', path, { token: aisle.platformToken }), 'vendor_not_found');
  const own = `/platform/v1/chains/${chain.chainId}/vendors/${chain.vendors[0]}/assortment`;
  assertProblem(await aisle.call('GET', own, { token: chain.token }), 'forbidden');
});
