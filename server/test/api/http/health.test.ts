import assert from 'node:assert/strict';
import test from 'node:test';
import { makeChain, startTestAisle, useOwnAisle } from '../../support/aisle.ts';
import { waitForJob } from '../../support/catalog.ts';
import { setReachable } from '../../support/database.ts';
import { holdLocks } from '../../support/lock-waits.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle();

test('a running server is live, and it is ready when all of its parts are ready', async () => {
  const live = await aisle.call('GET', '/health/live');
  assert.equal(live.status, 200);
  assert.deepEqual(live.body, { status: 'ok' });
  const ready = await aisle.call('GET', '/health/ready');
  assert.equal(ready.status, 200);
  assert.deepEqual(ready.body, {
    status: 'ok',
    checks: { database: 'ok', migrations: 'ok', worker: 'ok', deliveries: 'ok' },
  });
  assert.ok(ready.headers['x-request-id']);
});

test('a server without a worker is ready too', async (t) => {
  const api = await startTestAisle({}, 'api');
  t.after(api.stop);
  assert.equal((await api.call('GET', '/health/ready')).status, 200);
});

test('a worker serves health and metrics but not the API', async (t) => {
  const worker = await startTestAisle({}, 'worker');
  t.after(worker.stop);
  assert.equal((await worker.call('GET', '/health/ready')).status, 200);
  assert.equal((await worker.call('GET', '/metrics')).status, 200);
  assert.equal((await worker.call('GET', '/v2/limits')).status, 404);
});

test('a server is live but not ready while its database is unreachable, and ready again afterwards', async (t) => {
  const cut = await startTestAisle();
  t.after(cut.stop);
  const databaseGauges = /^aisle_(queue|delivery_(lanes|oldest)|events_unpublished|job_data|chore)/m;
  assert.match((await cut.call('GET', '/metrics')).text, databaseGauges);
  await setReachable(cut, false);
  // Metrics are reused for a second.
  await waitFor(
    'metrics without what is in the database',
    async () => {
      const { status, text } = await cut.call('GET', '/metrics');
      assert.deepEqual([status, text.includes('aisle_database_connections{')], [200, true]);
      return !databaseGauges.test(text);
    },
    5,
  );
  const ready = await cut.call('GET', '/health/ready');
  assert.equal(ready.status, 503);
  assert.equal(ready.body.status, 'unavailable');
  assert.notEqual(ready.body.checks.database, 'ok');
  assert.equal((await cut.call('GET', '/health/live')).status, 200);
  await setReachable(cut, true);
  const deadline = Date.now() + 10_000;
  while ((await cut.call('GET', '/health/ready')).status !== 200) assert.ok(Date.now() < deadline, 'still not ready');
});

test('health checks, which need no token, leave the database to requests', async (t) => {
  const busy = await startTestAisle({ AISLE_LOCK_SECONDS: '30' });
  t.after(busy.stop);
  const { base, token } = await makeChain(busy);
  const release = await holdLocks(busy.db, 'lock table migrations in access exclusive mode');
  // More than there are connections.
  const checks = Array.from({ length: 30 }, () => busy.call('GET', '/health/ready'));
  assert.equal((await busy.call('GET', `${base}/vendors`, { token })).status, 200);
  for (const { body } of await Promise.all(checks)) assert.equal(body.checks.migrations, 'no result within 2 s');
  await release();
});

test('a server whose database is not migrated is not ready', async (t) => {
  const behind = await startTestAisle();
  t.after(behind.stop);
  await behind.db.query('delete from migrations where version = (select max(version) from migrations)');
  const ready = await behind.call('GET', '/health/ready');
  assert.equal(ready.status, 503);
  assert.deepEqual(ready.body.checks, {
    database: 'ok',
    migrations: 'the database is not migrated',
    worker: 'ok',
    deliveries: 'ok',
  });
});

