import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { createPlatformToken } from '../server/src/identity/index.ts';
import { makeChain, makeToken, type TestChain } from '../server/test/support/aisle.ts';
import { addProducts, catalogPath, plainProducts, waitForJob } from '../server/test/support/catalog.ts';
import { cloneDatabase, serverUrl, type TestDatabase } from '../server/test/support/database.ts';
import { allPicked, newOrder } from '../server/test/support/orders.ts';
import { type Client, clientOf } from './support/client.ts';
import { reportMissing, versionOf } from './support/installed.ts';
import { type Pooler, type PoolerOptions, startPgbouncer } from './support/pgbouncer.ts';
import { runProgram, startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

/** Runs the real pgbouncer, which CI installs. Versions before 1.21 have no prepared statements in transaction mode. */
const version = versionOf('pgbouncer');
const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version ?? '') ?? []).slice(1).map(Number);
const supportsPrepared = major > 1 || minor >= 21;

test('pgbouncer is tested where it is installed', (t) => {
  reportMissing(t, { pgbouncer: version });
  if (version !== undefined && !supportsPrepared) {
    t.diagnostic('This version has no prepared statements in transaction mode, so they are tested in session mode.');
  }
});

if (version !== undefined) {
  describe('transaction mode without prepared statements', () =>
    testPooler({ mode: 'transaction', maxPrepared: 0, connections: 6 }, false));
  if (supportsPrepared) {
    describe('transaction mode with prepared statements', () =>
      testPooler({ mode: 'transaction', maxPrepared: 200, connections: 6 }, true));
  } else {
    describe('session mode with prepared statements', () =>
      testPooler({ mode: 'session', maxPrepared: 0, connections: 60 }, true));
  }
}

