import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AisleClient } from '@aisle/sdk';
import pg from 'pg';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../server/src/kernel/database/migrate.ts';
import { makeChain, type TestChain } from '../server/test/support/chain.ts';
import { addProducts, plainProducts } from '../server/test/support/catalog.ts';
import { clientOf } from './support/client.ts';
import { makeFolder } from './support/folder.ts';
import { type Program, startProgram } from './support/program.ts';
import { type ReplicatedPair, startPair } from './support/replicas.ts';
import { waitFor } from './support/wait.ts';

/** Tests `DATABASE_REPLICA_URL` with a real streaming replica, which is asynchronous. */
const { folder, remove } = makeFolder();
let pair: ReplicatedPair;
let db: Database;
let chain: TestChain;
let api: Program;
let worker: Program;
let client: AisleClient;
let params: { vendor_id: string };

before(async () => {
  pair = await startPair(folder);
  db = openDatabase({
    url: pair.primaryUrl(),
    connections: 2,
    preparedStatements: true,
    name: 'test',
    onError() {},
  });
  await migrate(db, readMigrations(new URL('../server/migrations/', import.meta.url)));
  chain = await makeChain({ db });
  await addProducts({ db }, chain, plainProducts(3));
  const environment = {
    DATABASE_URL: pair.primaryUrl(),
    DATABASE_REPLICA_URL: pair.standbyUrl(),
    AISLE_RATE_LIMITS: 'off',
    AISLE_LOG_LEVEL: 'silent',
  };
  [api, worker] = await Promise.all([
    startProgram({ role: 'api', environment }),
    startProgram({ role: 'worker', environment }),
  ]);
  client = clientOf(api, chain);
  params = { vendor_id: String(chain.vendors[0]) };
});

after(async () => {
  await db?.close();
  await pair?.stop();
  remove();
});

test('a list from the replica contains what was written just before', async () => {
  const before = await reads(api);
  for (let price = 1; price <= 12; price++) assert.equal(await writeAndList(price), price);
  const { replica, primary } = await reads(api);
  assert.equal(replica + primary, before.replica + before.primary + 12);
  assert.ok(replica > before.replica, 'no list was read from the replica');
});

test('statistics, searches and exports use the replica', async () => {
  await waitFor(20, 'the replica to be used for both', async () => {
    const before = await reads(api);
    assert.equal((await client.listCatalog({ params, query: { query_term: 'Product' } })).total_items, 3);
    await client.getStatistics();
    return (await reads(api)).replica === before.replica + 2 || undefined;
  });
  await waitFor(30, 'an export from the replica', async () => {
    const { progress } = await client.exportCatalog({ params }).finished({ pollMs: 20 });
    assert.equal(progress.succeeded, 3);
    return (await reads(worker)).replica > 0 || undefined;
  });
});

test('while the replica is behind, lists come from the primary and are complete', async () => {
  await onStandby('select pg_wal_replay_pause()');
  await waitFor(10, 'the replay to be paused', async () => {
    const [row] = await onStandby('select pg_get_wal_replay_pause_state() as state');
    return row?.['state'] === 'paused' || undefined;
  });
  const before = await reads(api);
  for (let price = 101; price <= 110; price++) assert.equal(await writeAndList(price), price);
  assert.equal((await reads(api)).primary, before.primary + 10);
  await onStandby('select pg_wal_replay_resume()');
  await waitFor(20, 'the replica to be used again', async () => {
    const { replica } = await reads(api);
    assert.equal(await writeAndList(111), 111);
    return (await reads(api)).replica > replica || undefined;
  });
});

test('when the replica dies, no request fails', async () => {
  for (let index = 0; index < 30; index++) {
    if (index === 10) pair.killStandby();
    await client.listCatalog({ params });
  }
  assert.equal(await writeAndList(200), 200);
});

/** Updates a product and returns its price in a list that is requested immediately afterwards. */
async function writeAndList(price: number): Promise<number> {
  const sku = 'SKU-00001';
  await client.updateCatalog({ params, body: { products: [{ sku, price }] } });
  const { products } = await client.listCatalog({ params });
  return products.find((product) => product.sku === sku)?.price ?? Number.NaN;
}

/** How many reads each server has executed for the program, by its metrics. */
async function reads(program: Program): Promise<Record<'replica' | 'primary', number>> {
  // The response is reused for a second.
  await sleep(1050);
  const text = await (await fetch(`${program.url}/metrics`)).text();
  const read = (server: string) =>
    Number(new RegExp(`^aisle_replica_reads_total\\{server="${server}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  return { replica: read('replica'), primary: read('primary') };
}

async function onStandby(sql: string): Promise<Record<string, unknown>[]> {
  const standby = new pg.Client({ connectionString: pair.standbyUrl() });
  await standby.connect();
  const { rows } = await standby.query(sql).finally(() => standby.end());
  return rows;
}
