import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type CallOptions,
  makeChain,
  makeClient,
  requestAccessToken,
  type Response,
  useAisle,
} from '../../support/aisle.ts';
import { addProducts, plainProducts } from '../../support/catalog.ts';
import { allPicked, placeOrder } from '../../support/orders.ts';
import { assertInvalid } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
await addProducts(aisle, chain, plainProducts(3));
const store = `${chain.base}/vendors/${chain.vendors[0]}`;

function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  return aisle.call(method, path, { token: chain.token, ...options });
}

function ignored({ headers }: Response): { parameters: unknown; fields: unknown } {
  return { parameters: headers['aisle-ignored-parameters'], fields: headers['aisle-ignored-fields'] };
}

const nothing = { parameters: undefined, fields: undefined };

test('a misspelled query parameter is listed in a response header instead of being silently ignored', async () => {
  const listed = await call('GET', `${chain.base}/catalog/jobs?vendorid=x&page=1&Status=FAILED`);
  assert.equal(listed.status, 200);
  assert.deepEqual(ignored(listed), { parameters: 'vendorid, Status', fields: undefined });
  assert.deepEqual(ignored(await call('GET', `${chain.base}/catalog/jobs?page=1&status=`)), nothing);
});

test('an unknown parameter is listed even if the route has no parameters or the request fails', async () => {
  assert.equal(ignored(await call('GET', `${chain.base}/settings?page=1`)).parameters, 'page');
  const failed = await call('GET', `${chain.base}/vendors?page=0&colour=red`);
  assertInvalid(failed, 'page');
  assert.equal(ignored(failed).parameters, 'colour');
});

test('names in the header are encoded, so that a client cannot inject another header', async () => {
  const names = ['a,b', 'x\r\nset-cookie: y=1', 'ü', 'a[b]', '__proto__', '"', ''];
  const query = names.map((name) => `${encodeURIComponent(name)}=1`).join('&');
  const listed = await call('GET', `${chain.base}/vendors?${query}&%ff=1`);
  assert.equal(listed.status, 200);
  const shown = String(ignored(listed).parameters);
  assert.match(shown, /^a%2Cb, x%0D%0Aset-cookie%3A%20y%3D1, %C3%BC, a\[b\], __proto__, %22/);
  assert.match(shown, /^[\x21-\x7e ]+$/);
});

test('at most 20 names are listed, and never more than fit in a header', async () => {
  const many = Array.from({ length: 50 }, (_, index) => `p${index}`);
  const listed = await call('GET', `${chain.base}/vendors?${many.map((name) => `${name}=1`).join('&')}`);
  assert.deepEqual(String(ignored(listed).parameters).split(', '), many.slice(0, 20));
  const long = many.map((name) => `${name}${encodeURIComponent('ü'.repeat(100))}=1`).join('&');
  const shown = String(ignored(await call('GET', `${chain.base}/vendors?${long}`)).parameters);
  assert.ok(shown.length > 100 && shown.length <= 1000, String(shown.length));
});

test('each unknown field in an order is listed once, with its path', async () => {
  const order = await placeOrder(aisle, chain, [
    { sku: 'SKU-00001', quantity: 2 },
    { sku: 'SKU-00002', quantity: 1 },
  ]);
  const items = allPicked(order).map((item) => ({ ...item, prise: 1, pricing: { ...item.pricing, weigth: 2 } }));
  const body = { status: 'UPDATE_CART', items, comment: 'hello', sys: { created_at: 'x' } };
  const put = await call('PUT', `${chain.base}/orders/${order.order_id}`, { body });
  assert.equal(put.status, 200, put.text);
  const names = String(ignored(put).fields).split(', ').toSorted();
  const expected = ['comment', 'items[].pricing.weigth', 'items[].prise', 'sys'];
  assert.deepEqual(
    names.filter((name) => expected.includes(name)),
    expected,
  );
  assert.equal(names.length, new Set(names).size);
  const clean = {
    status: 'UPDATE_CART',
    items: items.map(({ _id, status, pricing }) => ({ _id, status, pricing: { pricing_type: pricing.pricing_type } })),
  };
  assert.deepEqual(ignored(await call('PUT', `${chain.base}/orders/${order.order_id}`, { body: clean })), nothing);
});

