import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { migrate } from '../../../src/kernel/database/migrate.ts';
import { makeToken, type Response, useAisle, type TestChain } from '../../support/aisle.ts';
import { addProducts, readProduct } from '../../support/catalog.ts';
import { changeVendor, eventNames, makeShop, newOrder, placeOrder, report } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle, { vendors: 2 });
const milk = { sku: 'MILK', quantity: 1 };

const post = (external_order_id: unknown, on: TestChain = chain, more = {}, headers = {}): Promise<Response> =>
  aisle.call('POST', '/platform/v1/orders', {
    token: aisle.platformToken,
    headers,
    body: newOrder(on, [milk], { external_order_id, ...more }),
  });

function assertTaken(response: Response, orderId: string): void {
  assertProblem(response, 'external_order_id_taken');
  assert.equal(response.body.order_id, orderId);
}

describe('a second order with the same external_order_id', () => {
  test("a second order with the same external id in the chain is rejected with the first order's id", async () => {
    const first = await placeOrder(aisle, chain, [milk], { external_order_id: 'twice' });
    assertTaken(await post('twice'), first.order_id);
    assertTaken(await post('twice', chain, { vendor_id: chain.vendors[1] }), first.order_id);
    assert.deepEqual(await eventNames(aisle, first.order_id), ['received']);
  });

  test('an external id stays taken if the product sells out, the store closes or the order is cancelled', async () => {
    await addProducts(aisle, chain, [{ sku: 'LAST', title: 'Last', price: 1, quantity: 1 }]);
    const items = [{ sku: 'LAST', quantity: 1 }];
    const first = await placeOrder(aisle, chain, items, { external_order_id: 'last' });
    assertTaken(await post('last', chain, { items }), first.order_id);
    assert.equal((await readProduct(aisle, chain, 'LAST')).quantity, 0);
    const status = `${chain.base}/vendors/${chain.vendors[0]}/status`;
    await aisle.call('PUT', status, { token: chain.token, body: { status: 'CLOSED_TODAY' } });
    assertTaken(await post('last'), first.order_id);
    await report(aisle, first.order_id, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'LATE' });
    assertTaken(await post('last'), first.order_id);
    await aisle.call('PUT', status, { token: chain.token, body: { status: 'OPEN' } });
  });

  test('the same external id is accepted in another chain, and several orders can omit it', async () => {
    const other = await makeShop(aisle);
    assert.equal((await post('shared')).status, 201);
    for (const response of [await post('shared', other), await post('SHARED'), await post('shared ')]) {
      assert.equal(response.status, 201, response.text);
    }
    for (const none of ['', undefined, null, '']) {
      const { status, body } = await post(none);
      assert.deepEqual([status, body.external_order_id], [201, null]);
    }
  });

  test('a request with the same external id and idempotency key returns the first order again', async () => {
    const key = { 'idempotency-key': 'external-1' };
    const first = await post('keyed', chain, {}, key);
    const again = await post('keyed', chain, {}, key);
    assert.deepEqual([first.status, again.status], [201, 201]);
    assert.deepEqual(again.body, first.body);
    assertTaken(await post('keyed', chain, {}, { 'idempotency-key': 'external-2' }), first.body.order_id);
  });

  test('of ten concurrent requests with the same external id, only one places an order', async () => {
    await addProducts(aisle, chain, [{ sku: 'RACE', title: 'Race', price: 1, quantity: 50 }]);
    const body = { items: [{ sku: 'RACE', quantity: 1 }] };
    const all = await Promise.all(Array.from({ length: 10 }, () => post('race', chain, body)));
    const placed = all.filter(({ status }) => status === 201);
    assert.equal(placed.length, 1);
    for (const response of all) if (response !== placed[0]) assertTaken(response, placed[0]?.body.order_id);
    assert.equal((await readProduct(aisle, chain, 'RACE')).quantity, 49);
    const [row] = await aisle.db.query(
      "select count(*)::int as n from events where body->>'external_order_id' = 'race'",
    );
    assert.deepEqual(row, { n: 1 });
  });

  test('the sandbox rejects a second order with the same external id', async () => {
    await changeVendor(aisle, chain, { settings: { test: true } });
    const first = await placeOrder(aisle, chain, [milk], { external_order_id: 'sandbox' });
    const { chain_id: _, ...body } = newOrder(chain, [milk], { external_order_id: 'sandbox' });
    assertTaken(await aisle.call('POST', `${chain.base}/sandbox/orders`, { token: chain.token, body }), first.order_id);
  });

  test('a credential without access to the store of the existing order does not get its id', async () => {
    await changeVendor(aisle, chain, { settings: { test: true } });
    const on = { external_order_id: 'other-store', vendor_id: chain.vendors[1] };
    const { order_id } = await placeOrder(aisle, chain, [milk], on);
    const vendor_ids = [String(chain.vendors[0])];
    const token = await makeToken(aisle, chain.chainId, { scopes: ['manage'], vendor_ids });
    const { chain_id: _, ...body } = newOrder(chain, [milk], { external_order_id: 'other-store' });
    const response = await aisle.call('POST', `${chain.base}/sandbox/orders`, { token, body });
    assertProblem(response, 'external_order_id_taken');
    assert.equal(response.text.includes(order_id), false);
  });
});

test('a database with duplicate external order ids can be migrated, and then rejects new duplicates', async () => {
  const orders = [];
  for (let count = 0; count < 3; count++) orders.push(await placeOrder(aisle, chain, [milk]));
  await aisle.db.query('alter table orders drop column has_repeated_external_id cascade');
  const ids = orders.map(({ order_id }) => order_id);
  await aisle.db.query("update orders set external_order_id = 'old' where order_id = any ($1)", [ids]);
  const file = new URL('../../../migrations/0011_unique_external_order_ids.sql', import.meta.url);
  await migrate(aisle.db, [{ version: 9999, name: 'again', sql: await readFile(file, 'utf8') }]);
  assertTaken(await post('old'), ids[0]);
  assert.equal((await post('new')).status, 201);
});
