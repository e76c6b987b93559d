import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Response, TestChain } from '../server/test/support/aisle.ts';
import { openDatabase } from '../server/src/kernel/database/db.ts';
import { catalogPath, putProducts, readProduct, waitForJob } from '../server/test/support/catalog.ts';
import { createEmptyDatabase } from '../server/test/support/database.ts';
import { uploadFile } from '../server/test/support/files.ts';
import { allPicked, fulfil, newOrder, readOrder } from '../server/test/support/orders.ts';
import { useReceivers } from '../server/test/support/receiver.ts';
import { setWebhook, waitForDeliveries } from '../server/test/support/webhooks.ts';
import { createChain, fillCatalog } from '../server/test/upgrades/world.ts';
import { extractCommit, previousVersion } from '../tools/upgrades/archive.ts';
import { type RawClient, rawClientOf } from './support/raw-client.ts';
import { type Program, runModule, runProgram, startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

/** Two versions on one database: the previous one, from the git history, and this one. */
const previous = extractCommit(previousVersion);
after(previous.remove);
const database = await createEmptyDatabase();
after(database.drop);
const { program } = previous;
const environment = {
  DATABASE_URL: database.url,
  AISLE_RATE_LIMITS: 'off',
  AISLE_SECRET_KEY: Buffer.alloc(32, 'k').toString('base64'),
  AISLE_WEBHOOK_ALLOW: 'loopback',
};

test('the previous version serves requests while the database is migrated and this version starts', async () => {
  const migrated = await runModule(program, ['migrate'], environment);
  assert.equal(migrated.code, 0, migrated.stderr);
  const oldWorker = await startProgram({ role: 'worker', environment, program });
  const old = await startProgram({ role: 'api', environment, program });
  const { chain, platformToken } = await createShop(rawClientOf(old));
  const receiver = await useReceivers()();
  await setWebhook(rawClientOf(old), chain, { production_url: receiver.url });

  let isOver = false;
  let rounds = 0;
  const customer = (async () => {
    for (; !isOver; rounds++) await runOrder(rawClientOf(old), rawClientOf(old), chain, platformToken);
  })();
  await waitFor(30, 'the first order', () => rounds > 0 || undefined);
  const upgraded = await runProgram(['migrate'], environment);
  assert.equal(upgraded.code, 0, upgraded.stderr);
  const current = await startProgram({ role: 'api', environment });
  const jobs = await sendNewWork(rawClientOf(current), chain);
  const worker = await startProgram({ role: 'worker', environment });
  await assertReady(old, oldWorker, current, worker);

  // A load balancer could send any request from the customer or the store to either version.
  const [before, now] = [rawClientOf(old), rawClientOf(current)];
  const orders = [
    await runOrder(before, now, chain, platformToken),
    await runOrder(now, before, chain, platformToken),
    await runOrder(now, now, chain, platformToken),
  ];
  for (const client of [before, now]) {
    const response = await putProducts(client, chain, [{ sku: 'MILK', price: 2.75 }]);
    assert.equal(response.status, 200, response.text);
  }
  await oldWorker.stop();
  orders.push(await runOrder(before, now, chain, platformToken));
  isOver = true;
  await customer;
  await old.stop();
  assert.equal((await waitForJob(now, chain, jobs.preview, 120)).job_status, 'COMPLETED');
  assert.equal((await readProduct(now, chain, 'TEA')).price, 3.99);
  const file = await waitForJob(now, chain, jobs.file, 120);
  assert.deepEqual([file.job_status, file.progress.total, file.progress.succeeded], ['COMPLETED', 45_001, 1]);
  assert.equal((await readProduct(now, chain, 'BREAD')).price, 4.25);
  for (const id of orders) await waitForDeliveries(now, chain, id, 'DELIVERED', 'DELIVERED');
  assert.ok(rounds > 1);
  await Promise.all([current.stop(), worker.stop()]);
});

/**
 * Sends a preview and a file of several windows, which the previous version cannot process. Returns their jobs when its
 * worker has tried.
 */
async function sendNewWork(client: RawClient, chain: TestChain): Promise<{ preview: string; file: string }> {
  const body = { products: [{ sku: 'TEA', price: 777 }] };
  const preview: Response = await client.call('PUT', `${catalogPath(chain)}?dry_run=true`, {
    token: chain.token,
    body,
  });
  assert.equal(preview.status, 202, preview.text);
  const rows = Array.from({ length: 45_000 }, (_, index) => `UNKNOWN-${index},1\n`);
  const content = `sku,price\n${rows.join('')}BREAD,4.25\n`;
  const file = await uploadFile(client, chain, { name: 'prices.csv', content });
  assert.equal(file.status, 202, file.text);
  const jobs = { preview: preview.body.job_id, file: file.body.job_ids[0] };
  const db = openDatabase({ url: database.url, connections: 1, preparedStatements: true, name: 'test', onError() {} });
  await waitFor(60, 'the previous version to try every task', async () => {
    const sql = "select 1 from queue_tasks where payload ->> 'job_id' = any ($1) and attempts = 0";
    return (await db.query(sql, [Object.values(jobs)])).length === 0 || undefined;
  });
  await db.close();
  return jobs;
}

/** Uses only the previous version's program, because the database is not migrated yet. */
async function createShop(client: RawClient): Promise<{ chain: TestChain; platformToken: string }> {
  const created = await runModule(program, ['platform-token', 'test'], environment);
  const platformToken = created.stdout.trim();
  const chain = await createChain(client, platformToken, { profile: 'strict', stores: 1 });
  await fillCatalog(client, chain);
  const stocked = await putProducts(client, chain, [{ sku: 'MILK', quantity: 100_000 }]);
  assert.equal(stocked.status, 200, stocked.text);
  return { chain, platformToken };
}

/** Places an order with one version, fulfils it with the other, and reads it from both. Every request must succeed. */
async function runOrder(one: RawClient, other: RawClient, chain: TestChain, platformToken: string): Promise<string> {
  const body = newOrder(chain, [{ sku: 'MILK', quantity: 1 }]);
  const placed: Response = await one.call('POST', '/platform/v1/orders', { token: platformToken, body });
  assert.equal(placed.status, 201, placed.text);
  const fulfilled = await fulfil(other, chain, placed.body, allPicked(placed.body));
  assert.equal(fulfilled.status, 200, fulfilled.text);
  for (const client of [one, other]) {
    assert.equal((await readOrder(client, chain, placed.body.order_id)).status, 'READY_FOR_PICKUP');
  }
  return placed.body.order_id;
}

async function assertReady(...programs: Program[]): Promise<void> {
  for (const { url } of programs) {
    const { status, text } = await rawClientOf({ url }).call('GET', '/health/ready');
    assert.equal(status, 200, text);
  }
}