test('unknown fields in a single, bulk or rejected catalog update are listed', async () => {
  const put = (products: object[], more: object = {}) =>
    call('PUT', `${store}/catalog`, { body: { products, ...more } });
  const single = await put([{ sku: 'SKU-00001', price: 3, prise: 4 }], { vendor: 'x' });
  assert.equal(single.status, 200);
  assert.equal(ignored(single).fields, 'products[].prise, vendor');
  const bulk = await put([
    { sku: 'SKU-00001', price: 3 },
    { sku: 'SKU-00002', price: 3, stock: 4 },
  ]);
  assert.equal(bulk.status, 202);
  assert.equal(ignored(bulk).fields, 'products[].stock');
  const rejected = await put([{ sku: 'SKU-00001', prise: 4 }]);
  assertInvalid(rejected, '/products/0');
  assert.equal(ignored(rejected).fields, 'products[].prise');
  assert.deepEqual(ignored(await put([{ sku: 'SKU-00001', max_sales_quantity: 4 }])), nothing);
});

test('unknown fields in a large body, which is parsed in a worker thread, are listed too', async () => {
  const products = Array.from({ length: 5000 }, (_, index) => ({ sku: `LARGE-${index}`, price: 1, quantity: 2 }));
  const send = (list: object[]) => call('PUT', `${store}/catalog`, { body: { products: list } });
  const clean = await send(products);
  assert.equal(clean.status, 202);
  assert.deepEqual(ignored(clean), nothing);
  const typo = await send([...products, { sku: 'LAST', prise: 1 }]);
  assert.equal(typo.status, 202);
  assert.equal(ignored(typo).fields, 'products[].prise');
  const broken = await call('PUT', `${store}/catalog`, { body: { products: [...products, 'x'], colour: 'red' } });
  assertInvalid(broken, '/products/5000');
  assert.equal(ignored(broken).fields, 'colour');
});

test('unknown fields in a product creation or a promotion are listed', async () => {
  const product = { sku: 'NEW-1', title: { en_AE: 'New' }, price: 1, weight: 2, weight_specifications: { kg: 1 } };
  const created = await call('POST', `${chain.base}/catalog`, { body: { vendors: '*', products: [product] } });
  assert.equal(created.status, 202, created.text);
  assert.equal(ignored(created).fields, 'products[].weight, products[].weight_specifications.kg');
  const promotion = {
    vendors: '*',
    type: 'STRIKETHROUGH',
    display_name: { en_AE: 'Week' },
    conditions: { start_time: '2035-05-04', end_time: '2035-05-11', until: 'x' },
    discount: [{ discount_subtype: 'FINAL_PRICE', discount_value: 0.5, sku: ['SKU-00001'], limit: 3 }],
  };
  const put = await call('PUT', `${chain.base}/promotion`, { body: promotion });
  assert.equal(put.status, 202, put.text);
  assert.equal(ignored(put).fields, 'conditions.until, discount[].limit');
});

test('a repeated request with the same idempotency key lists the ignored fields again', async () => {
  const options = { body: { status: 'OPEN', reason: 'x' }, headers: { 'idempotency-key': 'ignored' } };
  for (let count = 0; count < 2; count++) {
    const put = await call('PUT', `${store}/status`, options);
    assert.equal(put.status, 200);
    assert.equal(ignored(put).fields, 'reason');
  }
});

test('unknown fields in a form sent to the token endpoint are listed', async () => {
  const { client_id, client_secret } = await makeClient(aisle, chain.chainId);
  const granted = await requestAccessToken(aisle, { client_id, client_secret, audience: 'x' });
  assert.equal(granted.status, 200);
  assert.equal(ignored(granted).fields, 'audience');
});
