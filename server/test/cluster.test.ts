import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  ClusterError,
  describeCluster,
  distribute,
  isDistributed,
  migrateCluster,
  moveChain,
  rebalanceShards,
} from '../src/cluster/index.ts';
import { createCleanup } from '../src/cleanup.ts';
import { readConfig } from '../src/config.ts';
import { createLog } from '../src/kernel/monitoring/log.ts';
import { openDatabaseFor } from '../src/start-database.ts';
import { newId } from '../src/kernel/values/ids.ts';
import { migrate } from '../src/kernel/database/migrate.ts';
import { cloneDatabase, createEmptyDatabase, type TestDatabase } from './support/database.ts';
import { openDatabase } from '../src/kernel/database/db.ts';

let database: TestDatabase;
before(async () => {
  database = await cloneDatabase();
});
after(() => database.drop());

test('a PostgreSQL without Citus is not distributed, and commands for a cluster are refused', async () => {
  assert.equal(await isDistributed(database.db), false);
  const commands = [
    () => distribute(database.db, { withData: true }),
    () => describeCluster(database.db),
    () => rebalanceShards(database.db),
    () => moveChain(database.db, newId(), 'localhost:5432'),
  ];
  for (const command of commands) {
    await assert.rejects(command, (error) => error instanceof ClusterError && /no Citus extension/.test(error.message));
  }
});

test('the tables that a migration creates can be placed in its transaction', async () => {
  const { url, drop } = await createEmptyDatabase();
  const db = openDatabase({ url, connections: 2, preparedStatements: true, name: 'aisle test', onError: () => {} });
  try {
    const seen: string[] = [];
    const list = async (connection: { query<Row>(text: string): Promise<Row[]> }) => {
      const rows = await connection.query<{ name: string }>(
        "select relname as name from pg_class where relname in ('one', 'two') order by 1",
      );
      return rows.map(({ name }) => name).join(' ');
    };
    const sql = 'create table one (id int primary key); create table two (id int references one);';
    await migrate(db, [{ version: 1, name: 'tables', sql }], {
      before: async (connection) => void seen.push(`before: ${await list(connection)}`),
      after: async (connection) => void seen.push(`after: ${await list(connection)}`),
    });
    assert.deepEqual(seen, ['before: ', 'after: one two']);
    assert.deepEqual(await migrateCluster(db, [{ version: 1, name: 'tables', sql }]), []);
  } finally {
    await db.close();
    await drop();
  }
});

test('the statements of a command have no timeout, because moving data can take long', async () => {
  const config = readConfig({ DATABASE_URL: database.url, AISLE_STATEMENT_SECONDS: '1' });
  const cleanup = createCleanup();
  const { db } = await openDatabaseFor('rebalance', config, createLog('silent'), cleanup);
  try {
    await db.query('select pg_sleep(1.2)');
  } finally {
    await cleanup.run();
  }
});
