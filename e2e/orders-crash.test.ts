import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type AisleClient, ConnectionError, type Order } from '@aisle/sdk';
import { transitions } from '../server/src/orders/rules/states.ts';
import { makeChain, type TestChain } from '../server/test/support/chain.ts';
import { addProducts, plainProducts } from '../server/test/support/catalog.ts';
import { cloneDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { allPicked, newOrder } from '../server/test/support/orders.ts';
import { createPlatformToken } from '../server/src/identity/index.ts';
import { clientOf, statusOf } from './support/client.ts';
import { type Program, startProgram } from './support/program.ts';
import { waitFor } from './support/wait.ts';

const stock = 100_000;
const skus = ['SKU-00001', 'SKU-00002', 'SKU-00003'];

let database: TestDatabase;
let chain: TestChain;
let platformToken: string;
let program: Program;
let client: AisleClient;
let platform: AisleClient;

before(async () => {
  database = await cloneDatabase();
  chain = await makeChain(database, { vendors: 1 });
  platformToken = await createPlatformToken(database.db, 'test');
  await addProducts(
    database,
    chain,
    plainProducts(3).map((product) => ({ ...product, quantity: stock })),
  );
  await restart();
});

after(() => database?.drop());

/** The tables a change writes to, in order. A request that waits for a lock on one has written to all earlier ones. */
const steps = ['offers', 'events', 'orders', 'order_changes'];

for (const table of steps) {
  test(`a crash before the write to ${table} leaves no trace of a new order, or all of it`, async () => {
    const before = await snapshot();
    await killAt(table, () => place());
    const placed = { orders: 1, revisions: 1, changes: 1, events: 1, stock: [-2, -2, -2] };
    await assertWholeOrNothing(table, before, placed);
  });

  test(`a crash before the write to ${table} leaves the order unchanged or fulfilled, and the fulfilment can be retried`, async () => {
    const order = await place();
    const before = await snapshot();
    await killAt(table, () => fulfil(order));
    await assertWholeOrNothing(table, before, { orders: 0, revisions: 1, changes: 1, events: 1, stock: [2, 0, 0] });
    const { status, revision } = await fulfil(order);
    assert.deepEqual([status, revision], ['READY_FOR_PICKUP', 2]);
    await assertConsistent();
  });

  test(`a crash before the write to ${table} during a cancellation leaves the order unchanged or cancelled`, async () => {
    const order = await place();
    const before = await snapshot();
    await killAt(table, () => cancel(order));
    const cancelled = { orders: 0, revisions: 1, changes: 1, events: 1, stock: [2, 2, 2] };
    const isCancelled = await assertWholeOrNothing(table, before, cancelled);
    assert.equal(await statusOf(cancel(order)), isCancelled ? 409 : 200);
    await assertConsistent();
  });
}

/**
 * All writes are sent together with COMMIT. If the process dies while PostgreSQL executes them, PostgreSQL executes the
 * rest of them, too, as if the process had died right after COMMIT. Offers are locked before that. Returns whether the
 * change was made.
 */
async function assertWholeOrNothing(table: string, before: Snapshot, change: Snapshot): Promise<boolean> {
  const found = await snapshot();
  if (table === 'offers' || isDeepStrictEqual(found, before)) {
    assert.deepEqual(found, before);
    return false;
  }
  const numbers = ['orders', 'revisions', 'changes', 'events'] as const;
  const expected = Object.fromEntries(numbers.map((name) => [name, before[name] + change[name]]));
  const stock = before.stock.map((quantity, index) => quantity + (change.stock[index] ?? 0));
  assert.deepEqual(found, { ...expected, stock });
  await assertConsistent();
  return true;
}

test('repeated crashes under load lose no confirmed changes and leave no order half-written', async () => {
  const responded = new Map<string, number>();
  for (let kill = 0; kill < 4; kill++) {
    let isOver = false;
    const devices = Array.from({ length: 8 }, async () => {
      while (!isOver) await runOneOrder(responded).catch(() => {});
    });
    await waitFor(60, 'responses', () => (responded.size > (kill + 1) * 6 ? true : undefined));
    await sleep(Math.random() * 800);
    program.kill('SIGKILL');
    await program.ended;
    isOver = true;
    await Promise.all(devices);
    await restart();
  }
  const rows = await database.db.query<{ order_id: string; revision: number }>('select order_id, revision from orders');
  const revisions = new Map(rows.map((row) => [row.order_id, row.revision]));
  for (const [id, revision] of responded) assert.ok((revisions.get(id) ?? 0) >= revision, `${id} lost a change`);
  await assertConsistent();
});

async function restart(): Promise<void> {
  program = await startProgram({
    role: 'api',
    environment: { DATABASE_URL: database.url, AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'warn' },
  });
  client = clientOf(program, chain);
  platform = clientOf(program, { token: platformToken });
}

/**
 * Sends the request while the table is locked, kills the program once the request is waiting for the lock, and restarts
 * the program.
 */
async function killAt(table: string, send: () => Promise<unknown>): Promise<void> {
  const holder = await database.db.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(`lock table ${table} in exclusive mode`);
    const sent = send().then(
      () => 'got a response',
      (error: unknown) => (error instanceof ConnectionError ? 'connection lost' : error),
    );
    await waitFor(10, `a statement to wait for ${table}`, async () => {
      const waiting = await database.db.query(
        `select 1 from pg_locks where relation = '${table}'::regclass and not granted`,
      );
      return waiting.length > 0 || undefined;
    });
    program.kill('SIGKILL');
    await program.ended;
    assert.equal(await sent, 'connection lost');
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  await waitFor(10, 'its connections to close', async () => {
    const rows = await database.db.query(
      "select 1 from pg_stat_activity where datname = current_database() and application_name like 'aisle%' and application_name <> 'aisle test'",
    );
    return rows.length === 0 || undefined;
  });
  await restart();
}

function place(): Promise<Order> {
  const items = skus.map((sku) => ({ sku, quantity: 2 }));
  return platform.platformPlaceOrder({ body: newOrder(chain, items) });
}

/** Sends a fulfilment in which the first item is NOT_FOUND, so that the stock changes too. */
function fulfil(order: Order) {
  const [first, ...rest] = allPicked(order);
  const items = [{ ...first, status: 'NOT_FOUND' as const }, ...rest];
  return client.putOrder({ params: { order_id: order.order_id }, body: { status: 'READY_FOR_PICKUP', items } });
}

function cancel({ order_id }: Order) {
  const body = { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' } as const;
  return platform.platformCancelOrder.withResponse({ params: { order_id }, body });
}

/** Places an order, changes it concurrently, and records the last revision confirmed by a response. */
async function runOneOrder(responded: Map<string, number>): Promise<void> {
  const order = await place();
  responded.set(order.order_id, order.revision);
  const note = ({ revision }: { revision: number }) =>
    void responded.set(order.order_id, Math.max(revision, responded.get(order.order_id) ?? 0));
  await Promise.allSettled([
    fulfil(order).then(note),
    Math.random() < 0.3 ? cancel(order).then(({ data }) => note(data)) : undefined,
  ]);
}

type Snapshot = { orders: number; revisions: number; changes: number; events: number; stock: number[] };

async function snapshot(): Promise<Snapshot> {
  const rows = await database.db.query<Snapshot>(
    `select (select count(*)::int from orders) as orders,
       (select coalesce(sum(revision), 0)::int from orders) as revisions,
       (select count(*)::int from order_changes) as changes, (select count(*)::int from events) as events,
       (select jsonb_agg(quantity order by sku) from offers) as stock`,
  );
  return rows[0] as Snapshot;
}

/** Checks that history and events match each order, and that every unit of stock is in the store or in an order. */
async function assertConsistent(): Promise<void> {
  const orders = await database.db.query<{
    order_id: string;
    status: string;
    revision: number;
    history: string[];
    events: string[];
  }>(
    `select o.order_id, o.status, o.revision,
       (select array_agg(c.to_status order by c.revision) from order_changes c where c.order_id = o.order_id) as history,
       (select array_agg(e.type order by e.event_no) from events e where e.body ->> 'order_id' = o.order_id::text) as events
     from orders o`,
  );
  const eventOf = new Map(
    transitions.flatMap(({ to, event }) => (to && event ? [[to as string, event as string]] : [])),
  );
  for (const { order_id, status, revision, history, events } of orders) {
    assert.equal(history.length, revision, order_id);
    assert.equal(history.at(-1), status, order_id);
    assert.deepEqual(events, ['order.received', ...history.slice(1).map((one) => eventOf.get(one))], order_id);
  }
  const held = await database.db.query<{ sku: string; quantity: number; held: number }>(
    `select f.sku, f.quantity, (select coalesce(sum((i ->> 'taken')::int), 0)::int from orders o, jsonb_array_elements(o.items) i
       where i ->> 'sku' = f.sku) as held from offers f order by f.sku`,
  );
  for (const { sku, quantity, held: inOrders } of held) assert.equal(quantity + inOrders, stock, sku);
}
