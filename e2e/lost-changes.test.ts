import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPlatformToken } from '../server/src/identity/index.ts';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../server/src/kernel/database/migrate.ts';
import { addProducts, plainProducts } from '../server/test/support/catalog.ts';
import { makeChain, type TestChain } from '../server/test/support/chain.ts';
import { newOrder } from '../server/test/support/orders.ts';
import { clientOf } from './support/client.ts';
import { makeFolder } from './support/folder.ts';
import { type Program, startProgram } from './support/program.ts';
import { type ReplicatedPair, startPair } from './support/replicas.ts';
import { waitFor } from './support/wait.ts';

/** Tests failovers with asynchronous replication, in which the last changes are lost. */
const { folder, remove } = makeFolder();
let pair: ReplicatedPair;
let db: Database;
let chain: TestChain;
let platformToken: string;
let programs: Program[] = [];

before(async () => {
  pair = await startPair(folder);
  db = openDatabase({ url: pair.url, connections: 2, preparedStatements: true, name: 'test', onError() {} });
  await migrate(db, readMigrations(new URL('../server/migrations/', import.meta.url)));
  chain = await makeChain({ db });
  const products = plainProducts(1).map((product) => ({ ...product, quantity: 1000 }));
  await addProducts({ db }, chain, products);
  platformToken = await createPlatformToken(db, 'test');
  const environment = { DATABASE_URL: pair.url, AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'silent' };
  programs = await Promise.all(['api', 'worker'].map((role) => startProgram({ role, environment })));
});

after(async () => {
  await db?.close();
  await pair?.stop();
  remove();
});

test('a client that has read events which a failover has lost gets all new events', async () => {
  const [server = { url: '' }] = programs;
  const [client, platform] = [clientOf(server, chain), clientOf(server, { token: platformToken })];
  const placeOrder = () => platform.platformPlaceOrder({ body: newOrder(chain, [{ sku: 'SKU-00001', quantity: 1 }]) });
  let cursor = '0';
  const readEvents = async (count: number) => {
    for (let found = 0; found < count; ) {
      const page = await client.listEvents({ query: { after: cursor, wait: 10 } });
      assert.notEqual(page.events.length, 0, `${count - found} events are missing after ${cursor}`);
      found += page.events.length;
      cursor = page.next_cursor;
    }
  };
  await placeOrder();
  await readEvents(1);
  await pair.detachStandby();
  // A sequence is replicated 32 numbers ahead.
  await Promise.all(Array.from({ length: 40 }, placeOrder));
  await readEvents(40);
  pair.killPrimary();
  await pair.promote();
  await waitFor(30, 'an order', () => placeOrder().catch(() => undefined));
  await readEvents(1);
});
