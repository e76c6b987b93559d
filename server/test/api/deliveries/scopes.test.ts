import assert from 'node:assert/strict';
import test from 'node:test';
import { makeChain, makeToken, makeUser, type Response, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts } from '../../support/catalog.ts';
import { assertProblem } from '../../support/problem.ts';
import { useReceivers } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { changeOrder, setWebhook } from '../../support/webhooks.ts';

const aisle = await useAisle();
const receiver = await useReceivers()();
receiver.respondWith((response) => void response.writeHead(500).end());
const chain = await makeChain(aisle);
await addProducts(aisle, chain, plainProducts(1));
await setWebhook(aisle, chain, { production_url: receiver.url });

/** The chain has an order event at each of two stores, and a finished export at the first. */
const [first, second] = chain.vendors as [string, string];
await changeOrder(aisle, chain);
await changeOrder(aisle, chain, { vendor: second });
await aisle.call('POST', `${chain.base}/vendors/${first}/catalog/export`, { token: chain.token });
await aisle.call('POST', `${chain.base}/webhook/ping`, { token: chain.token });
await waitFor('all deliveries', async () => {
  const { deliveries } = (await get('/deliveries', chain.token)).body;
  return deliveries.length === 4 && deliveries.every(({ status }: Response['body']) => status !== 'PENDING');
});

const scoped = (...scopes: string[]) => makeToken(aisle, chain.chainId, { scopes });
const sees = {
  orders: ['order.received', 'order.received'],
  catalog: ['catalog.export_finished'],
  ping: ['webhook.ping'],
};

test('the feed shows order events only with orders:read and catalog events only with catalog:read', async () => {
  const feed = async (token: string) => typesOf((await get('/events', token)).body.events);
  assert.deepEqual(await feed(await scoped('orders:read')), sees.orders);
  assert.deepEqual(await feed(await scoped('catalog:read')), sees.catalog);
  assert.deepEqual(await feed(await scoped('orders:read', 'catalog:read')), [...sees.catalog, ...sees.orders]);
  assertProblem(await get('/events', await scoped('manage', 'orders:write', 'outlets:read')), 'forbidden');
});

test('the cursor advances past events that the token cannot see', async () => {
  const all = (await get('/events', chain.token)).body.next_cursor;
  const { body } = await get('/events?limit=1', await scoped('catalog:read'));
  assert.equal((await get(`/events?after=${body.next_cursor}`, await scoped('catalog:read'))).body.next_cursor, all);
});

test('the list of deliveries always contains pings, and other events only if the token has their scope', async () => {
  const list = async (token: string) => {
    const { body } = await get('/deliveries', token);
    assert.equal(body.total_items, body.deliveries.length);
    return typesOf(body.deliveries);
  };
  assert.deepEqual(await list(await scoped('manage')), sees.ping);
  assert.deepEqual(await list(await scoped('manage', 'orders:read')), [...sees.orders, ...sees.ping]);
  assert.deepEqual(await list(await scoped('manage', 'catalog:read')), [...sees.catalog, ...sees.ping]);
  assert.deepEqual(await list(chain.token), [...sees.catalog, ...sees.orders, ...sees.ping]);
});

test('a portal user with any role sees all events and deliveries', async () => {
  const { session } = await makeUser(aisle, chain.chainId, 'VIEWER');
  assert.equal((await get('/events', session)).body.events.length, 3);
  assert.equal((await get('/deliveries', session)).body.total_items, 4);
});

test('a delivery of an event that the token cannot see returns 404 and cannot be resent', async () => {
  const token = await scoped('manage', 'catalog:read');
  const { deliveries } = (await get('/deliveries', chain.token)).body;
  for (const { delivery_id, type } of deliveries) {
    const isVisible = !type.startsWith('order.');
    const path = `/deliveries/${delivery_id}`;
    const [read, resent] = [await get(path, token), await post(`${path}/resend`, token)];
    if (isVisible) assert.deepEqual([read.status, resent.status], [200, 202], type);
    else for (const response of [read, resent]) assertProblem(response, 'delivery_not_found');
  }
});

test('resending all failed deliveries skips those that the token cannot see', async () => {
  const since = { since: '2020-01-01T00:00:00Z' };
  assert.deepEqual((await post('/deliveries/resend-failed', await scoped('manage'), since)).body, { resent: 0 });
  assert.deepEqual((await post('/deliveries/resend-failed', await scoped('manage', 'orders:read'), since)).body, {
    resent: 2,
  });
});

test("the vendor_id filter for deliveries accepts either of a store's ids", async () => {
  for (const id of [second, 'ext-2']) {
    const { body } = await get(`/deliveries?vendor_id=${id}`, chain.token);
    assert.deepEqual([body.total_items, body.deliveries[0].vendor_id], [1, second]);
  }
  assert.equal((await get(`/deliveries?vendor_id=${first}`, chain.token)).body.total_items, 2);
  assertProblem(await get('/deliveries?vendor_id=unknown', chain.token), 'vendor_not_found');
  const limited = await makeToken(aisle, chain.chainId, { scopes: ['manage', 'orders:read'], vendor_ids: [first] });
  assert.equal((await get(`/deliveries?vendor_id=${first}`, limited)).body.total_items, 1);
  assertProblem(await get(`/deliveries?vendor_id=${second}`, limited), 'forbidden');
});

function get(path: string, token: string): Promise<Response> {
  return aisle.call('GET', `${chain.base}${path}`, { token });
}

function post(path: string, token: string, body?: object): Promise<Response> {
  return aisle.call('POST', `${chain.base}${path}`, { token, ...(body && { body }) });
}

function typesOf(list: { type: string }[]): string[] {
  return list.map(({ type }) => type).toSorted();
}
