import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '../../../src/kernel/values/ids.ts';
import { makeChain, makePlatformUser, makeToken, startTestAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { placeOrder } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';
import { startReceiver } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { setWebhook } from '../../support/webhooks.ts';

const aisle = await startTestAisle();
const receiver = await startReceiver();
after(() => aisle.stop().then(receiver.close));
const chain = await makeChain(aisle);
const { session: token } = await makePlatformUser(aisle, 'SUPPORT');
const { session: admin } = await makePlatformUser(aisle, 'ADMIN');
await addProducts(aisle, chain, [{ sku: 'MLK-00012', title: { en_AE: 'Milk' }, price: 5, quantity: 100 }]);
receiver.respondWith((response) => void response.writeHead(503).end());
await setWebhook(aisle, chain, { production_url: receiver.url });
const order = await placeOrder(aisle, chain, [{ sku: 'MLK-00012', quantity: 1 }]);

const get = async (path: string) => {
  const response = await aisle.call('GET', `/platform/v1${path}`, { token });
  assert.equal(response.status, 200, response.text);
  return response.body;
};

test('the overview counts what its lists contain', async () => {
  await aisle.call('PUT', `${chain.base}/vendors/${chain.vendors[0]}/status`, {
    token: chain.token,
    body: { status: 'CLOSED_TODAY', closed_reason: 'BAD_WEATHER' },
  });
  await waitFor('the endpoint to fail', async () => (await get('/overview')).failing_endpoints === 1);
  const overview = await get('/overview');
  assert.equal(overview.orders_per_minute.length, 60);
  assert.deepEqual(overview.open_orders, [{ status: 'RECEIVED', orders: 1 }]);
  assert.deepEqual(overview.closed_stores, [{ reason: 'BAD_WEATHER', stores: 1 }]);
  assert.equal(overview.late_orders, 0);
  const [open] = (await get('/open-orders?status=RECEIVED&is_late=false')).orders;
  assert.equal(open.order_id, order.order_id);
  assert.deepEqual((await get('/open-orders?is_late=true')).orders, []);
  const [closed] = (await get('/closed-stores')).stores;
  assert.equal(closed.vendor_id, chain.vendors[0]);
  const [endpoint] = (await get('/failing-endpoints')).endpoints;
  assert.equal(endpoint.url, receiver.url);
});

test('the running jobs show when a scheduled job is applied', async () => {
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const body = { products: [{ sku: 'MLK-00012', price: 6 }] };
  const path = `${chain.base}/vendors/${chain.vendors[0]}/catalog?apply_at=${at}`;
  const { job_id } = (await aisle.call('PUT', path, { token: chain.token, body })).body;
  const job = (await get('/running-jobs')).jobs.find((one: { job_id: string }) => one.job_id === job_id);
  assert.deepEqual([job.status, job.apply_at], ['QUEUED', at]);
});

test('an order is found by its code, id and phone number, and a product by its SKU', async () => {
  const { order_id: id, order_code: code } = order;
  for (const term of [code, code.slice(0, 4).toLowerCase(), id]) {
    const { results } = await get(`/search?query=${encodeURIComponent(term)}`);
    assert.ok(
      results.some((result: { kind: string; id: string }) => result.kind === 'order' && result.id === id),
      term,
    );
  }
  const phone = await get(`/search?query=${encodeURIComponent(order.customer.phone_number)}`);
  assert.equal(phone.results[0].id, id);
  const [product] = (await get('/search?query=MLK-00012')).results;
  assert.partialDeepStrictEqual(product, { kind: 'product', id: 'MLK-00012', chain_id: chain.chainId });
  assert.deepEqual((await get('/search?query=nothing%27%25')).results, []);
});

test('the timeline of an order shows failed attempts, and the delivery can be sent again', async () => {
  const read = () => get(`/orders/${order.order_id}/timeline`);
  type Entry = { kind: string; outcome: string; is_failure: boolean; delivery_id: string };
  const attempts = async () => ((await read()).entries as Entry[]).filter(({ kind }) => kind === 'attempt');
  await waitFor('an attempt', async () => (await attempts()).length > 0);
  const [failed] = await attempts();
  assert.partialDeepStrictEqual(failed, { outcome: '503', is_failure: true });
  const kinds = new Set(((await read()).entries as Entry[]).map(({ kind }) => kind));
  assert.deepEqual([...kinds].toSorted(), ['attempt', 'change', 'delivery', 'event']);
  receiver.respondWith((response) => void response.writeHead(200).end());
  const path = `/platform/v1/chains/${chain.chainId}/partner-deliveries/${failed?.delivery_id}/resend`;
  assert.equal((await aisle.call('POST', path, { token })).status, 202);
  await waitFor('a successful attempt', async () => (await attempts()).some(({ outcome }) => outcome === '200'));
});

test('a device that has read an order very often does not hide what happened to it', async () => {
  await aisle.db.query(
    `insert into requests (chain_id, received_at, request_id, method, path, status, duration_ms, caller_kind, caller_id,
       caller_name, order_id, is_aborted, is_streamed)
     select $1, now() - interval '1 hour' + n * interval '1 ms', 'poll-' || n, 'GET', '/poll', 200, 1, 'token', '', 'Device',
       $2, false, false from generate_series(1, 1100) n`,
    [chain.chainId, order.order_id],
  );
  const entries: { kind: string; id: string }[] = (await get(`/orders/${order.order_id}/timeline`)).entries;
  const kinds = new Set(entries.map(({ kind }) => kind));
  assert.deepEqual([...kinds].toSorted(), ['attempt', 'change', 'delivery', 'event', 'request']);
  const polls = entries.filter(({ id }) => id.startsWith('poll-'));
  assert.equal(polls.at(-1)?.id, 'poll-1100', 'the newest calls are shown');
});

test('a dead task is queued again or discarded', async () => {
  await aisle.db.query(
    `insert into queue_dead (task_id, chain_id, lane, kind, payload, attempts, last_error, created_at)
     select n, $1, 'lane', 'test.kind', '{}', 8, 'Bearer abcdefghijkl failed', now() from generate_series(900001, 900002) n`,
    [chain.chainId],
  );
  const { tasks } = await get('/dead-tasks');
  assert.equal(tasks.length, 2);
  assert.equal(tasks[0].last_error, '[removed] failed');
  const retried = await aisle.call('POST', '/platform/v1/dead-tasks/900001/retry', { token });
  assert.equal(retried.status, 200, retried.text);
  const again = await aisle.call('POST', '/platform/v1/dead-tasks/900001/retry', { token });
  assert.equal(again.body.code, 'task_not_found');
  assert.equal((await aisle.call('DELETE', '/platform/v1/dead-tasks/900002', { token })).status, 200);
  // The worker does not know the kind, so the task can be dead again, under a new id.
  const left = await aisle.db.query<{ task_id: string }>(
    `select task_id::text from queue_tasks where kind = 'test.kind'
     union all select task_id::text from queue_dead where kind = 'test.kind'`,
  );
  assert.equal(left.length, 1);
  assert.ok(!['900001', '900002'].includes(left[0]?.task_id ?? ''));
});

test('a dead task of a job cannot be queued again, because the job has ended', async () => {
  const job_id = newId();
  await aisle.db.query(
    `insert into queue_dead (task_id, chain_id, lane, kind, payload, attempts, last_error, created_at)
     values (900003, $1, 'lane', 'catalog.update', jsonb_build_object('job_id', $2::text), 5, 'failed', now())`,
    [chain.chainId, job_id],
  );
  const { tasks } = await get('/dead-tasks');
  assert.equal(tasks.find((task: { task_id: string }) => task.task_id === '900003').job_id, job_id);
  const retried = await aisle.call('POST', '/platform/v1/dead-tasks/900003/retry', { token });
  assertProblem(retried, 'job_state_conflict');
  const discarded = await aisle.call('DELETE', '/platform/v1/dead-tasks/900003', { token });
  assert.deepEqual([discarded.status, discarded.body.job_id], [200, job_id]);
});

test('100 stores are created at once, and those that exist are skipped', async () => {
  const store = { currency: 'AED', country_code: 'AE', locale: 'en_AE', timezone: 'Asia/Dubai' };
  const vendors = Array.from({ length: 100 }, (_, index) => ({
    ...store,
    name: `Store ${index}`,
    external_id: `N-${index % 99}`,
    transport_type: 'LOGISTICS_DELIVERY',
  }));
  const path = `/platform/v1/chains/${chain.chainId}/vendors/batch`;
  const first = await aisle.call('POST', path, { token: admin, body: { vendors } });
  assert.equal(first.status, 200, first.text);
  const counts = (results: { result: string }[]) => results.filter(({ result }) => result === 'CREATED').length;
  assert.equal(counts(first.body.results), 99);
  const second = await aisle.call('POST', path, { token: admin, body: { vendors } });
  assert.equal(counts(second.body.results), 0);
  const unnumbered = [1, 2, 1].map((index) => ({ ...vendors[0], external_id: undefined, name: `Kiosk ${index}` }));
  const kiosks = await aisle.call('POST', path, { token: admin, body: { vendors: unnumbered } });
  assert.equal(counts(kiosks.body.results), 2, 'without an external id, a store is recognized by its name');
  const again = await aisle.call('POST', path, { token: admin, body: { vendors: unnumbered } });
  assert.equal(counts(again.body.results), 0);
  const many = await aisle.call('POST', path, { token: admin, body: { vendors: [...vendors, vendors[0]] } });
  assert.equal(many.status, 400);
});

test('a token that is limited to a store does not see how many users and credentials the chain has', async () => {
  const limited = await makeToken(aisle, chain.chainId, { scopes: ['manage'], vendor_ids: [String(chain.vendors[0])] });
  const read = async (token: string) =>
    (await aisle.call('GET', `${chain.base}/checklist`, { token })).body.steps as { is_done: boolean; count: number }[];
  const all = await read(chain.token);
  assert.ok(all.some(({ count }) => count > 1));
  assert.deepEqual(
    await read(limited),
    all.map((step) => ({ ...step, count: step.is_done ? 1 : 0 })),
  );
});

test('the checklist is the same for the operator and the chain', async () => {
  const operator = await get(`/chains/${chain.chainId}/checklist`);
  const partner = await aisle.call('GET', `${chain.base}/checklist`, { token: chain.token });
  assert.deepEqual(partner.body, operator);
  const done = operator.steps.filter((step: { is_done: boolean }) => step.is_done);
  assert.deepEqual(
    done.map(({ step }: { step: string }) => step),
    ['stores', 'credentials', 'webhook', 'products'],
  );
});
