import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Response, makeChain, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import {
  changeVendor,
  eventNames,
  makeShop,
  newOrder,
  placeOrder,
  readEvents,
  snapshot,
  readOrder,
} from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

let aisle: TestAisle;
let chain: TestChain;

before(async () => {
  aisle = await useAisle();
  chain = await makeShop(aisle);
  await addProducts(aisle, chain, [
    { sku: 'LIMITED', title: 'Limited', price: 1, maximum_sales_quantity: 3 },
    { sku: 'LIMITED-KG', title: 'Limited', price: 1, maximum_sales_quantity: 3, is_sold_by_weight: true },
    { sku: 'NONE', title: 'None may be sold', price: 1, maximum_sales_quantity: 0 },
    { sku: 'EMPTY', title: 'Empty', price: 1, quantity: 0 },
    { sku: 'EMPTY-KG', title: 'Empty', price: 1, quantity: 0, is_sold_by_weight: true },
    { sku: 'FEW', title: 'Few', price: 1, quantity: 2 },
  ]);
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  aisle.call('POST', '/platform/v1/orders', { token: aisle.platformToken, body, headers });
const milk = { sku: 'MILK', quantity: 1 };
const counts = async () => aisle.db.query('select (select count(*) from orders), (select count(*) from events)');

/** Checks that the order is rejected for these reasons (`pointer code`), and that nothing is stored. */
async function assertRejected(body: unknown, ...reasons: string[]): Promise<Response> {
  const before = await counts();
  const response = await post(body);
  assertInvalid(response, ...reasons.map((reason) => reason.split(' ')[0] ?? ''));
  const found = new Set(response.body.errors.map((error: Response['body']) => `${error.pointer} ${error.code}`));
  for (const reason of reasons) if (reason.includes(' ')) assert.ok(found.has(reason), response.text);
  assert.deepEqual(await counts(), before);
  return response;
}
const assertItemsRejected = (items: unknown[], ...reasons: string[]) =>
  assertRejected(newOrder(chain, items), ...reasons);

describe('placed orders', () => {
  test('every field of a new order is in the response and in the webhook', async () => {
    const delivery_address = {
      country: 'AE',
      city: 'Dubai',
      street: 'Marina Walk',
      number: '12',
      zipcode: '00000',
      suburb: 'Marina',
      building: 'B',
      floor: '3',
      apartment: '31',
      entrance: 'North',
      instructions: 'Ring twice',
      latitude: 25.08,
      longitude: 55.14,
      formattedAddress: 'Marina Walk 12, Dubai',
    };
    const customer = { first_name: 'Sam', last_name: 'Ito', phone_number: '+971500000000', delivery_address };
    const replacement = { preference: 'CALL_ME', suggestions: [{ sku: 'TEA' }, { sku: 'NOWHERE' }] };
    const items = [
      { ...milk, instructions: 'cold', replacement },
      { sku: 'HAM', weight: 0.5 },
    ];
    const order = await placeOrder(aisle, chain, items, {
      customer,
      comment: 'No bag',
      external_order_id: 'X-1',
      promised_for: '2031-05-04T12:00:00+04:00',
    });
    const { _id, ...person } = order.customer;
    assert.deepEqual(person, customer);
    assert.ok(_id);
    assert.deepEqual(
      [order.comment, order.external_order_id, order.promised_for, order.isPreorder],
      ['No bag', 'X-1', '2031-05-04T08:00:00.000Z', true],
    );
    assert.deepEqual(order.items[0].replacement, {
      preference: 'CALL_ME',
      suggestions: [
        { sku: 'TEA', name: 'Tea' },
        { sku: 'NOWHERE', name: 'NOWHERE' },
      ],
    });
    assert.equal(order.items[0].instructions, 'cold');
    assert.deepEqual(order.items[0].barcode, ['6291000000017']);
    assert.deepEqual(await readEvents(aisle, order.order_id), [{ type: 'order.received', body: snapshot(order) }]);
    assert.deepEqual(await readOrder(aisle, chain, order.order_id), order);
  });

  test('a minimal order has nulls only where the contract allows them, and no fields that belong to other events', async () => {
    const order = await placeOrder(aisle, chain, [milk]);
    const nulls = new Set(['accepted_for', 'promised_for', 'comment', 'external_order_id', 'instructions', 'customer']);
    JSON.stringify(order, (key, value) => {
      if (value === null) assert.ok(nulls.has(key), `${key} is null`);
      return value;
    });
    for (const name of [
      'job_id',
      'platform_vendor_id',
      'download_url',
      'cancellation',
      'post_pickup_flag',
      'warnings',
    ]) {
      assert.equal(name in order, false, name);
    }
    const [item] = order.items;
    for (const name of ['replaced_id', 'replacement', 'promotion', 'image_url'])
      assert.equal(name in item, false, name);
    assert.equal('weight' in item.pricing, false);
    assert.deepEqual(
      [order.status, order.order_type, order.isPreorder, order.is_test, order.promotion_status, order.revision],
      ['RECEIVED', 'DELIVERY', false, false, 'UNAVAILABLE', 1],
    );
  });

  test('null in a new order means absent', async () => {
    const order = await placeOrder(aisle, chain, [{ ...milk, weight: null, instructions: null, replacement: null }], {
      comment: null,
      promised_for: null,
      order_type: null,
      customer: {
        first_name: 'Sam',
        phone_number: '1',
        last_name: null,
        delivery_address: { city: null, street: 'S' },
      },
    });
    assert.deepEqual(order.customer.delivery_address, { street: 'S' });
    assert.equal('last_name' in order.customer, false);
  });

  test("an order's store can be identified by its platform id or its external id", async () => {
    const [store] = chain.vendors;
    const order = await placeOrder(aisle, chain, [milk], { vendor_id: 'ext-1' });
    assert.deepEqual(order.client, {
      id: order.client.id,
      chain_id: chain.chainId,
      name: 'Store 1',
      country_code: 'AE',
      store_id: store,
      external_partner_config_id: 'ext-1',
    });
  });

  test("if a product has no title, its SKU is used as the item's name, so a name is never empty", async () => {
    await addProducts(aisle, chain, [{ sku: 'NAMELESS', title: { fr_FR: 'Sans nom' }, price: 1 }]);
    const { items } = await placeOrder(aisle, chain, [{ sku: 'NAMELESS', quantity: 1 }]);
    assert.ok(items[0].name.length > 0);
  });

  test("an order's transport_type defaults to that of its store", async () => {
    assert.equal((await placeOrder(aisle, chain, [milk])).transport_type, 'LOGISTICS_DELIVERY');
    await changeVendor(aisle, chain, { transport_type: 'VENDOR_DELIVERY' });
    assert.equal((await placeOrder(aisle, chain, [milk])).transport_type, 'VENDOR_DELIVERY');
    const chosen = await placeOrder(aisle, chain, [milk], { transport_type: 'LOGISTICS_DELIVERY' });
    assert.equal(chosen.transport_type, 'LOGISTICS_DELIVERY');
    await assertRejected(newOrder(chain, [milk], { order_type: 'PICKUP' }), '/transport_type not_allowed');
    await changeVendor(aisle, chain, { transport_type: 'LOGISTICS_DELIVERY' });
  });

  test('a PICKUP order must have the transport_type LOGISTICS_DELIVERY', async () => {
    const pickup = { order_type: 'PICKUP' };
    assert.equal((await placeOrder(aisle, chain, [milk], pickup)).order_type, 'PICKUP');
    const body = newOrder(chain, [milk], { ...pickup, transport_type: 'VENDOR_DELIVERY' });
    await assertRejected(body, '/transport_type not_allowed');
  });

  test('requests with the same idempotency key place one order', async () => {
    const key = { 'idempotency-key': 'place-1' };
    const [first, second] = [await post(newOrder(chain, [milk]), key), await post(newOrder(chain, [milk]), key)];
    assert.equal(second.status, 201);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(await eventNames(aisle, first.body.order_id), ['received']);
    const rows = await aisle.db.query('select 1 from orders where order_id = $1', [first.body.order_id]);
    assert.equal(rows.length, 1);
  });
});

describe('invalid orders are rejected with a pointer', () => {
  const cases: [string, unknown[], ...string[]][] = [
    ['an unknown SKU', [milk, { sku: 'NOWHERE', quantity: 1 }], '/items/1/sku unknown_sku'],
    ['an inactive SKU', [{ sku: 'OLD', quantity: 1 }], '/items/0/sku inactive'],
    ['a SKU that is sold out', [milk, { sku: 'EMPTY', quantity: 1 }], '/items/1/sku unavailable'],
    ['a SKU sold by weight that is sold out', [{ sku: 'EMPTY-KG', weight: 1 }], '/items/0/sku unavailable'],
    ['a SKU whose maximum is 0', [{ sku: 'NONE', quantity: 1 }], '/items/0/sku unavailable'],
    ['the same SKU twice', [milk, { sku: 'TEA', quantity: 1 }, milk], '/items/2/sku named_twice'],
    ['a quantity above the maximum', [{ sku: 'LIMITED', quantity: 4 }], '/items/0/quantity above_maximum'],
    ['a weight above the maximum', [{ sku: 'LIMITED-KG', weight: 3.001 }], '/items/0/weight above_maximum'],
    [
      'a weight for a UNIT item',
      [{ sku: 'MILK', weight: 1 }],
      '/items/0/quantity missing',
      '/items/0/weight not_allowed',
    ],
    [
      'a quantity for a KG item',
      [{ sku: 'HAM', quantity: 2 }],
      '/items/0/weight missing',
      '/items/0/quantity not_allowed',
    ],
    ['neither quantity nor weight', [{ sku: 'MILK' }, { sku: 'HAM' }], '/items/0/quantity', '/items/1/weight'],
    ['a quantity of 0', [{ sku: 'MILK', quantity: 0 }], '/items/0/quantity'],
    ['a fractional quantity', [{ sku: 'MILK', quantity: 1.5 }], '/items/0/quantity not_whole'],
    ['a weight of 0', [{ sku: 'HAM', weight: 0 }], '/items/0/weight'],
    ['a weight below a gram', [{ sku: 'HAM', weight: 0.0009 }], '/items/0/weight'],
    ['an item without a SKU', [{ quantity: 1 }], '/items/0/sku'],
    ['no items', [], '/items'],
    [
      'several invalid items',
      [{ sku: 'NOWHERE', quantity: 1 }, milk, { sku: 'OLD', quantity: 1 }, { sku: 'LIMITED', quantity: 9 }],
      '/items/0/sku unknown_sku',
      '/items/2/sku inactive',
      '/items/3/quantity above_maximum',
    ],
    [
      'a replacement preference that is too long',
      [{ ...milk, replacement: { preference: 'x'.repeat(65) } }],
      '/items/0/replacement/preference',
    ],
  ];
  for (const [name, items, ...reasons] of cases) {
    test(`an order with ${name} is rejected`, () => assertItemsRejected(items, ...reasons).then(() => {}));
  }

  test('an order for exactly the maximum quantity is accepted', async () => {
    await placeOrder(aisle, chain, [
      { sku: 'LIMITED', quantity: 3 },
      { sku: 'LIMITED-KG', weight: 3 },
    ]);
  });

  test("an order is rejected as sold out if the product's stock is within the store's sales buffer", async () => {
    await changeVendor(aisle, chain, { settings: { sales_buffer: 2 } });
    await assertItemsRejected([{ sku: 'FEW', quantity: 1 }], '/items/0/sku unavailable');
    await changeVendor(aisle, chain, { settings: { sales_buffer: 1 } });
    await placeOrder(aisle, chain, [{ sku: 'FEW', quantity: 1 }]);
    await changeVendor(aisle, chain, { settings: { sales_buffer: 0 } });
  });

  const bodies: [Record<string, unknown>, ...string[]][] = [
    [{ customer: undefined }, '/customer'],
    [{ customer: { first_name: 'Sam' } }, '/customer/phone_number'],
    [{ customer: { phone_number: '1' } }, '/customer/first_name'],
    [{ payment: undefined }, '/payment'],
    [{ payment: {} }, '/payment/type'],
    [{ payment: { type: 'PAID', delivery_fee: -1 } }, '/payment/delivery_fee'],
    [{ transport_type: 'DRONE' }, '/transport_type'],
    [{ order_type: 'EAT_IN' }, '/order_type'],
    [{ promised_for: '2031-02-30T00:00:00Z' }, '/promised_for'],
    [{ chain_id: 'x' }, '/chain_id'],
    [{ vendor_id: undefined }, '/vendor_id'],
  ];
  for (const [more, ...pointers] of bodies) {
    test(`an order with ${JSON.stringify(more, (_, value) => value ?? null)} is rejected`, () =>
      assertRejected(newOrder(chain, [milk], more), ...pointers).then(() => {}));
  }

  test("a fee is rejected even if it exceeds the maximum only after rounding to the currency's minor unit", () =>
    assertRejected(
      { ...newOrder(chain, [milk]), payment: { type: 'PAID', delivery_fee: 9_999_999.995 } },
      '/payment/delivery_fee out_of_range',
    ).then(() => {}));

  test("an order for an unknown chain or store, or for another chain's store, is rejected", async () => {
    const other = await makeChain(aisle, { vendors: 1 });
    const stranger = { chain_id: '0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4' };
    assertProblem(await post(newOrder(chain, [milk], stranger)), 'chain_not_found');
    for (const vendor_id of ['zzzzzz', other.vendors[0]]) {
      assertProblem(await post(newOrder(chain, [milk], { vendor_id })), 'vendor_not_found');
    }
  });

  test('a chain token cannot place orders', async () => {
    const body = newOrder(chain, [milk]);
    assertProblem(await aisle.call('POST', '/platform/v1/orders', { token: chain.token, body }), 'forbidden');
  });
});
