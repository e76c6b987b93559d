import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import test from 'node:test';
import { Webhook } from 'standardwebhooks';
import { openDatabase } from '../src/kernel/database/db.ts';
import { migrate, readMigrations } from '../src/kernel/database/migrate.ts';
import { requestAccessToken, startAisleOn, type TestAisle } from './support/aisle.ts';
import { putProducts, readProduct, runUpdate } from './support/catalog.ts';
import { createEmptyDatabase } from './support/database.ts';
import { allPicked, fulfilled, placeOrder, readOrder } from './support/orders.ts';
import { applyPromotion, percent, promotionBody } from './support/promotions.ts';
import { type Receiver, useReceivers } from './support/receiver.ts';
import { waitForDeliveries } from './support/webhooks.ts';
import { type Recorded, readRecorded, restoreDump } from './upgrades/restore.ts';
import { readWorld, type World } from './upgrades/world.ts';

/**
 * Upgrades databases that older versions created and filled, one for each migration level that was in use. The file
 * names are the levels. 0009 has the original migration 0008, and 0015 does not have 0014, which was merged later.
 */
const levels = globSync('*.sql.gz', { cwd: new URL('upgrades/', import.meta.url) })
  .map((file) => file.slice(0, 4))
  .toSorted();
const migrations = readMigrations(new URL('../migrations/', import.meta.url));
const makeReceiver = useReceivers();

test('there is a dump of every released migration level', () => {
  assert.deepEqual(levels, ['0007', '0009', '0010', '0012', '0015', '0017']);
});

for (const level of levels) {
  test(`a database at migration ${level} keeps all data when it is upgraded, and works`, async (t) => {
    const database = await createEmptyDatabase();
    t.after(database.drop);
    await restoreDump(database.url, level);
    await upgrade(database.url);
    const recorded = readRecorded(level);
    const api = await startAisleOn(database.url, {}, 'api');
    t.after(api.stop);
    await assertKept(api, recorded);
    await assertCredentialsWork(api, recorded.world);

    const receiver = await makeReceiver();
    await moveWebhook(api, recorded.world, receiver);
    const worker = await api.another({}, 'worker');
    t.after(worker.stop);
    await assertDeliveriesContinue(api, recorded.world, receiver);
    await assertCatalogWorks(api, recorded.world);
    await assertOrdersWork(api, recorded.world, receiver);
  });
}

test('the comparison of recorded and current responses finds lost and changed values', () => {
  const old = { a: [1, { b: '2026-05-04T09:30:00.000Z', url: 'http://x/y?signature=1' }], c: null };
  const added = { a: [1, { b: '2027-05-04T09:30:00.000Z', url: 'http://x/y', more: 1 }], c: null, d: 1 };
  assert.deepEqual(listChanges(old, added), []);
  assert.deepEqual(listChanges(old, { a: [1], c: 0 }), ['/a: 2 elements became 1', '/c: null became 0']);
  assert.deepEqual(listChanges(old, { a: [1, { b: null, url: 'http://x/z' }] }), [
    '/a/1/b: "<time>" became null',
    '/a/1/url: "http://x/y" became "http://x/z"',
    '/c: null became undefined',
  ]);
});

async function upgrade(url: string): Promise<void> {
  const db = openDatabase({ url, connections: 4, preparedStatements: true, name: 'aisle test', onError: () => {} });
  await migrate(db, migrations);
  await db.close();
}

async function assertKept(aisle: TestAisle, { world, responses }: Recorded): Promise<void> {
  const current = await readWorld(aisle, world);
  const changes = Object.entries(responses).flatMap(([path, body]) =>
    listChanges(body, current[path]).map((change) => `${path}${change}`),
  );
  assert.deepEqual(changes, []);
}

/** Lists what is missing or different in `current`. Extra fields and different times and signatures are allowed. */
function listChanges(old: unknown, current: unknown, pointer = ''): string[] {
  const [before, after] = [comparable(old), comparable(current)];
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [`${pointer}: ${before.length} elements became ${after.length}`];
    return before.flatMap((element, index) => listChanges(element, after[index], `${pointer}/${index}`));
  }
  if (isObject(before) && isObject(after)) {
    // This time is recorded shortly after a token is used.
    const names = Object.keys(before).filter((name) => name !== 'last_used_at');
    return names.flatMap((name) => listChanges(before[name], after[name], `${pointer}/${name}`));
  }
  return before === after ? [] : [`${pointer}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`];
}

