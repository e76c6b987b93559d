import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { makeToken, type Response, type TestChain, useAisle } from '../../support/aisle.ts';
import { completeOrders } from '../../../src/orders/complete-orders.ts';
import { allPicked, fulfilled, makeShop, placeOrder } from '../../support/orders.ts';

const aisle = await useAisle();
const items = [{ sku: 'MILK', quantity: 1 }];
let shop: TestChain;
const orders = new Map<string, Response['body']>();

before(async () => {
  shop = await makeShop(aisle, { vendors: 2 });
  const place = async (name: string, more: Record<string, unknown>, store = 0) => {
    const order = await placeOrder(aisle, shop, items, { vendor_id: shop.vendors[store], ...more });
    orders.set(name, order);
  };
  await place('nora', {
    customer: { first_name: 'Nora', last_name: 'Al-Mansouri', phone_number: '+971 50 123 4567' },
    external_order_id: 'web-77',
  });
  await place('jose', {
    customer: { first_name: 'José Miguel', last_name: 'Núñez', phone_number: '0034 600 987 654' },
  });
  await place('ahmad', { customer: { first_name: 'أحمد', last_name: 'المنصوري', phone_number: '0551112223' } }, 1);
  await place('li', { customer: { first_name: 'Li', last_name: 'Wu', phone_number: '+8613900001111' } }, 1);
});

async function find(term: string, { path = 'orders/search', token = shop.token } = {}): Promise<string[]> {
  const query = `query_term=${encodeURIComponent(term)}`;
  const { status, body, text } = await aisle.call('GET', `${shop.base}/${path}?${query}`, { token });
  assert.equal(status, 200, text);
  const nameOf = new Map(Array.from(orders, ([name, { order_id }]) => [order_id, name]));
  assert.equal(body.total_items, body.orders.length);
  return body.orders.map((order: Response['body']) => nameOf.get(order.order_id)).toSorted();
}

async function assertFound(cases: [term: string, names: string[]][]): Promise<void> {
  for (const [term, names] of cases) assert.deepEqual(await find(term), names, term);
}

test("orders are found by the words of the customer's name in any order", async () => {
  await assertFound([
    ['nora', ['nora']],
    ['mansouri NORA', ['nora']],
    ['al-mansouri', ['nora']],
    ['nuñez jose', ['jose']],
    ['miguel', ['jose']],
    ['NÚÑEZ', ['jose']],
    ['nora núñez', []],
    ['li', ['li']],
    ['wu li', ['li']],
    ['%', []],
    ['nor_', []],
  ]);
});

test('Arabic names are found without vowel marks and with other forms of a letter', async () => {
  await assertFound([
    ['أحمد', ['ahmad']],
    ['احمد', ['ahmad']],
    ['أَحْمَد', ['ahmad']],
    ['المنصورى احمد', ['ahmad']],
    ['منصوري', ['ahmad']],
  ]);
});

test('a name with a typo is found if no name matches exactly', async () => {
  await assertFound([
    ['mansuri', ['nora']],
    ['noar', ['nora']],
    ['migeul', ['jose']],
    ['نورة المنصور', []],
    ['somebody else', []],
  ]);
});

test('a phone number is found with or without plus, zeros, spaces and the country code, and by its last digits', async () => {
  await assertFound([
    ['+971501234567', ['nora']],
    ['971501234567', ['nora']],
    ['00971 50 123 4567', ['nora']],
    ['050-123-4567', ['nora']],
    ['٠٥٠١٢٣٤٥٦٧', ['nora']],
    ['4567', ['nora']],
    ['567', []],
    ['+34 600 987 654', ['jose']],
    ['+971 55 111 2223', ['ahmad']],
    ['971501234568', []],
  ]);
});

test('orders are found by code, external id and id in all stores or in one', async () => {
  const { order_code, order_id } = orders.get('nora') ?? {};
  await assertFound([
    [order_code, ['nora']],
    [order_code.slice(0, 4).toLowerCase(), ['nora']],
    ['web-77', ['nora']],
    ['web-', []],
    [order_id, ['nora']],
  ]);
  const [near, far] = shop.vendors;
  assert.deepEqual(await find('nora', { path: `vendors/${near}/orders` }), ['nora']);
  assert.deepEqual(await find('nora', { path: `vendors/${far}/orders` }), []);
  assert.deepEqual(await find('mansuri', { path: `vendors/${far}/orders` }), []);
});

test('a search does not find orders of other chains or of stores that the token cannot access', async () => {
  const stranger = await makeShop(aisle);
  await placeOrder(aisle, stranger, items, { customer: { first_name: 'Nora', phone_number: '+971501234567' } });
  await assertFound([
    ['nora', ['nora']],
    ['+971501234567', ['nora']],
  ]);
  const token = await makeToken(aisle, shop.chainId, {
    scopes: ['orders:read'],
    vendor_ids: [String(shop.vendors[1])],
  });
  assert.deepEqual(await find('nora', { token }), []);
  assert.deepEqual(await find('mansuri', { token }), []);
  assert.deepEqual(await find('li', { token }), ['li']);
});

test('an order that an earlier version has placed or fulfilled is completed', async () => {
  const { order_id: orderId } = orders.get('nora');
  await fulfilled(aisle, shop, orders.get('nora'), allPicked(orders.get('nora')));
  const numbersOf = () => aisle.db.query('select * from order_numbers where order_id = $1', [orderId]);
  const before = await numbersOf();
  assert.equal(before.length, 1);
  for (const table of ['order_search', 'order_numbers']) {
    await aisle.db.query(`delete from ${table} where order_id = $1`, [orderId]);
  }
  assert.deepEqual(await find('nora'), []);
  assert.equal(await aisle.db.transaction((tx) => completeOrders(tx, 3, 1000)), 2);
  assert.deepEqual(await find('nora'), ['nora']);
  assert.deepEqual(await numbersOf(), before);
  assert.equal(await aisle.db.transaction((tx) => completeOrders(tx, 3, 1000)), 0);
});
