import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { findRunningPostgres } from '../server/src/embedded/index.ts';
import { createPlatformToken } from '../server/src/identity/index.ts';
import { openDatabase } from '../server/src/kernel/database/db.ts';
import type { AisleClient, FeedEvent } from '@aisle/sdk';
import { makeChain, type TestChain } from '../server/test/support/chain.ts';
import { addProducts } from '../server/test/support/catalog.ts';
import { allPicked, newOrder } from '../server/test/support/orders.ts';
import { useReceivers } from '../server/test/support/receiver.ts';
import { clientOf } from './support/client.ts';
import { fillDataFolder } from './support/data-folder.ts';
import { makeFolder } from './support/folder.ts';
import { assertNoneRunning } from './support/processes.ts';
import { type Outcome, launchProgram, type Program, runProgram, startProgram } from './support/program.ts';
import { waitFor, within } from './support/wait.ts';

// The tests run in order. The first one makes the backup that the others use.
const { folder, remove } = makeFolder();
const file = join(folder, 'aisle.backup');
const original = join(folder, 'original');
const restored = join(folder, 'restored');
const receiver = await useReceivers()();
const running: Program[] = [];
let chain: TestChain;
let platformToken: string;
let signingSecret: string;
/** The orders acknowledged before the backup was started. */
let ordersBefore: string[];
/** Where a client stopped reading the feed, after the backup. */
let cursor: string;
/** The same in the lists of changed orders, of changed products, and for storefronts. */
let positions: Positions;

after(async () => {
  await Promise.all(running.map((program) => program.stop().catch(() => program.kill('SIGKILL'))));
  await assertNoneRunning(folder, 10);
  remove();
});

test('a backup can be made while the server accepts orders', async () => {
  fillDataFolder(original);
  const aisle = await start(original);
  await createShop();
  // Stands in for the demo's credentials. The demo is off here, because creating it takes too long.
  writeFileSync(join(original, 'demo.json'), '{}');
  const client = clientOf(aisle, chain);
  const { signing_secret = '' } = await client.putWebhook({
    body: { environment: 'production', production_url: receiver.url, secret: 'Bearer from before' },
  });
  signingSecret = signing_secret;

  const placed: string[] = [];
  let isOver = false;
  const customers = Array.from({ length: 3 }, async () => {
    for (; !isOver; await sleep(50)) placed.push(await placeOrder(aisle));
  });
  await waitFor(20, 'the first orders', () => placed.length >= 20 || undefined);
  ordersBefore = [...placed];
  // Their positions are in the backup.
  await readChanges(aisle);
  const outcome = await command(original, 'backup', file);
  const ordersDuring = placed.length - ordersBefore.length;
  isOver = true;
  await Promise.all(customers);
  assert.equal(outcome.code, 0, outcome.stderr);
  assert.match(outcome.stdout, /^The backup is in .*aisle\.backup \(\d+\.\d MB\)\. It contains the encryption key/m);
  assert.ok(ordersDuring > 0, 'orders were placed during the backup');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  cursor = (await readFeed(client)).cursor;
  await changeAfterBackup(client);
  positions = (await readChanges(aisle)).positions;
  await aisle.stop();
});