function comparable(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, '<time>').replace(/\?signature=.*$/, '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function assertCredentialsWork(aisle: TestAisle, { client, user, chain }: World): Promise<void> {
  const granted = await requestAccessToken(aisle, client);
  assert.equal(granted.status, 200, granted.text);
  const read = await aisle.call('GET', `${chain.base}/vendors`, { token: granted.body.access_token });
  assert.equal(read.status, 200, read.text);
  const origin = { origin: 'http://aisle.test', 'sec-fetch-site': 'same-origin' };
  const signedIn = await aisle.call('POST', '/v2/portal/session', { body: user, headers: origin });
  assert.equal(signedIn.status, 201, signedIn.text);
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
  const statistics = await aisle.call('GET', `${chain.base}/statistics`, { headers: { cookie } });
  assert.equal(statistics.status, 200, statistics.text);
}

/**
 * Sends the events to this receiver, with the secrets from before the upgrade. The API would remove the `Authorization`
 * secret, because the host changes, so the URL is changed in the database first.
 */
async function moveWebhook(aisle: TestAisle, { chain }: World, receiver: Receiver): Promise<void> {
  await aisle.db.query('update webhooks set production_url = $2 where chain_id = $1', [chain.chainId, receiver.url]);
  const body = { environment: 'production', production_url: receiver.url };
  const response = await aisle.call('PUT', `${chain.base}/webhook`, { token: chain.token, body });
  assert.equal(response.status, 200, response.text);
}

/** Checks that a delivery that failed before the upgrade is retried, signed with the secret from that time. */
async function assertDeliveriesContinue(aisle: TestAisle, world: World, receiver: Receiver): Promise<void> {
  await aisle.db.query('update delivery_lanes set due_at = now()');
  await waitForDeliveries(aisle, world.chain, world.orders.undelivered, 'DELIVERED');
  const message = receiver.received.find(({ body }) => body.order_id === world.orders.undelivered);
  assert.ok(message);
  assert.equal(message.headers.authorization, world.webhook.authorization);
  new Webhook(world.webhook.signingSecret).verify(message.text, message.headers as Record<string, string>);
}

async function assertCatalogWorks(aisle: TestAisle, { chain }: World): Promise<void> {
  const single = await putProducts(aisle, chain, [{ sku: 'MILK', price: 3.25 }]);
  assert.equal(single.status, 200, single.text);
  const job = await runUpdate(aisle, chain, [
    { sku: 'CHEESE', price: 30 },
    { sku: 'HAM', active: false },
  ]);
  assert.equal(job.job_status, 'COMPLETED');
  assert.equal((await readProduct(aisle, chain, 'MILK')).price, 3.25);
  assert.equal((await readProduct(aisle, chain, 'CHEESE')).price, 30);
  await applyPromotion(aisle, chain, promotionBody({ discount: [percent(10, 'MILK')] }));
  const { body } = await aisle.call('GET', `${chain.base}/promotions`, { token: chain.token });
  assert.equal(body.promotions.length, 4);
}

/** Fulfils an order from before the upgrade and a new one, and receives their events. */
async function assertOrdersWork(aisle: TestAisle, { chain, orders }: World, receiver: Receiver): Promise<void> {
  const old = await readOrder(aisle, chain, orders.received);
  const added = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 2 }]);
  for (const order of [old, added]) {
    const { status } = await fulfilled(aisle, chain, order, allPicked(order));
    assert.equal(status, 'READY_FOR_PICKUP');
  }
  await waitForDeliveries(aisle, chain, added.order_id, 'DELIVERED', 'DELIVERED');
  await waitForDeliveries(aisle, chain, orders.received, 'DELIVERED', 'DELIVERED');
  const arrived = receiver.received.map(({ body }) => `${body.order_id} ${body.status}`);
  assert.ok(arrived.includes(`${added.order_id} READY_FOR_PICKUP`), arrived.join());
  const feed = await aisle.call('GET', `${chain.base}/events?limit=500`, { token: chain.token });
  assert.equal(feed.body.events.at(-1).body.order_id, added.order_id);
}
