import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test, { after, before } from 'node:test';
import { startTestAisle, type OwnAisle, type TestAisle, type TestChain } from '../../support/aisle.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import { makeShop, placeOrder, snapshot } from '../../support/orders.ts';
import { waitFor } from '../../support/wait.ts';

let aisle: OwnAisle;
let chain: TestChain;
let url: string;
const orders = 30;

before(async () => {
  aisle = await startTestAisle({ AISLE_LOG_LEVEL: 'error' });
  chain = await makeShop(aisle);
  const { order_id } = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 2 }]);
  await growOrder(order_id);
  await copyEvent(order_id);
  url = await aisle.aisle.http.listen({ host: '127.0.0.1', port: 0 });
});
after(() => aisle.stop());

const paths = {
  orders: () => `/vendors/${chain.vendors[0]}/orders?page_size=500`,
  'orders as a bare list': () => `/vendors/${chain.vendors[0]}?page_size=500`,
  events: () => '/events?limit=500',
};

for (const [what, path] of Object.entries(paths)) {
  test(`other requests are served while a large page of ${what} is built`, async () => {
    // Compilation and warm-up are not part of the measurement.
    await read(path());
    let isDone = false;
    const page = read(path()).finally(() => {
      isDone = true;
    });
    let responded = 0;
    for (; !isDone; responded++) await read('/settings');
    assert.ok((await page).length > 10_000_000);
    // If building the page blocked the event loop, only one or two other requests would be served.
    assert.ok(responded > 4, `${responded} were served`);
  });
}

test('a page sent in chunks contains exactly the same text as its items read one by one', async () => {
  const bare = await read(paths['orders as a bare list']());
  const ids = JSON.parse(bare).map((order: { order_id: string }) => order.order_id);
  assert.equal(ids.length, orders);
  const singles: string[] = [];
  for (const id of ids) singles.push(await read(`/orders/${id}`));
  assert.equal(bare, `[${singles.join(',')}]`);
  const tail = `"page_number":1,"page_size":500,"total_pages":1,"total_items":${orders}`;
  assert.equal(await read(paths.orders()), `{"orders":${bare},${tail}}`);
  const feed = await read(paths.events());
  assert.equal(feed, JSON.stringify(JSON.parse(feed)));
  assert.equal(JSON.parse(feed).events.length, orders);
});

test('a client that does not read a large page is disconnected', async (t) => {
  const { aisle: impatient, stop } = await aisle.another({ AISLE_IDLE_SECONDS: '2' });
  t.after(stop);
  const accepted = once(impatient.http.server, 'connection') as Promise<[Socket]>;
  const { port } = new URL(await impatient.http.listen({ host: '127.0.0.1', port: 0 }));
  const reader = connect(Number(port), '127.0.0.1').pause();
  const [socket] = await accepted;
  reader.write(requestFor(paths.orders()));
  await waitFor('the response to start', () => socket.bytesWritten > 0);
  assert.equal(socket.destroyed, false);
  await waitFor('the connection to be closed', () => socket.destroyed, 30);
  reader.destroy();
});

test('large pages that are not read use a limited amount of memory, and further ones return 503', async (t) => {
  const limits = { AISLE_MAX_CATALOG_BYTES: '1048576', AISLE_BODY_MEMORY: String(48 * 1024 * 1024) };
  const small = await aisle.another({ ...limits, AISLE_IDLE_SECONDS: '300' });
  t.after(small.stop);
  const port = Number(new URL(await small.aisle.http.listen({ host: '127.0.0.1', port: 0 })).port);
  const readers: Socket[] = [];
  t.after(() => readers.forEach((reader) => reader.destroy()));
  for (let count = 0; count < 4; count++) readers.push(await startReading(small, port));
  const page = () => small.call('GET', chain.base + paths.orders(), { token: chain.token });
  const rejected = await page();
  assert.equal(rejected.status, 503);
  assert.match(rejected.body.detail, /request smaller pages/);
  const other = `${chain.base}${paths.orders().replace('500', '1')}`;
  assert.equal((await small.call('GET', other, { token: chain.token })).status, 200);
  for (const reader of readers) reader.destroy();
  await waitFor('a page to be accepted', async () => (await page()).status === 200, 30);
});