test('the metrics include the documented series', async () => {
  const { status, text, headers } = await aisle.call('GET', '/metrics');
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/plain/);
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]));
  const expected = {
    aisle_http_requests_total: 'counter',
    aisle_http_request_duration_seconds: 'histogram',
    aisle_task_duration_seconds: 'histogram',
    aisle_database_connections: 'gauge',
    aisle_large_body_bytes: 'gauge',
    aisle_large_bodies_refused_total: 'counter',
    aisle_request_log_recorded_total: 'counter',
    aisle_request_log_dropped_total: 'counter',
    aisle_queue_tasks: 'gauge',
    aisle_queue_oldest_due_seconds: 'gauge',
    aisle_queue_dead_tasks: 'gauge',
    aisle_events_unpublished: 'gauge',
    aisle_delivery_lanes: 'gauge',
    aisle_delivery_lanes_due: 'gauge',
    aisle_delivery_oldest_due_seconds: 'gauge',
    aisle_delivery_attempts_total: 'counter',
    aisle_delivery_duration_seconds: 'histogram',
    process_cpu_seconds_total: 'counter',
    nodejs_eventloop_lag_seconds: 'gauge',
  };
  for (const [name, type] of Object.entries(expected)) assert.equal(types.get(name), type, name);
});

test('a worker without a secret key counts unpublished events too', async (t) => {
  const worker = await startTestAisle({ AISLE_SECRET_KEY: '' }, 'worker');
  t.after(worker.stop);
  const { text } = await worker.call('GET', '/metrics');
  assert.equal(sample(text, 'aisle_events_unpublished'), 0);
  assert.equal(text.includes('aisle_delivery_lanes'), false);
});

test('requests are counted by route, not by URL, and tasks by type', async () => {
  const chain = await makeChain(aisle);
  const vendors = () => aisle.call('GET', `${chain.base}/vendors`, { token: chain.token });
  for (let times = 0; times < 3; times++) await vendors();
  await aisle.call('GET', `${chain.base}/vendors`);
  const { body } = await aisle.call('POST', `${chain.base}/vendors/${chain.vendors[0]}/catalog/export`, {
    token: chain.token,
  });
  await waitForJob(aisle, chain, body.job_id);
  let text = '';
  // The metrics can be up to a second old.
  await waitFor(
    'new metrics',
    async () => {
      text = (await aisle.call('GET', '/metrics')).text;
      return text.includes('kind="catalog.export",outcome="done"');
    },
    30,
  );
  const route = 'method="GET",route="/v2/chains/:chain_id/vendors"';
  assert.equal(sample(text, `aisle_http_requests_total{${route},status="200"}`), 3);
  assert.equal(sample(text, `aisle_http_requests_total{${route},status="401"}`), 1);
  assert.equal(sample(text, `aisle_http_request_duration_seconds_count{${route}}`), 4);
  assert.equal(sample(text, 'aisle_task_duration_seconds_count{kind="catalog.export",outcome="done"}'), 1);
  assert.equal(text.includes(chain.chainId), false);
});

test('the metrics show waiting and dead tasks by type', async (t) => {
  const idle = await startTestAisle({}, 'api');
  t.after(idle.stop);
  const chain = await makeChain(idle);
  for (const vendor of chain.vendors) {
    await idle.call('POST', `${chain.base}/vendors/${vendor}/catalog/export`, { token: chain.token });
  }
  await idle.db.query("update queue_tasks set run_at = now() - interval '90 seconds'");
  await idle.db.query(
    `insert into queue_dead (task_id, chain_id, kind, payload, attempts, last_error, created_at)
     values (1, $1, 'catalog.update', '{}', 3, 'broken', now())`,
    [chain.chainId],
  );
  const { text } = await idle.call('GET', '/metrics');
  assert.equal(sample(text, 'aisle_queue_tasks{kind="catalog.export"}'), 2);
  const age = sample(text, 'aisle_queue_oldest_due_seconds{kind="catalog.export"}');
  assert.ok(age >= 90 && age < 150, String(age));
  assert.equal(sample(text, 'aisle_queue_dead_tasks{kind="catalog.update"}'), 1);
});

function sample(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  assert.ok(line, `${series} is missing`);
  return Number(line.slice(series.length));
}