test('a restored server has everything that was committed before the backup, and can process new orders', async () => {
  const outcome = await command(restored, 'restore', file);
  assert.equal(outcome.code, 0, outcome.stderr);
  assert.match(outcome.stdout, /^The backup from 20.*Z has been restored to .*restored\.$/m);
  assert.deepEqual(readdirSync(restored).toSorted(), ['demo.json', 'postgres', 'secret.key']);
  const aisle = await start(restored);
  const client = clientOf(aisle, chain);
  const params = { vendor_id: String(chain.vendors[0]) };
  const listed = (await Array.fromAsync(client.listOrders.all({ params }))).map(({ order_id }) => order_id);
  const receivedOf = ({ events }: Awaited<ReturnType<typeof readFeed>>) =>
    events.flatMap((event) => (event.type === 'order.received' ? [event.body.order_id] : []));
  // The last events before the backup may not have been published yet.
  const received = await waitFor(10, 'the last events', async () => {
    const found = receivedOf(await readFeed(client));
    return found.length >= listed.length ? found : undefined;
  });
  for (const id of ordersBefore) {
    assert.equal((await client.getOrder({ params: { order_id: id } })).status, 'RECEIVED');
    assert.equal(received.filter((order) => order === id).length, 1);
  }
  assert.deepEqual(new Set(received), new Set(listed), 'every order has its event');

  const added = await placeOrder(aisle);
  const message = await waitFor(20, 'the webhook', () => receiver.received.find(({ body }) => body.order_id === added));
  const { events: unread } = await readFeed(client, cursor);
  const isUnread = unread.some(({ body }) => 'order_id' in body && body.order_id === added);
  assert.ok(isUnread, 'a client that has read further than the backup sees new events');
  assert.equal(message.headers.authorization, 'Bearer from before');
  new Webhook(signingSecret).verify(message.text, message.headers as Record<string, string>);
  const order = await client.getOrder({ params: { order_id: ordersBefore[0] ?? '' } });
  const body = { status: 'READY_FOR_PICKUP', items: allPicked(order) } as const;
  await client.putOrder({ params: { order_id: order.order_id }, body });
});

test('clients that have read changes after the backup learn that they were undone', async () => {
  const aisle = running.at(-1);
  assert.ok(aisle);
  const { orders, products, shown } = await readChanges(aisle, positions);
  assert.equal(orders.find(({ order_id }) => order_id === ordersBefore[1])?.status, 'RECEIVED');
  for (const list of [products, shown]) assert.equal(list.find(({ sku }) => sku === 'SALT')?.price, 1);
});

test('a backup is restored only into an empty folder, unless --overwrite is given', async () => {
  const inUse = await command(restored, 'restore', file, '--overwrite');
  assert.equal(inUse.code, 1);
  assert.match(inUse.stderr, /is in use by another Aisle/);
  const aisle = running.pop();
  assert.ok(aisle);
  cursor = (await readFeed(clientOf(aisle, chain))).cursor;
  await aisle.stop();

  const refused = await command(restored, 'restore', file);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^The data folder .* is not empty; add --overwrite to delete the data in it, or set/);
  const password = () => readFileSync(join(restored, 'postgres', 'aisle.password'), 'utf8');
  const before = password();
  // What a restore that was killed has left.
  mkdirSync(join(restored, 'restore.unfinished-0123abcd', 'postgres'), { recursive: true });
  const replaced = await command(restored, 'restore', file, '--overwrite');
  assert.equal(replaced.code, 0, replaced.stderr);
  assert.notEqual(password(), before);
  assert.equal(findUnfinished(restored), false);
  assert.equal((await command(restored, 'backup', join(folder, 'again.backup'))).code, 0);
});

test('a client that has read events since the backup was restored gets all new ones after it is restored again', async () => {
  const aisle = await start(restored);
  const added = await placeOrder(aisle);
  await waitFor(10, 'the event of the new order', async () => {
    const { events } = await readFeed(clientOf(aisle, chain), cursor);
    return events.some(({ body }) => 'order_id' in body && body.order_id === added) || undefined;
  });
});

test('a damaged backup is rejected, and the data folder is unchanged', async () => {
  const bytes = readFileSync(file);
  const path = join(folder, 'half.backup');
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
  const target = join(folder, 'rejected');
  const outcome = await command(target, 'restore', path);
  assert.equal(outcome.code, 1);
  assert.match(outcome.stderr, /half\.backup is incomplete; use another one\.\n$/);
  assert.deepEqual(readdirSync(target), []);
});

test('if a backup cannot be made, the command says why', async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const cases: [args: string[], environment: Record<string, string>, message: RegExp][] = [
    [['restore', '--overwrite'], {}, /^Name one file: npm start -- restore FILE \[--overwrite\]\.\n$/],
    [['backup', 'x'], { AISLE_DATA_DIR: empty }, /^There is no database in .*empty; set AISLE_DATA_DIR\.\n$/],
    [
      ['backup', 'x'],
      { DATABASE_URL: 'postgresql://localhost/x' },
      /DATABASE_URL is set; use pg_basebackup or pg_dump/,
    ],
  ];
  for (const [args, environment, message] of cases) {
    const outcome = await runProgram(args, { AISLE_DATA_DIR: restored, ...environment });
    assert.equal(outcome.code, 1);
    assert.match(outcome.stderr, message);
  }
});

