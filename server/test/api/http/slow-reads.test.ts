import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallOptions, makeChain, type Response, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, catalogPath, plainProducts, putProducts } from '../../support/catalog.ts';
import { countLockWaits, holdLocks } from '../../support/lock-waits.ts';
import { allPicked, makeShop, placeOrder } from '../../support/orders.ts';
import { waitFor } from '../../support/wait.ts';

// Nothing works in the background, and requests wait for as long as the test takes.
const aisle = await useOwnAisle({ AISLE_STATEMENT_SECONDS: '60', AISLE_LOCK_SECONDS: '60' }, 'api');
const chain = await makeShop(aisle);

test('large pages and reads that count everything a chain has stored are slow reads', async () => {
  const vendor = `/vendors/${chain.vendors[0]}`;
  const cases: [path: string, table: string][] = [
    ['/catalog/offers?sku=MILK', 'offers'],
    ['/catalog/jobs', 'jobs'],
    ['/promotions', 'promotions'],
    ['/files', 'files'],
    ['/deliveries', 'deliveries'],
    ['/requests', 'requests'],
    ['/catalog/orders?sku=MILK', 'orders'],
    ['/statistics', 'tallies'],
    ['/checklist', 'orders'],
    [`${vendor}/categories`, 'offers'],
    [`${vendor}/catalog?is_active=false`, 'offers'],
    [`${vendor}/catalog?page_size=101`, 'offers'],
  ];
  for (const [path, table] of cases) await assertSlow(path, table);
});

test('a few pages of a chain find their promotions at the same time', async () => {
  const placed = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const pages = [`/vendors/${chain.vendors[0]}/catalog`, '/catalog', `/orders/${placed.order_id}/picking/products`];
  for (const page of pages) await assertSlow(page, 'promotion_offers');
});

test('a promotion, whose products are counted, is a slow read', async () => {
  const promotionId = randomUUID();
  await aisle.db.query(
    `insert into promotions (chain_id, promotion_id, identity_hash, type, display_name, start_time, end_time, is_published)
     values ($1, $2, '', 'STRIKETHROUGH', '{}', now(), now() + interval '1 day', true)`,
    [chain.chainId, promotionId],
  );
  await assertSlow(`/promotions/${promotionId}`, 'promotion_entries');
});

test('candidates for a replacement, which are compared with all similar titles, are slow reads', async () => {
  const placed = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const item = placed.items[0]._id;
  await assertSlow(`/orders/${placed.order_id}/items/${item}/replacement-candidates`, 'products');
});

test('pages with large items are slow reads, too', async () => {
  const text = 'x'.repeat(250_000);
  await aisle.db.query("update products set descriptions = jsonb_build_object('en_SG', $2::text) where chain_id = $1", [
    chain.chainId,
    text,
  ]);
  const lists = [`/vendors/${chain.vendors[0]}/catalog?page_size=`, '/catalog?limit='];
  for (const list of lists) {
    // The size of the items is known from earlier pages.
    assert.match((await read(`${list}1`)).text, /xxxx/);
    await assertSlow(`${list}2`, 'offers');
  }
});

test('pages with large events are slow reads, also if the request can wait for an event', async () => {
  const body = JSON.stringify({ text: 'x'.repeat(250_000) });
  await aisle.db.query(
    `insert into events (chain_id, event_id, type, vendor_id, order_id, body, position)
     select $1, gen_random_uuid(), 'order.received', $2, gen_random_uuid(), $3, nextval('event_positions')
     from generate_series(1, 2)`,
    [chain.chainId, chain.vendors[0], body],
  );
  assert.match((await read('/events?after=0&limit=1')).text, /xxxx/);
  await assertSlow('/events?after=0&limit=2', 'events');
  await assertSlow('/events?after=0&limit=2&wait=1', 'events');
  await aisle.db.query('delete from events where chain_id = $1', [chain.chainId]);
});

test('the picking queue of more than 100 stores is a slow read', async () => {
  await aisle.db.query(
    `insert into vendors select (jsonb_populate_record(v, jsonb_build_object('vendor_id', 's' || n, 'external_id', 'e' || n))).*
     from vendors v, generate_series(1, 100) n where chain_id = $1 and vendor_id = $2`,
    [chain.chainId, chain.vendors[0]],
  );
  await assertSlow('/picking/queue', 'orders');
});

test('requests for large orders are limited, too, also if they change the order or have an idempotency key', async () => {
  const placed = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  await aisle.db.query(
    "update orders set items = jsonb_set(items, '{0,instructions}', to_jsonb($3::text)) where chain_id = $1 and order_id = $2",
    [chain.chainId, placed.order_id, 'x'.repeat(100_000)],
  );
  const path = `/orders/${placed.order_id}`;
  const change = (more: CallOptions = {}) =>
    aisle.call('PUT', `${chain.base}${path}`, {
      token: chain.token,
      body: { status: 'UPDATE_CART', items: allPicked(placed) },
      ...more,
    });
  assert.equal((await change()).status, 200);
  assert.equal((await read(path)).status, 200);
  await assertSlow(path, 'orders');
  await assertSlow(path, 'orders', () => change());
  await assertSlow(path, 'orders', () => change({ headers: { 'idempotency-key': randomUUID() } }));
});

test('updates of single products that share a statement do not count as one large row', async () => {
  const other = await makeChain(aisle, { vendors: 1 });
  const products = plainProducts(150);
  await addProducts(aisle, other, products);
  await aisle.db.query("update products set descriptions = jsonb_build_object('en_SG', $2::text) where chain_id = $1", [
    other.chainId,
    'x'.repeat(8000),
  ]);
  const put = (sku: string) => putProducts(aisle, other, [{ sku, price: 3 }]);
  const updated = await Promise.all(products.map(({ sku }) => put(sku)));
  for (const { status, text } of updated) assert.equal(status, 200, text);
  const names = ['SKU-00001', 'SKU-00002', 'SKU-00003', 'SKU-00004'];
  const unlock = await holdLocks(aisle.db, 'lock table offer_history in access exclusive mode');
  // With an idempotency key, each update has a statement of its own.
  const updates = names.map((sku) =>
    aisle.call('PUT', catalogPath(other), {
      token: other.token,
      body: { products: [{ sku, price: 4 }] },
      headers: { 'idempotency-key': randomUUID() },
    }),
  );
  await waitFor('all updates', async () => (await countLockWaits(aisle.db, 'relation')) >= names.length);
  await unlock();
  for (const { status, text } of await Promise.all(updates)) assert.equal(status, 200, text);
});

/** Asserts that the chain's reads are not executed all at the same time. */
async function assertSlow(path: string, table: string, send = () => read(path)): Promise<void> {
  const unlock = await holdLocks(aisle.db, `lock table ${table} in access exclusive mode`);
  const reads: Promise<Response>[] = [];
  for (let count = 0; count < 6; count++) {
    reads.push(send());
    // Statements that start together could be sent together.
    await sleep(30);
  }
  await waitFor(`two reads of ${path}`, async () => (await countLockWaits(aisle.db, 'relation')) >= 2);
  await sleep(200);
  // A read can use two connections, one of them to count.
  assert.ok((await countLockWaits(aisle.db, 'relation')) <= 4, path);
  await unlock();
  for (const response of await Promise.all(reads)) assert.equal(response.status, 200, response.text);
}

function read(path: string): Promise<Response> {
  return aisle.call('GET', `${chain.base}${path}`, { token: chain.token });
}
