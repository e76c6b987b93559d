import assert from 'node:assert/strict';
import test, { afterEach } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { consoleChores } from '../../../src/console/chores.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import { makeChain, makeToken, makeUser, type Response, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { runChores } from '../../support/chores.ts';
import { allPicked, placeOrder, putOrder } from '../../support/orders.ts';
import { followPlatformFeed, makePlatformWebhook } from '../../support/platform-webhooks.ts';
import { startReceiver } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { setWebhook } from '../../support/webhooks.ts';

/** Without a worker, so that alerts are checked only when a test says so. */
const aisle = await useOwnAisle({}, 'api');
const token = aisle.platformToken;
const chores = consoleChores(readConfig({}));
const check = () => runChores(aisle, chores);
type Json = Response['body'];

async function list(query = ''): Promise<Json[]> {
  const response = await aisle.call('GET', `/platform/v1/alerts${query}`, { token });
  assert.equal(response.status, 200, response.text);
  return response.body.alerts;
}

const kindsOf = async (query = '?is_open=true') => (await list(query)).map(({ kind }) => String(kind)).toSorted();

/** The types of the events about alerts, in the order in which they were recorded. */
async function typesOf(chainId: string): Promise<string[]> {
  const rows = await aisle.db.query<{ type: string }>(
    "select type from platform_events where chain_id = $1 and subject like 'alert %' order by event_no",
    [chainId],
  );
  return rows.map(({ type }) => type);
}

/** A chain whose only token is not for orders, so that using it does not show that its stores are there. */
async function makeStore(vendors = 1): Promise<TestChain> {
  const chain = await makeChain(aisle, { vendors });
  await addProducts(aisle, chain, [{ sku: 'A', title: 'A', price: 10, quantity: 100 }]);
  await aisle.db.query("update api_tokens set scopes = '{catalog:read,catalog:write}' where chain_id = $1", [
    chain.chainId,
  ]);
  return chain;
}

/** Places an order that has been waiting for some minutes. */
async function orderSince(chain: TestChain, minutes: number, more: Json = {}): Promise<Json> {
  const order = await placeOrder(aisle, chain, [{ sku: 'A', quantity: 1 }], more);
  await aisle.db.query(
    'update orders set created_at = now() - make_interval(mins => $3), updated_at = now() where chain_id = $1 and order_id = $2',
    [chain.chainId, order.order_id, minutes],
  );
  return order;
}

/** Uses the credentials and waits until that is stored. */
async function use(chain: TestChain, credential: string, table: 'api_tokens' | 'sessions'): Promise<void> {
  const used = () =>
    aisle.db.query(
      `select 1 from ${table} where chain_id = $1 and last_used_at > now() - interval '1 minute' limit 1`,
      [chain.chainId],
    );
  await aisle.db.query(`update ${table} set last_used_at = now() - interval '1 hour' where chain_id = $1`, [
    chain.chainId,
  ]);
  await aisle.call('GET', `${chain.base}/orders`, { token: credential });
  await waitFor('the use to be stored', async () => (await used()).length > 0);
}

afterEach(async () => {
  await aisle.db.query('delete from orders');
  await aisle.db.query('delete from queue_tasks');
  await aisle.db.query('delete from delivery_lanes');
  await aisle.db.query('delete from platform_webhooks');
  await aisle.db.query('delete from endpoints');
  await check();
  await aisle.db.query("update alerts set ended_at = now() - interval '2 days' where ended_at is not null");
  assert.deepEqual(await list(), []);
});

test('a store that leaves orders waiting is silent until its own credentials are used', async () => {
  const chain = await makeStore(2);
  const [store, other] = chain.vendors;
  await orderSince(chain, 15);
  await orderSince(chain, 12);
  await check();
  await check();
  const [alert, ...more] = await list();
  assert.deepEqual(more, []);
  assert.partialDeepStrictEqual(alert, {
    kind: 'STORE_SILENT',
    chain_id: chain.chainId,
    chain_name: 'Test chain',
    vendor_id: store,
    vendor_name: 'Store 1',
    waiting: 2,
    ended_at: null,
  });
  assert.equal(Math.round((Date.now() - Date.parse(alert.since)) / 60_000), 15);
  const orders = await aisle.call(
    'GET',
    `/platform/v1/open-orders?status=RECEIVED&chain_id=${chain.chainId}&vendor_id=${store}`,
    { token },
  );
  assert.equal(orders.body.orders.length, 2);
  await use(chain, await makeToken(aisle, chain.chainId, { vendor_ids: [other ?? ''] }), 'api_tokens');
  await check();
  assert.deepEqual(await kindsOf(), ['STORE_SILENT']);
  await use(chain, await makeToken(aisle, chain.chainId, { vendor_ids: [store ?? ''] }), 'api_tokens');
  await check();
  assert.deepEqual(await kindsOf(), []);
  assert.deepEqual(await kindsOf('?is_open=false'), ['STORE_SILENT']);
  assert.deepEqual(await typesOf(chain.chainId), ['store.silent', 'store.recovered']);
});

