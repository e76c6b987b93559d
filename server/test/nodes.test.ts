import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PoolClient } from 'pg';
import { setStock } from '../src/catalog/index.ts';
import { createNodeDatabases } from '../src/cluster/node-databases.ts';
import { publishBatch } from '../src/events/publish-events.ts';
import { recordEvent } from '../src/events/index.ts';
import { recordTallies, sumTallies } from '../src/tallies/index.ts';
import { insertChain } from '../src/identity/index.ts';
import type { Database } from '../src/kernel/database/db.ts';
import { newId } from '../src/kernel/values/ids.ts';
import type { Log } from '../src/kernel/monitoring/log.ts';
import { cloneDatabase, type TestDatabase } from './support/database.ts';

/** These tests use the same server as the coordinator and as a node, so they need no cluster. */
let database: TestDatabase;
let node: Database;
let address: string;
before(async () => {
  database = await cloneDatabase();
  const { hostname, port } = new URL(database.url);
  address = `${hostname}:${port}`;
  node = database.db.openNode(address);
});
after(async () => {
  await node.close();
  await database.drop();
});

test('a connection to a node rejects sequences, notifications and locks that hold on one server only', async () => {
  const refused = [
    "select nextval('acceptance_numbers')",
    "select pg_notify('channel', '')",
    'select pg_advisory_xact_lock(1)',
    'select pg_try_advisory_xact_lock(1)',
  ];
  for (const text of refused) {
    await assert.rejects(() => node.transaction((tx) => tx.query(text)), /Only the coordinator can execute/);
  }
  await assert.rejects(() => node.transaction((tx) => tx.notify('channel')), /Only the coordinator can execute/);
  const text = 'select pg_advisory_xact_lock(1) from vendors where chain_id = $1';
  await node.transaction((tx) => tx.query(text, [newId()]));
});

test('a transaction on a node announces through the coordinator', async () => {
  const { client, received } = await listenTo(database);
  await node.transaction((tx) => tx.announce('nodes_test', 'a'));
  await received;
  client.release(true);
});

test('while a node cannot be reached, the coordinator executes the statements of its chains', async () => {
  const warnings: Record<string, unknown>[] = [];
  const log = { warn: (entry: Record<string, unknown>) => warnings.push(entry) } as unknown as Log;
  const nodes = createNodeDatabases(database.db, log);
  const isDistributed = (db: Database) =>
    db.transaction(async (tx) => (await tx.query('select 1')) && tx.isDistributed);
  try {
    assert.equal(await isDistributed(nodes.of(address)), true);
    assert.equal(await isDistributed(nodes.of(address).withoutTimeout.withIdleLimit), true);
    const away = nodes.of('127.0.0.1:1');
    assert.equal(await isDistributed(away), false);
    assert.deepEqual(await away.withoutTimeout.query('select 1 as one'), [{ one: 1 }]);
    assert.deepEqual(
      warnings.map(({ event, node }) => [event, node]),
      [['cluster.node_not_direct', '127.0.0.1:1']],
    );
  } finally {
    await nodes.close();
  }
});

test('an error of a statement does not send it to the coordinator', async () => {
  const nodes = createNodeDatabases(database.db, { warn: () => assert.fail() } as unknown as Log);
  let tries = 0;
  const fail = () =>
    nodes.of(address).transaction(async (tx) => {
      tries += 1;
      await tx.query('select 1 / 0');
    });
  await assert.rejects(fail, /division by zero/);
  assert.equal(tries, 1);
  await nodes.close();
});

test('the events of an order are published in sequence, whichever nodes executed its transactions', async () => {
  const { db } = database;
  const [chainId, orderId] = [newId(), newId()];
  await db.transaction((tx) => insertChain(tx, chainId, { name: 'Chain', profile: 'strict', country_code: 'AE' }));
  const record = (changedAt: number) =>
    node.transaction((tx) => {
      const body = {} as never;
      return recordEvent(
        tx,
        chainId,
        { type: 'order.received', vendorId: 'store', about: { orderId }, body },
        new Date(changedAt),
      );
    });
  const startSequence = (value: string) =>
    db.query(`select setval(pg_get_serial_sequence('events', 'event_no'), ${value})`);
  // Each node has its own range of the sequence's values.
  await startSequence('1::bigint << 49');
  const first = await record(1_000_000);
  await startSequence('1::bigint << 48');
  const second = await record(1_000_001);
  assert.equal(await publishBatch(db, [], chainId), 2);
  const rows = await db.query<{ event_id: string }>(
    'select event_id from events where chain_id = $1 order by position',
    [chainId],
  );
  assert.deepEqual(
    rows.map(({ event_id }) => event_id),
    [first, second],
  );
  await db.query('delete from events where chain_id = $1', [chainId]);
});

async function listenTo({ db }: TestDatabase) {
  const client = await db.pool.connect();
  await client.query('listen nodes_test');
  const received = new Promise((resolve) => client.once('notification', resolve));
  return { client, received };
}

test('after the plans are forgotten, each connection discards them once', async () => {
  const sent: string[] = [];
  const watch = (client: PoolClient) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    client.query = ((...given: unknown[]) => {
      if (typeof given[0] === 'string') sent.push(given[0]);
      return query(...given);
    }) as typeof client.query;
  };
  const own = database.db.openNode(address);
  own.pool.on('connect', watch);
  try {
    await own.query('select 1');
    assert.deepEqual(
      sent.filter((text) => text === 'discard plans'),
      [],
    );
    own.forgetPlans();
    for (let count = 0; count < 3; count++) await own.transaction((tx) => tx.query('select 1'));
    assert.deepEqual(
      sent.filter((text) => text === 'discard plans'),
      ['discard plans'],
    );
  } finally {
    await own.close();
  }
});

test('a node numbers counts and stock changes of orders without a sequence', async () => {
  const chainId = newId();
  await database.db.transaction((tx) => insertChain(tx, chainId, { name: 'A', profile: 'strict', country_code: 'AE' }));
  const sent: string[] = [];
  await node.transaction((tx) => {
    const recorded = {
      ...tx,
      send(...[text, values]: Parameters<typeof tx.send>) {
        sent.push(text);
        tx.send(text, values);
      },
    };
    const at = new Date('2026-01-01T10:20:00Z');
    for (let count = 0; count < 3; count++) {
      recordTallies(recorded, [{ chainId, vendorId: 'v', at, change: { received: 1 } }]);
    }
    const offer = { price: '1', quantity: 5, maximum_sales_quantity: null, active: true };
    const more = { titles: {}, barcodes: [], image: null, is_sold_by_weight: false };
    const offers = ['A', 'B'].map((sku) => ({ sku, ...offer, ...more }));
    setStock(
      recorded,
      chainId,
      'v',
      newId(),
      offers,
      new Map([
        ['A', 4],
        ['B', 3],
      ]),
    );
  });
  assert.ok(
    sent.filter((text) => text.startsWith('insert')).every((text) => text.includes('change_no')),
    sent.join('\n'),
  );
  const { db } = database;
  const days = await sumTallies(db, chainId, {
    vendorIds: ['v'],
    from: new Date('2026-01-01T00:00:00Z'),
    to: new Date('2026-01-02T00:00:00Z'),
    timezone: 'UTC',
  });
  assert.equal(days[0]?.received, 3);
  const history = await db.query('select sku, new_quantity from offer_history where chain_id = $1 order by sku', [
    chainId,
  ]);
  assert.deepEqual(history, [
    { sku: 'A', new_quantity: 4 },
    { sku: 'B', new_quantity: 3 },
  ]);
});
