import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Response, type TestAisle, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { waitForJob } from '../../support/catalog.ts';
import { countLockWaits, holdLocks } from '../../support/lock-waits.ts';
import { allPicked, assertUnchanged, fulfil, makeShop, placeOrder } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle({ AISLE_STATEMENT_SECONDS: '1' });
const chain = await makeShop(aisle);

test('a request whose statement is blocked returns 503 after a timeout, changes nothing, and can be retried', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const started = performance.now();
  await whileLocked(
    'select 1 from orders where chain_id = $1 and order_id = $2 for update',
    [chain.chainId, order.order_id],
    async () => {
      const response = await fulfil(aisle, chain, order, allPicked(order));
      assertProblem(response, 'service_unavailable');
      assert.match(response.body.detail, /took too long/);
      assert.equal(response.headers['retry-after'], '5');
    },
  );
  assert.ok(performance.now() - started < 15_000);
  await assertUnchanged(aisle, chain, order);
  assert.equal((await fulfil(aisle, chain, order, allPicked(order))).status, 200);
});

test('a job has no statement timeout', async () => {
  const path = `${chain.base}/vendors/${chain.vendors[0]}/catalog`;
  await whileLocked(
    "select 1 from offers where chain_id = $1 and sku = 'MILK' for update",
    [chain.chainId],
    async () => {
      const products = [
        { sku: 'MILK', price: 1 },
        { sku: 'TEA', price: 1 },
      ];
      const { body } = await aisle.call('PUT', path, { token: chain.token, body: { products } });
      const job = waitForJob(aisle, chain, body.job_id);
      await sleep(2500);
      await unlock();
      assert.equal((await job).job_status, 'COMPLETED');
    },
  );
  const { text } = await aisle.call('GET', '/metrics');
  assert.match(text, /aisle_task_duration_seconds_count\{kind="catalog\.update",outcome="done"\} 1/);
  assert.doesNotMatch(text, /aisle_task_duration_seconds_count\{kind="catalog\.update",outcome="(failed|again)"\}/);
});

test('a search for one or two characters has a shorter timeout, and the error says what to do', async (t) => {
  const patient = await patientServer(t);
  const path = `${chain.base}/vendors/${chain.vendors[0]}/catalog`;
  const search = (term: string) => patient.call('GET', `${path}?query_term=${term}`, { token: chain.token });
  assert.equal((await search('mi')).body.total_items, 1);
  await whileLocked('lock table products in access exclusive mode', [], async () => {
    const response = await search('mi');
    assertProblem(response, 'service_unavailable');
    assert.match(response.body.detail, /at least 3 characters/);
  });
});

test('a chain runs only a few slow reads at the same time, and other chains do not wait for them', async () => {
  const other = await makeShop(aisle);
  await whileLocked('lock table products in access exclusive mode', [], async () => {
    const far = (query = '') => get(chain, `/vendors/${chain.vendors[0]}/catalog?page=500${query}`);
    const reads = [
      ...Array.from({ length: 4 }, () => get(chain, `/vendors/${chain.vendors[0]}/catalog?query_term=milk`)),
      far(),
      far('&query_term=milk'),
      get(chain, '/catalog?updated_since=2020-01-01T00:00:00Z'),
      get(other, `/vendors/${other.vendors[0]}/catalog?query_term=milk`),
    ];
    await assertWaiting(3);
    await unlock();
    for (const response of await Promise.all(reads)) assert.equal(response.status, 200, response.text);
  });
});

test('statistics of stores and lists of orders with a filter are slow reads', async () => {
  // A list needs two connections, one of them to count the orders.
  const cases: [path: string, connections: number][] = [
    ['/statistics/stores', 2],
    ['/orders/search?outcome=LATE', 4],
  ];
  for (const [path, connections] of cases) {
    await whileLocked('lock table order_numbers in access exclusive mode', [], async () => {
      const reads = Array.from({ length: 5 }, () => get(chain, path));
      await assertWaiting(connections);
      await unlock();
      for (const response of await Promise.all(reads)) assert.equal(response.status, 200, response.text);
    });
  }
});

test('a chain produces the parts of its downloads one at a time, and other chains do not wait for them', async (t) => {
  const server = await patientServer(t);
  const other = await makeShop(aisle);
  const jobs = await Promise.all([exportOf(chain), exportOf(other)]);
  await whileLocked('lock table job_file_parts in access exclusive mode', [], async () => {
    const [own = '', foreign = ''] = jobs.map((job) => `/catalog/jobs/${job}/download`);
    const downloads = [...Array.from({ length: 5 }, () => get(chain, own, server)), get(other, foreign, server)];
    await assertWaiting(2);
    await unlock();
    for (const response of await Promise.all(downloads)) assert.match(response.text, /^sku,[^]*MILK/);
  });
});

// The last test, because the tasks of an order could wait for a lock in the others.
test('a search for candidates to replace an item has the timeout of a short search', async (t) => {
  const patient = await patientServer(t);
  const order = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }]);
  const path = `/orders/${order.order_id}/items/${order.items[0]._id}/replacement-candidates`;
  await whileLocked('lock table products in access exclusive mode', [], async () => {
    const response = await get(chain, path, patient);
    assertProblem(response, 'service_unavailable');
    assert.match(response.body.detail, /name or barcode/);
  });
});

async function exportOf(shop: TestChain): Promise<string> {
  const path = `${shop.base}/vendors/${shop.vendors[0]}/catalog/export`;
  const { body } = await aisle.call('POST', path, { token: shop.token });
  await waitForJob(aisle, shop, body.job_id);
  return body.job_id;
}

function get({ base, token }: TestChain, path: string, server: Pick<TestAisle, 'call'> = aisle): Promise<Response> {
  return server.call('GET', `${base}${path}`, { token });
}

/** A second server, whose requests wait for as long as the test takes. It has no chores, which could wait too. */
async function patientServer(t: TestContext): Promise<TestAisle> {
  const server = await aisle.another({ AISLE_STATEMENT_SECONDS: '60', AISLE_LOCK_SECONDS: '60' }, 'api');
  t.after(server.stop);
  return server;
}

/** Asserts that exactly this many connections wait for the lock on a table. */
async function assertWaiting(count: number): Promise<void> {
  await waitFor(`${count} reads`, async () => (await countLockWaits(aisle.db, 'relation')) === count);
  await sleep(200);
  assert.equal(await countLockWaits(aisle.db, 'relation'), count);
}

let unlock: () => Promise<void> = async () => {};

/** Runs `work` while another transaction holds the locks taken by `statement`. `unlock` releases them early. */
async function whileLocked(statement: string, values: string[], work: () => Promise<void>): Promise<void> {
  unlock = await holdLocks(aisle.db, statement, values);
  await work().finally(unlock);
}