test("a picker's open app, a fulfilled order and a closed store end the alert, an owner in the office does not", async () => {
  const chain = await makeStore();
  const isSilent = async () => {
    await check();
    return (await kindsOf()).includes('STORE_SILENT');
  };
  await orderSince(chain, 15);
  await use(chain, (await makeUser(aisle, chain.chainId, 'OWNER')).session, 'sessions');
  assert.equal(await isSilent(), true);
  await use(chain, (await makeUser(aisle, chain.chainId, 'PICKER')).session, 'sessions');
  assert.equal(await isSilent(), false);
  await aisle.db.query("update sessions set last_used_at = now() - interval '1 hour' where chain_id = $1", [
    chain.chainId,
  ]);
  assert.equal(await isSilent(), true);
  const order = await orderSince(chain, 15);
  await aisle.db.query("update api_tokens set scopes = '{orders:read,orders:write}', last_used_at = null");
  const put = await putOrder(aisle, chain, order.order_id, { status: 'READY_FOR_PICKUP', items: allPicked(order) });
  assert.equal(put.status, 200, put.text);
  assert.equal(await isSilent(), false);
  await aisle.db.query("update api_tokens set scopes = '{catalog:read}'");
  await aisle.db.query("update orders set updated_at = now() - interval '1 hour'");
  assert.equal(await isSilent(), true);
  const status = `/platform/v1/chains/${chain.chainId}/vendors/${chain.vendors[0]}/status`;
  await aisle.call('PUT', status, { token, body: { status: 'CLOSED', closed_reason: 'OTHER' } });
  assert.equal(await isSilent(), false);
});

test('orders that are new, for later, or for a test do not make a store silent', async () => {
  const chain = await makeStore();
  await orderSince(chain, 8);
  await orderSince(chain, 15, { promised_for: new Date(Date.now() + 3 * 3_600_000).toISOString() });
  const sandbox = await orderSince(chain, 15);
  await aisle.db.query('update orders set is_test = true where order_id = $1', [sandbox.order_id]);
  await check();
  assert.deepEqual(await list(), []);
});

test('several workers start one alert, and one that dies leaves nothing behind', async () => {
  const chain = await makeStore();
  await orderSince(chain, 15);
  const [checkChains] = chores;
  assert.ok(checkChains);
  const scope = chain.chainId;
  const died = aisle.db.transaction(async (tx) => {
    await checkChains.run(tx, scope);
    throw new Error('killed');
  });
  await assert.rejects(died, /killed/);
  assert.deepEqual(await typesOf(chain.chainId), []);
  const together = () =>
    Promise.all(Array.from({ length: 4 }, () => aisle.db.transaction((tx) => checkChains.run(tx, scope))));
  await together();
  assert.deepEqual(await typesOf(chain.chainId), ['store.silent']);
  await aisle.db.query("update orders set status = 'CANCELLED' where chain_id = $1", [chain.chainId]);
  await together();
  assert.deepEqual(await typesOf(chain.chainId), ['store.silent', 'store.recovered']);
});

test('an endpoint that fails for minutes, or is gone, is an alert; one that was disabled manually is not', async () => {
  const chain = await makeStore();
  await aisle.db.query("update api_tokens set scopes = scopes || '{manage,orders:read}' where chain_id = $1", [
    chain.chainId,
  ]);
  await setWebhook(aisle, chain, { production_url: 'http://127.0.0.1:9/hook?key=secret' });
  const set = (values: string) =>
    aisle.db.query(`update endpoints set ${values} where chain_id = $1 and topic = 'orders'`, [chain.chainId]);
  await set("failing_since = now() - interval '1 minute'");
  await check();
  assert.deepEqual(await list(), []);
  await set("failing_since = now() - interval '6 minutes'");
  await check();
  const [alert] = await list();
  assert.partialDeepStrictEqual(alert, {
    kind: 'ENDPOINT_FAILING',
    chain_id: chain.chainId,
    vendor_id: null,
    url: 'http://127.0.0.1:9/hook',
    waiting: null,
  });
  await set("disabled_at = now(), disabled_reason = 'GONE'");
  await check();
  assert.deepEqual(await kindsOf(), ['ENDPOINT_FAILING']);
  await set("disabled_at = now(), disabled_reason = 'MANUAL', failing_since = null");
  await check();
  assert.deepEqual(await kindsOf(), []);
  assert.deepEqual(await typesOf(chain.chainId), ['endpoint.failing', 'endpoint.recovered']);
});

