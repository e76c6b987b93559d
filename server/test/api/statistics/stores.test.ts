import assert from 'node:assert/strict';
import test from 'node:test';
import { makeChain, makeToken, makeUser, type Response, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import {
  ageOrder,
  allPicked,
  fulfilled,
  notFound,
  placeOrder,
  replaced,
  report,
  sentItem,
} from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const minute = 60_000;
const dayMs = 1440 * minute;
const products = [
  { sku: 'MILK', title: 'Milk', price: 2.5 },
  { sku: 'BREAD', title: 'Bread', price: 4 },
  { sku: 'TEA', title: 'Tea', price: 3.99 },
];
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
/** Yesterday and today, so that a test that runs at midnight counts the same orders. */
const recently = () => `first_day=${day(1)}&last_day=${day(0)}&timezone=UTC`;

type Body = Response['body'];

const read = (chain: TestChain, query: string, token = chain.token) =>
  aisle.call('GET', `${chain.base}/statistics/stores?${query}`, { token });

async function place(chain: TestChain, skus: string[], minutesAgo: number, more: Record<string, unknown> = {}) {
  const items = skus.map((sku) => ({ sku, quantity: 2 }));
  const order = await placeOrder(aisle, chain, items, { payment: { type: 'PAID', delivery_fee: 9 }, ...more });
  await ageOrder(aisle, order.order_id, new Date(Date.now() - minutesAgo * minute));
  return order;
}

/**
 * Store 1: seven orders by customers. Three fulfilled after 10, 30 and 11 minutes (the last one is a preorder), one
 * fulfilled and then cancelled, one cancelled, one open, and one two days ago. Store 2: one order. And a test order.
 */
async function makeWorld() {
  const chain = await makeChain(aisle, { vendors: 2 });
  await addProducts(aisle, chain, products);
  const onTime = await place(chain, ['MILK', 'BREAD'], 10);
  await fulfilled(aisle, chain, onTime, allPicked(onTime));
  const late = await place(chain, ['MILK', 'BREAD', 'TEA'], 30);
  const substitute = replaced(late, 'BREAD', 'MILK', { quantity: 1 });
  await fulfilled(aisle, chain, late, [sentItem(late, 'MILK'), ...substitute, notFound(late, 'TEA')]);
  const preorder = await place(chain, ['TEA'], 11, { promised_for: new Date(Date.now() + dayMs).toISOString() });
  await fulfilled(aisle, chain, preorder, allPicked(preorder));
  const returned = await place(chain, ['MILK'], 40);
  await fulfilled(aisle, chain, returned, allPicked(returned));
  for (const order of [returned, await place(chain, ['MILK'], 5)]) {
    const { status } = await report(aisle, order.order_id, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'LATE' });
    assert.equal(status, 200);
  }
  await place(chain, ['MILK'], 3);
  await place(chain, ['MILK'], 2 * 1440 + 1);
  const elsewhere = await place(chain, ['BREAD'], 7, { vendor_id: chain.vendors[1] });
  await fulfilled(aisle, chain, elsewhere, allPicked(elsewhere));
  await aisle.db.query(
    `insert into orders select (jsonb_populate_record(o, jsonb_build_object('order_id', gen_random_uuid(), 'is_test', true))).*
     from orders o where order_id = $1`,
    [onTime.order_id],
  );
  return { chain, onTime, late };
}

const { chain } = await makeWorld();
const [near, far] = chain.vendors as [string, string];

test("a store's numbers are those of its orders", async () => {
  const { status, body, text } = await read(chain, recently());
  assert.equal(status, 200, text);
  const [one, two] = [near, far].map((id) => body.stores.find((store: Body) => store.vendor_id === id));
  const { from, to, ...numbers } = one;
  assert.deepEqual(numbers, {
    vendor_id: near,
    external_id: 'ext-1',
    name: 'Store 1',
    timezone: 'UTC',
    first_day: day(1),
    last_day: day(0),
    // 2 × 2.50 + 2 × 4 = 13; 2 × 2.50 + 1 × 2.50 = 7.50; 2 × 3.99 = 7.98. Fees are not revenue.
    revenue: [{ currency: 'AED', amount: 28.48 }],
    orders: 6,
    cancelled_orders: 2,
    cancelled_rate: 0.3333,
    fulfilled_orders: 3,
    ordered_items: 6,
    found_items: 4,
    found_rate: 0.6667,
    orders_with_missing_items: 1,
    replaced_items: 1,
    replaced_rate: 0.1667,
    orders_with_replaced_items: 1,
    timed_orders: 2,
    pick_minutes: numbers.pick_minutes,
    late_orders: 1,
    late_rate: 0.3333,
  });
  // The average of 10 and 30 minutes, and of the time that the test took.
  assert.ok(numbers.pick_minutes >= 20 && numbers.pick_minutes < 25, numbers.pick_minutes);
  assert.deepEqual([two.revenue, two.orders, two.late_orders], [[{ currency: 'AED', amount: 8 }], 1, 0]);
  const { totals } = body;
  assert.deepEqual([totals.from, totals.to], [from, to]);
  assert.deepEqual(
    [totals.revenue, totals.orders, totals.fulfilled_orders, totals.late_rate],
    [[{ currency: 'AED', amount: 36.48 }], 7, 4, 0.25],
  );
});