test('a client that disconnects while a large page is being sent causes no error in the log', async () => {
  for (const name of Object.keys(paths) as (keyof typeof paths)[]) {
    const accepted = once(aisle.aisle.http.server, 'connection') as Promise<[Socket]>;
    const reader = connect(Number(new URL(url).port), '127.0.0.1').pause();
    const [socket] = await accepted;
    reader.write(requestFor(paths[name](), 'gzip'));
    await waitFor('the response to start', () => socket.bytesWritten > 0);
    reader.destroy();
    await waitFor('the connection to be closed', () => socket.destroyed);
  }
  // An error would be logged in the event loop turn that closes the connection, or in the next turn.
  await read('/settings');
  assert.deepEqual(aisle.logged, []);
});

test('a HEAD request for a large page has no body', async () => {
  const response = await fetch(url + chain.base + paths.orders(), { method: 'HEAD', headers: credentials() });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(await response.text(), '');
});

/** Requests a large page and does not read it. Returns when the response has been started. */
async function startReading({ aisle: { http } }: TestAisle, port: number): Promise<Socket> {
  const accepted = once(http.server, 'connection') as Promise<[Socket]>;
  const reader = connect(port, '127.0.0.1').pause();
  reader.write(requestFor(paths.orders()));
  const [socket] = await accepted;
  await waitFor('the response to start', () => socket.bytesWritten > 0, 30);
  return reader;
}

function requestFor(path: string, encoding = 'identity'): string {
  const head = [
    `GET ${chain.base}${path} HTTP/1.1`,
    'Host: a',
    `Accept-Encoding: ${encoding}`,
    `Authorization: Bearer ${chain.token}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n`;
}

function credentials() {
  return { authorization: `Bearer ${chain.token}` };
}

async function read(path: string): Promise<string> {
  const response = await fetch(url + chain.base + path, { headers: credentials() });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text;
}

/** Gives the order 1,000 line items, and copies the order. */
async function growOrder(orderId: string): Promise<void> {
  const [stored] = await aisle.db.query<{ items: object[] }>(
    'select items from orders where chain_id = $1 and order_id = $2',
    [chain.chainId, orderId],
  );
  const items = Array.from({ length: 1000 }, () => ({ ...stored?.items[0], id: newId() }));
  await aisle.db.query('update orders set items = $3 where chain_id = $1 and order_id = $2', [
    chain.chainId,
    orderId,
    JSON.stringify(items),
  ]);
  const [row] = await aisle.db.query<{ json: object }>(
    'select to_jsonb(o) as json from orders o where chain_id = $1 and order_id = $2',
    [chain.chainId, orderId],
  );
  await aisle.db.query(
    `insert into orders
     select copied.* from generate_series(2, $2::int) n cross join lateral jsonb_populate_record(null::orders,
       $1::jsonb || jsonb_build_object('order_id', gen_random_uuid(),
         'created_at', ($1::jsonb ->> 'created_at')::timestamptz - n * interval '1 minute')) copied`,
    [JSON.stringify(row?.json), orders],
  );
}

/** Replaces all events with copies of one event that contains the whole order. */
async function copyEvent(orderId: string): Promise<void> {
  const { body } = await aisle.call('GET', `${chain.base}/orders/${orderId}`, { token: chain.token });
  await aisle.db.query('delete from events');
  await aisle.db.query(
    `insert into events (chain_id, event_id, type, vendor_id, order_id, body, position)
     select $1, gen_random_uuid(), 'order.received', $2, $3, $4, nextval('event_positions')
     from generate_series(1, $5)`,
    [chain.chainId, chain.vendors[0], orderId, JSON.stringify(snapshot(body)), orders],
  );
}