function testPooler(options: PoolerOptions, preparedStatements: boolean): void {
  let database: TestDatabase;
  let pooler: Pooler;
  let url: string;
  let clients: [Client, Client];
  let chain: TestChain;
  let platformToken: string;

  before(async () => {
    database = await cloneDatabase();
    pooler = await startPgbouncer(serverUrl, options);
    url = pooler.urlOf(database.url);
    const environment = {
      DATABASE_URL: url,
      DATABASE_DIRECT_URL: database.url,
      AISLE_PREPARED_STATEMENTS: preparedStatements ? 'on' : 'off',
      AISLE_DATABASE_CONNECTIONS: '8',
      AISLE_RATE_LIMITS: 'off',
    };
    const migrated = await runProgram(['migrate'], environment);
    assert.deepEqual([migrated.code, migrated.stderr], [0, '']);
    const start = (role: string) => startProgram({ role, environment });
    const [one, other] = await Promise.all([start('api'), start('api'), start('worker')]);
    clients = [clientOf(one), clientOf(other)];
    platformToken = await createPlatformToken(database.db, 'test');
    chain = await makeChain(database);
    const products = plainProducts(20).map((product) => ({ ...product, quantity: 1000 }));
    await addProducts(database, chain, products);
  });

  after(async () => {
    await database?.drop();
    await pooler?.stop();
  });

  const openThrough = (more: { statementSeconds?: number; lockSeconds?: number } = {}): Database =>
    openDatabase({ url, connections: 8, isPooled: true, preparedStatements, name: 'test', onError() {}, ...more });

  test('jobs, orders and events work when all processes share few connections', async () => {
    const jobs = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const products = plainProducts(20).map(({ sku }) => ({ sku, price: 1 + index }));
        const path = catalogPath(chain, chain.vendors[index % 2]);
        return clients[index % 2]?.call('PUT', path, { token: chain.token, body: { products } });
      }),
    );
    const waiting = clients[1].call('GET', `${chain.base}/events?after=0&wait=20`, { token: chain.token });
    const orders = await Promise.all(Array.from({ length: 20 }, (_, index) => runOrder(clients[index % 2] as Client)));
    assert.deepEqual(
      orders.map((order) => order.status),
      orders.map(() => 'READY_FOR_PICKUP'),
    );
    const { status, body } = await waiting;
    assert.equal(status, 200);
    assert.ok(body.events.length > 0, 'the long poll ended without events');
    for (const job of jobs) {
      assert.equal(job?.status, 202, job?.text);
      assert.equal((await waitForJob(clients[0], chain, job?.body.job_id)).job_status, 'COMPLETED');
    }
    const list = await clients[0].call('GET', `${chain.base}/events?limit=500`, { token: chain.token });
    for (const { order_id: id } of orders) {
      const events = list.body.events.filter((event: { body: { order_id?: string } }) => event.body.order_id === id);
      assert.deepEqual(
        events.map((event: { type: string }) => event.type),
        ['order.received', 'order.ready_for_pickup'],
      );
    }
  });

  async function runOrder(client: Client) {
    const body = newOrder(chain, [{ sku: plainProducts(1)[0]?.sku, quantity: 1 }]);
    const placed = await client.call('POST', '/platform/v1/orders', { token: platformToken, body });
    assert.equal(placed.status, 201, placed.text);
    const picked = { status: 'READY_FOR_PICKUP', items: allPicked(placed.body) };
    const path = `${chain.base}/orders/${placed.body.order_id}`;
    const put = await client.call('PUT', path, { token: chain.token, body: picked });
    assert.equal(put.status, 200, put.text);
    return put.body;
  }

  test('exports and searches work', async () => {
    const found = await clients[0].call('GET', `${catalogPath(chain)}?query_term=Product`, { token: chain.token });
    assert.equal(found.status, 200, found.text);
    const started = await clients[1].call('POST', `${catalogPath(chain)}/export`, { token: chain.token });
    assert.equal(started.status, 202, started.text);
    const job = await waitForJob(clients[0], chain, started.body.job_id);
    assert.equal(job.progress.succeeded, 20);
  });

  test('a token revoked in one process is rejected by the other within a second', async () => {
    const token = await makeToken(database, chain.chainId);
    const use = () => clients[1].call('GET', `${chain.base}/vendors`, { token });
    for (let index = 0; index < 4; index++) assert.equal((await use()).status, 200);
    const { body } = await clients[0].call('GET', `${chain.base}/tokens`, chain);
    const { token_id } = body.tokens.find((row: { name: string }) => row.name === 'limited');
    const revoked = await clients[0].call('DELETE', `${chain.base}/tokens/${token_id}`, chain);
    assert.equal(revoked.status, 200);
    await waitFor(1, 'the revoked token to be rejected', async () => (await use()).status === 401 || undefined, 10);
  });

  test('requests with the same idempotency key create one job', async () => {
    const body = { products: plainProducts(2).map(({ sku }) => ({ sku, quantity: 7 })) };
    const headers = { 'idempotency-key': 'one-and-only' };
    const send = async (index: number) =>
      clients[index % 2]?.call('PUT', catalogPath(chain), { token: chain.token, body, headers });
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index)));
    const accepted = responses.filter((response) => response?.status === 202);
    const busy = responses.filter((response) => response?.body.code === 'idempotency_in_progress');
    assert.equal(accepted.length + busy.length, responses.length);
    assert.equal(new Set(accepted.map((response) => response?.body.job_id)).size, 1);
  });

  test('every statement and transaction has its timeouts, and no other client of the pooler gets them', async () => {
    const limited = openThrough({ statementSeconds: 7, lockSeconds: 3 });
    const unlimited = openThrough();
    const sql = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('jit') as jit`;
    const rows = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        if (index % 3 === 0) return unlimited.query(sql);
        return index % 3 === 1 ? limited.query(sql) : limited.transaction((tx) => tx.query(sql));
      }),
    );
    for (const [index, [row]] of rows.entries()) {
      const [statement, lock] = index % 3 === 0 ? ['0', '0'] : ['7s', '3s'];
      assert.deepEqual(row, { statement, lock, jit: 'off' }, `statement ${index}`);
    }
    const [background] = await limited.withoutTimeout.transaction((tx) => tx.query(sql));
    assert.deepEqual(background, { statement: '0', lock: '0', jit: 'off' });
    await Promise.all([limited.close(), unlimited.close()]);
  });

  test('a slow statement is cancelled, alone and in a transaction, and its connection can be used again', async () => {
    const limited = openThrough({ statementSeconds: 1 });
    const slow = 'select pg_sleep(30)';
    const results = await Promise.allSettled([limited.query(slow), limited.transaction((tx) => tx.query(slow))]);
    for (const result of results) {
      assert.equal(result.status, 'rejected');
      assert.match(String(result.reason.message), /took too long and cancelled the statement/);
    }
    assert.deepEqual(await limited.query('select 1 as one'), [{ one: 1 }]);
    await limited.close();
  });

  test('when pgbouncer loses the server, requests get 503 or wait, and work again afterwards', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const read = () => clients[0].call('GET', catalogPath(chain), { token: chain.token });
    const reads = Array.from({ length: 20 }, read);
    await database.db.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    );
    for (const { status } of await Promise.all(reads)) assert.ok(status === 200 || status === 503, String(status));
    await waitFor(10, 'a response with 200', async () => (await read()).status === 200 || undefined);
    assert.equal((await runOrder(clients[0])).status, 'READY_FOR_PICKUP');
  });
}
