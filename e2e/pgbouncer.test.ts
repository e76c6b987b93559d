import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AisleClient, isApiError } from '@aisle/sdk';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { createPlatformToken } from '../server/src/identity/index.ts';
import { makeChain, makeToken, type TestChain } from '../server/test/support/chain.ts';
import { addProducts, plainProducts } from '../server/test/support/catalog.ts';
import { cloneDatabase, serverUrl, type TestDatabase } from '../server/test/support/database.ts';
import { allPicked, newOrder } from '../server/test/support/orders.ts';
import { clientOf, jobIdOf, statusOf, waitForJob } from './support/client.ts';
import { reportMissing, versionOf } from './support/installed.ts';
import { type Pooler, type PoolerOptions, startPgbouncer } from './support/pgbouncer.ts';
import { type Program, runProgram, startProgram } from './support/program.ts';
import { waitFor, within } from './support/wait.ts';

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

if (version !== undefined) {
  test('neither a request nor a job waits for a second connection', { timeout: 60_000 }, async (t) => {
    const database = await cloneDatabase();
    const pooler = await startPgbouncer(serverUrl, { mode: 'transaction', maxPrepared: 0, connections: 1 });
    const environment = {
      DATABASE_URL: pooler.urlOf(database.url),
      DATABASE_DIRECT_URL: database.url,
      AISLE_PREPARED_STATEMENTS: 'off',
      AISLE_LOG_LEVEL: 'silent',
    };
    const [api, worker] = await Promise.all(
      ['api', 'worker'].map((role) => startProgram({ role, environment })) as [Promise<Program>, Promise<Program>],
    );
    t.after(async () => {
      for (const program of [api, worker]) program.kill('SIGKILL');
      await Promise.all([api.ended, worker.ended]);
      await database.drop();
      await pooler.stop();
    });
    const chain = await makeChain(database);
    await addProducts(database, chain, plainProducts(20));
    const client = clientOf(api, chain);
    const products = plainProducts(20).map(({ sku }) => ({ sku, price: 2 }));
    const params = { vendor_id: String(chain.vendors[0]) };
    const job = jobIdOf(await client.updateCatalog({ params, body: { products } }));
    const { progress } = await within(20, 'the job', waitForJob(client, job));
    assert.equal(progress.succeeded, 20);
    const folder = `/catalog/${params.vendor_id}`;
    const file = await client.uploadFile({ query: { folder, name: 'prices.csv' }, body: 'sku,price\nSKU-00001,3\n' });
    const [fileJob = ''] = file.job_ids;
    const read = await within(20, 'the job of the file', waitForJob(client, fileJob));
    assert.equal(read.progress.succeeded, 1);
    const platform = clientOf(api, { token: await createPlatformToken(database.db, 'test') });
    // This store has not been looked up yet, and the request looks it up in the transaction of its key.
    const store = { vendor_id: String(chain.vendors[1]) };
    const place = (index: number) => {
      const body = { ...newOrder(chain, [{ sku: 'SKU-00001', quantity: 1 }]), ...store };
      return platform.platformPlaceOrder({ body }, { idempotencyKey: `key-${index}` });
    };
    await within(20, 'the orders', Promise.all(Array.from({ length: 4 }, (_, index) => place(index))));
  });
}

function testPooler(options: PoolerOptions, preparedStatements: boolean): void {
  let database: TestDatabase;
  let pooler: Pooler;
  let url: string;
  let servers: [Program, Program];
  let clients: [AisleClient, AisleClient];
  let platforms: [AisleClient, AisleClient];
  let chain: TestChain;

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
    servers = [one, other];
    chain = await makeChain(database);
    clients = [clientOf(one, chain), clientOf(other, chain)];
    const token = await createPlatformToken(database.db, 'test');
    platforms = [clientOf(one, { token }), clientOf(other, { token })];
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
        const params = { vendor_id: String(chain.vendors[index % 2]) };
        return jobIdOf(await clients[(index % 2) as 0 | 1].updateCatalog({ params, body: { products } }));
      }),
    );
    const waiting = clients[1].listEvents({ query: { after: '0', wait: 20 } });
    const orders = await Promise.all(Array.from({ length: 20 }, (_, index) => runOrder((index % 2) as 0 | 1)));
    assert.deepEqual(
      orders.map((order) => order.status),
      orders.map(() => 'READY_FOR_PICKUP'),
    );
    assert.ok((await waiting).events.length > 0, 'the long poll ended without events');
    for (const job of jobs) await waitForJob(clients[0], job);
    const { events } = await clients[0].listEvents({ query: { limit: 500 } });
    for (const { order_id } of orders) {
      const own = events.filter(({ body }) => 'order_id' in body && body.order_id === order_id);
      assert.deepEqual(
        own.map(({ type }) => type),
        ['order.received', 'order.ready_for_pickup'],
      );
    }
  });

  async function runOrder(server: 0 | 1) {
    const body = newOrder(chain, [{ sku: 'SKU-00001', quantity: 1 }]);
    const order = await platforms[server].platformPlaceOrder({ body });
    const picked = { status: 'READY_FOR_PICKUP', items: allPicked(order) } as const;
    return clients[server].putOrder({ params: { order_id: order.order_id }, body: picked });
  }

  test('exports and searches work', async () => {
    const params = { vendor_id: String(chain.vendors[0]) };
    const { total_items } = await clients[0].listCatalog({ params, query: { query_term: 'Product' } });
    const job = await clients[1].exportCatalog({ params }).finished({ pollMs: 20 });
    assert.deepEqual([total_items, job.progress.succeeded], [20, 20]);
  });

  test('a token revoked in one process is rejected by the other within a second', async () => {
    const token = await makeToken(database, chain.chainId);
    const limited = clientOf(servers[1], { token, chainId: chain.chainId });
    const use = () => statusOf(limited.listVendors.withResponse());
    for (let index = 0; index < 4; index++) assert.equal(await use(), 200);
    const { tokens } = await clients[0].listTokens();
    const { token_id = '' } = tokens.find(({ name }) => name === 'limited') ?? {};
    await clients[0].deleteToken({ params: { token_id } });
    await waitFor(1, 'the revoked token to be rejected', async () => (await use()) === 401 || undefined, 10);
  });

  test('requests with the same idempotency key create one job', async () => {
    const input = {
      params: { vendor_id: String(chain.vendors[0]) },
      body: { products: plainProducts(2).map(({ sku }) => ({ sku, quantity: 7 })) },
    };
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, index) =>
        jobIdOf(await clients[(index % 2) as 0 | 1].updateCatalog(input, { idempotencyKey: 'one-and-only' })),
      ),
    );
    const jobs = new Set(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])));
    assert.equal(jobs.size, 1);
    for (const result of results) {
      if (result.status === 'rejected') assert.ok(isApiError(result.reason, 'idempotency_in_progress'));
    }
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
    const params = { vendor_id: String(chain.vendors[0]) };
    const read = () => statusOf(clients[0].listCatalog.withResponse({ params }));
    const reads = Array.from({ length: 20 }, read);
    await database.db.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    );
    for (const status of await Promise.all(reads)) assert.ok(status === 200 || status === 503, String(status));
    await waitFor(10, 'a response with 200', async () => (await read()) === 200 || undefined);
    assert.equal((await runOrder(0)).status, 'READY_FOR_PICKUP');
  });
}
