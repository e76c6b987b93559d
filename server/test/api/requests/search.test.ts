import assert from 'node:assert/strict';
import test from 'node:test';
import { makeToken, type Response, useAisle } from '../../support/aisle.ts';
import { makeShop, placeOrder, putOrder } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { openRequestLog } from '../../support/requests.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle, { vendors: 2 });
const log = await openRequestLog(aisle, chain);
const get = (path: string, headers: Record<string, string> = {}, token = chain.token) =>
  aisle.call('GET', `${chain.base}${path}`, { token, headers });

const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
const sent = {
  vendors: await get('/vendors'),
  order: await get(`/orders/${order.order_id}`),
  put: await putOrder(aisle, chain, order.order_id, {}),
  unknown: await get('/orders/0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b77'),
  first: await get(`/vendors/${chain.vendors[0]}/settings`, { 'x-request-id': 'mine' }),
  second: await get(`/vendors/${chain.vendors[1]}/settings`, { 'x-request-id': 'mine' }),
};
await log.waitForCount(6);

const idOf = ({ headers }: Response) => String(headers['x-request-id']);

test('requests are listed newest first, in pages', async () => {
  const newestFirst = Object.values(sent).map(idOf).toReversed();
  const all = await log.list();
  assert.deepEqual(
    all.requests.map((entry: Response['body']) => entry.request_id),
    newestFirst,
  );
  const { requests, ...page } = await log.list('?page=2&page_size=4');
  assert.deepEqual(
    requests.map((entry: Response['body']) => entry.request_id),
    newestFirst.slice(4),
  );
  assert.deepEqual(page, { page_number: 2, page_size: 4, total_pages: 2, total_items: 6, dropped: 0 });
});

const searches: [query: string, expected: (keyof typeof sent)[]][] = [
  [`?order_id=${order.order_id}`, ['put', 'order']],
  [`?search=${order.order_id}`, ['put', 'order']],
  [`?search=${order.order_id.toUpperCase()}`, ['put', 'order']],
  [`?search=${idOf(sent.vendors)}`, ['vendors']],
  ['?search=mine', ['second', 'first']],
  [`?request_id=${idOf(sent.put)}`, ['put']],
  ['?status=404', ['unknown']],
  ['?status=4xx', ['unknown', 'put']],
  ['?status=2xx&method=GET', ['second', 'first', 'order', 'vendors']],
  ['?status=5xx', []],
  ['?method=PUT', ['put']],
  [`?vendor_id=${chain.vendors[1]}`, ['second']],
  ['?since=2100-01-01', []],
  ['?until=2020-01-01', []],
  [`?order_id=${order.order_id}&status=4xx&since=2020-01-01&until=2100-01-01`, ['put']],
];
for (const [query, expected] of searches) {
  test(`searching with ${query.replace(order.order_id, 'the order')} returns the matching requests`, async () => {
    const { requests, total_items } = await log.list(query);
    assert.deepEqual(
      requests.map((entry: Response['body']) => entry.request_id),
      expected.map((name) => idOf(sent[name])),
    );
    assert.equal(total_items, expected.length);
  });
}

test('requests can be found by the id of their token', async () => {
  const token = await makeToken(aisle, chain.chainId, { scopes: ['outlets:read'] });
  const { caller } = await log.find(await get('/vendors', {}, token));
  const { requests } = await log.list(`?caller_id=${caller.id}`);
  assert.deepEqual(
    requests.map((entry: Response['body']) => entry.caller),
    [caller],
  );
});

test('if several requests have the same id, the newest is returned, or the one received at the given time', async () => {
  const [newest, oldest] = (await log.list('?request_id=mine')).requests;
  assert.equal((await get('/requests/mine')).body.path, newest.path);
  assert.equal((await get(`/requests/mine?received_at=${oldest.received_at}`)).body.path, oldest.path);
});

test('a status filter that is neither a code nor a class is rejected', async () => {
  for (const status of ['4x', '600', 'ok']) assertInvalid(await get(`/requests?status=${status}`), 'status');
});

test('an unknown request id returns 404', async () => {
  assertProblem(await get('/requests/unknown'), 'request_not_found');
});

test('a chain sees only its own requests', async () => {
  const other = await makeShop(aisle);
  const own = await aisle.call('GET', `${other.base}/vendors`, { token: other.token });
  const otherLog = await openRequestLog(aisle, other);
  await otherLog.find(own);
  assert.equal((await otherLog.list(`?search=${order.order_id}`)).total_items, 0);
  const read = (id: string) => aisle.call('GET', `${other.base}/requests/${id}`, { token: other.token });
  assertProblem(await read(idOf(sent.vendors)), 'request_not_found');
  assertProblem(await get(`/requests/${idOf(own)}`), 'request_not_found');
});

test("a request for another chain is recorded in the token's own chain", async () => {
  const other = await makeShop(aisle);
  const response = await aisle.call('GET', `${other.base}/vendors`, { token: chain.token });
  assertProblem(response, 'chain_not_found');
  assert.equal((await log.find(response)).path, `${other.base}/vendors`);
  assert.equal((await (await openRequestLog(aisle, other)).list()).total_items, 0);
});

test('a token restricted to a vendor sees only requests for that vendor', async () => {
  const vendor_ids = [String(chain.vendors[0])];
  const token = await makeToken(aisle, chain.chainId, { scopes: ['manage'], vendor_ids });
  const { body } = await get('/requests', {}, token);
  assert.deepEqual(
    body.requests.map((entry: Response['body']) => entry.path),
    [`${chain.base}/vendors/${chain.vendors[0]}/settings`],
  );
  assertProblem(await get(`/requests/${idOf(sent.vendors)}`, {}, token), 'request_not_found');
  assert.equal((await get('/requests/mine', {}, token)).body.vendor_id, chain.vendors[0]);
});