test('an interrupted restore leaves nothing behind', async () => {
  const target = join(folder, 'interrupted');
  const run = launchProgram(['restore', file], { AISLE_DATA_DIR: target });
  await waitFor(20, 'the restore to start', () => findUnfinished(target) || undefined, 5);
  run.kill('SIGINT');
  const { code } = await within(20, 'the program to exit', run.ended);
  assert.equal(code, 1);
  assert.deepEqual(readdirSync(target), []);
  await assertNoneRunning(target, 10);
});

async function start(dataDir: string): Promise<Program> {
  const settings = { AISLE_DEMO: 'off', AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'warn' };
  const program = await startProgram({ environment: { ...settings, AISLE_DATA_DIR: dataDir } });
  running.push(program);
  return program;
}

function command(dataDir: string, ...args: string[]): Promise<Outcome> {
  return runProgram(args, { AISLE_DATA_DIR: dataDir });
}

async function createShop(): Promise<void> {
  const url = findRunningPostgres(original);
  assert.ok(url);
  const db = openDatabase({ url, connections: 4, preparedStatements: true, name: 'test', onError: () => {} });
  chain = await makeChain({ db }, { vendors: 1 });
  await addProducts({ db }, chain, [
    { sku: 'MILK', title: 'Milk', price: 2.5, quantity: 1_000_000 },
    { sku: 'SALT', title: 'Salt', price: 1 },
  ]);
  platformToken = await createPlatformToken(db, 'test');
  await db.close();
}

async function placeOrder(aisle: Program): Promise<string> {
  const platform = clientOf(aisle, { token: platformToken });
  const { order_id } = await platform.platformPlaceOrder({ body: newOrder(chain, [{ sku: 'MILK', quantity: 1 }]) });
  return order_id;
}

async function readFeed(client: AisleClient, after = '0'): Promise<{ events: FeedEvent[]; cursor: string }> {
  const events: FeedEvent[] = [];
  let cursor = after;
  for await (const page of client.listEvents.pages({ query: { limit: 500, after } })) {
    events.push(...page.events);
    cursor = page.next_cursor;
  }
  return { events, cursor };
}

/** A restore undoes this. */
async function changeAfterBackup(client: AisleClient): Promise<void> {
  const order = await client.getOrder({ params: { order_id: ordersBefore[1] ?? '' } });
  const body = { status: 'READY_FOR_PICKUP', items: allPicked(order) } as const;
  await client.putOrder({ params: { order_id: order.order_id }, body });
  const params = { vendor_id: String(chain.vendors[0]) };
  await client.updateCatalog({ params, body: { products: [{ sku: 'SALT', price: 9 }] } });
}

type Positions = Record<'orders' | 'products' | 'shown', string | undefined>;

/** Reads the lists of changes to their ends. */
async function readChanges(aisle: Program, from: Partial<Positions> = {}) {
  const client = clientOf(aisle, chain);
  const platform = clientOf(aisle, { token: platformToken });
  const params = { chain_id: chain.chainId };
  const orders = await readList((cursor) => client.listChainOrders({ query: { cursor } }), from.orders);
  const products = await readList((cursor) => client.listChainProducts({ query: { cursor } }), from.products);
  const shown = await readList((cursor) => platform.platformListChanges({ params, query: { cursor } }), from.shown);
  return {
    orders: orders.pages.flatMap((page) => page.orders),
    products: products.pages.flatMap((page) => page.products),
    shown: shown.pages.flatMap((page) => page.products),
    positions: { orders: orders.cursor, products: products.cursor, shown: shown.cursor },
  };
}

async function readList<Page extends { next_cursor: string; has_more: boolean }>(
  read: (cursor: string | undefined) => Promise<Page>,
  from: string | undefined,
): Promise<{ pages: Page[]; cursor: string | undefined }> {
  const pages: Page[] = [];
  do pages.push(await read(pages.at(-1)?.next_cursor ?? from));
  while (pages.at(-1)?.has_more);
  return { pages, cursor: pages.at(-1)?.next_cursor };
}

function findUnfinished(dataDir: string): boolean {
  return existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith('restore.unfinished'));
}