test('backlogs and webhooks of the platform are alerts without a chain', async () => {
  const { webhook_id } = await makePlatformWebhook(aisle, 'http://127.0.0.1:9/', ['store.silent']);
  const chain = await makeStore();
  await aisle.db.query(
    `insert into queue_tasks (chain_id, lane, batch, kind, payload, run_at)
     values ($1, 'lane', 'batch', 'test.kind', '{}', now())`,
    [chain.chainId],
  );
  await aisle.db.query('insert into delivery_lanes (chain_id, lane_id, endpoint_id) values ($1, $2, $3)', [
    chain.chainId,
    newId(),
    webhook_id,
  ]);
  const checkAfter = async (seconds: number) => {
    await aisle.db.query('update queue_tasks set run_at = now() - make_interval(secs => $1)', [seconds]);
    await aisle.db.query('update delivery_lanes set due_at = now() - make_interval(secs => $1)', [seconds]);
    await check();
    return kindsOf();
  };
  assert.deepEqual(await checkAfter(100), []);
  assert.deepEqual(await checkAfter(130), ['DELIVERIES_DELAYED', 'TASKS_DELAYED']);
  assert.deepEqual(await checkAfter(70), ['DELIVERIES_DELAYED', 'TASKS_DELAYED']);
  assert.deepEqual(await checkAfter(50), []);
  await aisle.db.query("update platform_webhooks set failing_since = now() - interval '1 hour'");
  assert.deepEqual(await checkAfter(50), ['ENDPOINT_FAILING']);
  const [alert] = await list('?is_open=true');
  assert.partialDeepStrictEqual(alert, { chain_id: null, chain_name: '', webhook_id, url: 'http://127.0.0.1:9/' });
});

test('the platform gets alerts in its feed and by webhook, and partners do not', async (t) => {
  const receiver = await startReceiver();
  t.after(receiver.close);
  const worker = await aisle.another({}, 'worker');
  t.after(worker.stop);
  const chain = await makeStore();
  await aisle.db.query("update api_tokens set scopes = scopes || '{manage,orders:read}' where chain_id = $1", [
    chain.chainId,
  ]);
  await setWebhook(aisle, chain, { production_url: receiver.url });
  await makePlatformWebhook(aisle, `${receiver.url}/platform`, ['store.silent', 'store.recovered']);
  const feed = await followPlatformFeed(aisle, '&types=store.silent,store.recovered');
  const order = await orderSince(chain, 15);
  // The use of the token is stored a little later.
  const uses = () =>
    aisle.db.query('select 1 from api_tokens where chain_id = $1 and last_used_at is not null', [chain.chainId]);
  await waitFor('the use to be stored', async () => (await uses()).length > 0);
  await aisle.db.query('update api_tokens set last_used_at = null where chain_id = $1', [chain.chainId]);
  await receiver.waitFor(1);
  await check();
  const [silent] = await feed.waitFor(1);
  assert.deepEqual([silent.type, silent.chain_id, silent.vendor_id], ['store.silent', chain.chainId, chain.vendors[0]]);
  await aisle.db.query("update orders set status = 'CANCELLED' where order_id = $1", [order.order_id]);
  await check();
  await feed.waitFor(2);
  const messages = () => receiver.received.filter(({ path }) => path === '/platform');
  await waitFor('two messages', () => messages().length === 2);
  const types = messages().map(({ headers }) => headers['aisle-event-type']);
  assert.deepEqual(types, ['store.silent', 'store.recovered']);
  const [started, ended] = messages().map(({ body }) => body);
  assert.equal(started.alert_id, ended.alert_id);
  assert.deepEqual([started.ended_at, typeof ended.ended_at], [null, 'string']);
  const partner = await aisle.call('GET', `${chain.base}/events`, { token: chain.token });
  assert.deepEqual(
    partner.body.events.map(({ type }: Json) => type),
    ['order.received'],
  );
  assert.equal(receiver.received.length, 3);
});