test('every count equals the number of orders in the list that it refers to', async () => {
  const { stores, totals } = (await read(chain, recently())).body;
  const counts: [name: string, filter: string][] = [
    ['orders', ''],
    ['cancelled_orders', '&status=CANCELLED'],
    ['fulfilled_orders', '&outcome=FULFILLED'],
    ['orders_with_missing_items', '&outcome=MISSING_ITEMS'],
    ['orders_with_replaced_items', '&outcome=REPLACED_ITEMS'],
    ['timed_orders', '&outcome=TIMED'],
    ['late_orders', '&outcome=LATE'],
  ];
  for (const [name, filter] of counts) {
    const lists = [
      ...stores.map((store: Body) => [store, `vendors/${store.vendor_id}/orders`]),
      [totals, 'orders/search'],
    ];
    for (const [numbers, path] of lists) {
      const query = `start_time=${numbers.from}&end_time=${numbers.to}&is_test=false${filter}`;
      const { body } = await aisle.call('GET', `${chain.base}/${path}?${query}`, { token: chain.token });
      assert.deepEqual([body.total_items, body.orders.length], [numbers[name], numbers[name]], `${path} ${name}`);
    }
  }
});

test('revenue in different currencies is not added up', async () => {
  const other = await makeChain(aisle, { vendors: 2 });
  await addProducts(aisle, other, products);
  const body = { currency: 'KWD' };
  const path = `/platform/v1/chains/${other.chainId}/vendors/${other.vendors[1]}`;
  assert.equal((await aisle.call('PATCH', path, { token: aisle.platformToken, body })).status, 200);
  for (const vendor_id of other.vendors) {
    const order = await place(other, ['MILK'], 1, { vendor_id });
    await fulfilled(aisle, other, order, allPicked(order));
  }
  const { totals } = (await read(other, recently())).body;
  assert.deepEqual(totals.revenue, [
    { currency: 'AED', amount: 5 },
    { currency: 'KWD', amount: 5 },
  ]);
});

test("days begin and end in each store's time zone unless one is chosen", async () => {
  const other = await makeChain(aisle, { vendors: 2 });
  await aisle.db.query("update vendors set timezone = 'America/New_York' where chain_id = $1 and vendor_id = $2", [
    other.chainId,
    other.vendors[1],
  ]);
  const own = (await read(other, `first_day=${day(3)}`)).body;
  const hours = (store: Body) => (Date.parse(store.from) - Date.parse(`${day(3)}T00:00:00Z`)) / (60 * minute);
  const byZone = new Map(own.stores.map((store: Body) => [store.timezone, store]));
  assert.equal(hours(byZone.get('Asia/Dubai')), -4);
  assert.ok([4, 5].includes(hours(byZone.get('America/New_York'))));
  assert.deepEqual([own.totals.from, own.totals.to], [null, null]);
  const chosen = (await read(other, `first_day=${day(3)}&timezone=Asia/Kathmandu`)).body;
  assert.deepEqual(
    chosen.stores.map((store: Body) => [store.timezone, hours(store)]),
    [
      ['Asia/Kathmandu', -5.75],
      ['Asia/Kathmandu', -5.75],
    ],
  );
});

test('a period ends with the day before today', async () => {
  const lengths = { YESTERDAY: 1, LAST_7_DAYS: 7, LAST_30_DAYS: 30 };
  for (const [period, days] of Object.entries(lengths)) {
    const { stores } = (await read(chain, `period=${period}&timezone=UTC`)).body;
    const [{ from, to, last_day: last }] = stores;
    assert.equal((Date.parse(to) - Date.parse(from)) / dayMs, days, period);
    assert.ok(last < new Date().toISOString().slice(0, 10));
    assert.equal(to, new Date(Date.parse(last) + dayMs).toISOString());
  }
});

test('a token or user limited to some stores sees only those', async () => {
  const token = await makeToken(aisle, chain.chainId, { scopes: ['manage', 'orders:read'], vendor_ids: [far] });
  const user = await makeUser(aisle, chain.chainId, 'VIEWER', { vendor_ids: [far] });
  for (const limited of [token, user.session]) {
    const { stores, totals } = (await read(chain, recently(), limited)).body;
    assert.deepEqual(
      stores.map((store: Body) => store.vendor_id),
      [far],
    );
    assert.equal(totals.orders, 1);
    assertProblem(await read(chain, `vendor_id=${near}`, limited), 'forbidden');
    const found = await aisle.call('GET', `${chain.base}/orders/search`, { token: limited });
    assert.equal(found.body.total_items, 1);
    assertProblem(
      await aisle.call('GET', `${chain.base}/orders/search?vendor_id=${near}`, { token: limited }),
      'forbidden',
    );
  }
  assertProblem(await read(chain, 'vendor_id=unknown'), 'vendor_not_found');
  const picker = await makeUser(aisle, chain.chainId, 'PICKER', { vendor_ids: [far] });
  assertProblem(await read(chain, '', picker.session), 'forbidden');
});

test('invalid days and time zones are rejected', async () => {
  assertInvalid(await read(chain, `first_day=${day(61)}`), 'first_day');
  assertInvalid(await read(chain, 'first_day=2026-02-30'), 'first_day');
  assertInvalid(await read(chain, 'first_day=yesterday'), 'first_day');
  assertInvalid(await read(chain, `first_day=${day(2)}&last_day=${day(3)}`), 'last_day');
  assertInvalid(await read(chain, `first_day=${day(2)}&last_day=${day(-3)}`), 'last_day');
  assertInvalid(await read(chain, `first_day=${day(2)}&period=YESTERDAY`), 'first_day');
  assertInvalid(await read(chain, `last_day=${day(2)}`), 'first_day');
  assertInvalid(await read(chain, 'timezone=%2B04:00'), 'timezone');
  assertInvalid(await read(chain, 'period=TODAY'), 'period');
});
