import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { lockEmptyLanes } from '../src/deliveries/backlog-queries.ts';
import { lockLanesById } from '../src/deliveries/lane-queries.ts';
import { becomePublisher, lockPublishing } from '../src/events/queries.ts';
import { runDueChores } from '../src/kernel/background/schedule.ts';
import { endFrozenCopies } from '../src/kernel/background/frozen-copies.ts';
import { copyOut, createTemporary } from '../src/kernel/database/copy.ts';
import { type Database, type DatabaseOptions, idleLimit, openDatabase, type Tx } from '../src/kernel/database/db.ts';
import { createShares } from '../src/kernel/database/shares.ts';
import { createLog } from '../src/kernel/monitoring/log.ts';
import { Failure } from '../src/kernel/failures/failure.ts';
import { type Migration, MigrationError, migrate, readMigrations } from '../src/kernel/database/migrate.ts';
import { newId } from '../src/kernel/values/ids.ts';
import { cloneDatabase } from './support/database.ts';
import { isLockAwaited } from './support/lock-waits.ts';
import { waitFor } from './support/wait.ts';

const database = await cloneDatabase();
after(() => database.drop());

test('closing a database closes its connections', async () => {
  const name = 'aisle closing';
  const errors: Error[] = [];
  const db = open({ name, connections: 20, onError: (error) => errors.push(error) });
  await Promise.all(Array.from({ length: 20 }, () => db.query('select pg_sleep(0.2)')));
  const connections = () => database.db.query('select 1 from pg_stat_activity where application_name = $1', [name]);
  assert.equal((await connections()).length, 20);
  await db.close();
  assert.deepEqual(await connections(), []);
  assert.deepEqual(errors, []);
});

test('a temporary table that another version created with other columns is not reused', async (t) => {
  const db = open({ connections: 1 });
  t.after(db.close);
  const fill = (columns: string, values: string) =>
    db.transaction(async (tx) => {
      await createTemporary(tx, 'incoming', columns);
      await tx.query(`insert into incoming values (${values})`);
      return tx.query<{ row: string; table: number }>('select i::text as row, tableoid::int as table from incoming i');
    });
  await db.query('create temporary table incoming (sku text) on commit delete rows');
  const [first, again, changed] = [
    await fill('sku text, price integer', "'MILK', 1"),
    await fill('sku text, price integer', "'MILK', 2"),
    await fill("sku text, state text default 'NEW'", "'MILK'"),
  ];
  assert.deepEqual([first[0]?.row, again[0]?.row, changed[0]?.row], ['(MILK,1)', '(MILK,2)', '(MILK,NEW)']);
  assert.equal(first[0]?.table, again[0]?.table);
});

test('a replica that cannot be reached is reported once, with its setting', async (t) => {
  const errors: string[] = [];
  const replicaUrl = 'postgres://aisle@127.0.0.1:1/aisle';
  const db = open({ connections: 2, replicaUrl, onError: ({ message }) => errors.push(message) });
  t.after(db.close);
  const reads = await Promise.all([1, 2, 3].map(async () => db.replica?.isCurrent()));
  assert.deepEqual(reads, [false, false, false]);
  assert.deepEqual(errors, ['DATABASE_REPLICA_URL: connect ECONNREFUSED 127.0.0.1:1']);
});

test('a statement that takes too long is cancelled, and its connection can be reused', async (t) => {
  const db = open({ connections: 1, statementSeconds: 1 });
  t.after(db.close);
  const isUnavailable = (error: unknown) =>
    error instanceof Failure && error.code === 'service_unavailable' && /took too long/.test(error.message);
  await assert.rejects(db.query(slow), isUnavailable);
  await assert.rejects(
    db.transaction((tx) => tx.query(slow)),
    isUnavailable,
  );
  assert.deepEqual(await db.query('select 1 as one'), [{ one: 1 }]);
});

test('a statement whose rows have no room ends before all of them have been received', async (t) => {
  const db = open({ connections: 1 });
  t.after(db.close);
  const full = new Failure('service_unavailable', 'full');
  let received = 0;
  const onReceived = (bytes: number) => {
    received = bytes;
    if (bytes > 1_000_000) throw full;
  };
  const rows = "select repeat('x', 1000) as text from generate_series(1, 100000)";
  await assert.rejects(db.query(rows, [], { onReceived }), (error) => error === full);
  assert.ok(received < 10_000_000, String(received));
  // The connection has been replaced.
  assert.deepEqual(await db.query('select 1 as one', [], { onReceived: () => {} }), [{ one: 1 }]);
  received = 0;
  const inTransaction = db.transaction(async (tx) => {
    await tx.query('select 1 as one', [], { onReceived });
    await tx.query(rows, [], { onReceived });
  });
  await assert.rejects(inTransaction, (error) => error === full);
  assert.ok(received > 1_000_000 && received < 10_000_000, String(received));
  assert.deepEqual(await db.transaction((tx) => tx.query('select 1 as one', [], { onReceived })), [{ one: 1 }]);
});

test('background work, copies and migrations have no statement timeout, and do not remove the timeout for other statements', async (t) => {
  const db = open({ connections: 1, statementSeconds: 1 });
  t.after(db.close);
  await db.withoutTimeout.transaction((tx) => tx.query(slow));
  await assert.rejects(db.query(slow), Failure);
  const rows: Buffer[] = [];
  for await (const chunk of copyOut(db, slow)) rows.push(chunk);
  assert.equal(rows.length, 1);
  await assert.rejects(db.query(slow), Failure);
  await migrate(db, [{ version: 9999, name: 'slow', sql: slow }]);
  await assert.rejects(db.query(slow), Failure);
});

test('PostgreSQL ends the transaction of a frozen process, and its connection is replaced', async (t) => {
  const db = open({ connections: 1 });
  t.after(db.close);
  const frozen = db.transaction(async (tx) => {
    await tx.query(`select ${idleLimit(1)}`);
    await tx.query('create table frozen (id int)');
    await sleep(2000);
    await tx.query('select 1');
  });
  await assert.rejects(frozen, (error) => error instanceof Failure && error.code === 'service_unavailable');
  assert.deepEqual(await db.query("select to_regclass('frozen') as frozen"), [{ frozen: null }]);
});

test('the connection of a process that freezes while it copies rows is ended', async (t) => {
  const db = open({ connections: 1 });
  t.after(db.close);
  const frozen = new pg.Client({ connectionString: database.url });
  await frozen.connect();
  frozen.on('error', () => {});
  const ended = new Promise((resolve) => frozen.once('end', resolve));
  await frozen.query('create temporary table copied (id int)');
  frozen.query(copyFrom('copy copied from stdin')).on('error', () => {});
  await waitFor('the copy to be ended', async () => (await db.transaction((tx) => endFrozenCopies(tx, 0.2))) === 1);
  await ended;
});

test('a transaction can be idle for a minute in a request, 30 s in the background, and 10 s with a lock that all chains need', async (t) => {
  const db = open({ connections: 1 });
  t.after(db.close);
  const limitIn = async (of: Database, work: (tx: Tx) => Promise<unknown>) => {
    const rows = await of.transaction(async (tx) => {
      await work(tx);
      return tx.query<{ limit: string }>("select current_setting('idle_in_transaction_session_timeout') as limit");
    });
    return rows[0]?.limit;
  };
  assert.equal(await limitIn(db, (tx) => lockPublishing(tx, newId())), '10s');
  assert.equal(await limitIn(db, (tx) => becomePublisher(tx, null)), '10s');
  assert.equal(await limitIn(db.withIdleLimit, async () => {}), '10s');
  // The publisher waits for these locks too.
  assert.equal(await limitIn(db.withoutTimeout, (tx) => lockEmptyLanes(tx, newId())), '10s');
  assert.equal(await limitIn(db.withoutTimeout, (tx) => lockLanesById(tx, newId(), [])), '10s');
  assert.equal(await limitIn(db, async () => {}), '1min');
  assert.equal(await limitIn(db.withoutTimeout, async () => {}), '30s');
});

test('a migration that was changed after it had been applied is rejected, and nothing is applied', async (t) => {
  const db = open({});
  t.after(db.close);
  const first = { version: 9997, name: 'first', sql: 'create table first (id int);\n' };
  const next = { version: 9998, name: 'next', sql: 'create table next (id int);\n' };
  const newest = { version: 9999, name: 'slow', sql: slow };
  await migrate(db, [first, newest]);
  assert.deepEqual(await migrate(db, [{ ...first, sql: 'create table first (id int);\r\n' }, newest]), []);
  const changed = { ...first, sql: 'create table first (id bigint);\n' };
  await assert.rejects(migrate(db, [changed, next, newest]), (error: Error) => {
    assert.match(error.message, /^Migration 9997 \(first\) differs from the one applied to this database; restore/);
    return error instanceof MigrationError;
  });
  assert.deepEqual(await db.query("select to_regclass('next') as next"), [{ next: null }]);
});

test('a database migrated before hashes were stored is accepted, and the hashes are added', async (t) => {
  const db = open({});
  t.after(db.close);
  const newest = { version: 9999, name: 'slow', sql: slow };
  await migrate(db, [newest]);
  await db.query('alter table migrations drop column sha256');
  await migrate(db, [newest]);
  await assert.rejects(migrate(db, [{ ...newest, sql: 'select 1' }]), MigrationError);
});

const slow = 'select pg_sleep(1.5)';

function open(options: Partial<DatabaseOptions>): Database {
  const defaults = { url: database.url, connections: 10, preparedStatements: true, name: 'aisle test' };
  return openDatabase({ ...defaults, onError: () => {}, ...options });
}

test('the locks of a chore are released soon if its process is frozen', async () => {
  let limit = '';
  const run = async (tx: Tx) => {
    const [row] = await tx.query<{ limit: string }>(
      "select current_setting('idle_in_transaction_session_timeout') as limit",
    );
    limit = row?.limit ?? '';
    return 'done';
  };
  const chores = [{ name: 'look', everySeconds: 60, run }];
  await runDueChores({ db: database.db.withoutTimeout, chores, log: createLog('silent'), chains: undefined });
  assert.equal(limit, '10s');
});

test("a chore runs if its next time is further in the future than the database's clock allows", async () => {
  let runs = 0;
  const chores = [{ name: 'clock', everySeconds: 60, run: async () => `run ${++runs}` }];
  const options = { db: database.db.withoutTimeout, chores, log: createLog('silent'), chains: undefined };
  await runDueChores(options);
  await runDueChores(options);
  assert.equal(runs, 1);
  // The clock was an hour ahead when it ran, and has been set since.
  await database.db.query(
    "update schedules set next_run_at = now() + interval '61 minutes', last_run_at = now() + interval '1 hour'",
  );
  await runDueChores(options);
  assert.equal(runs, 2);
});

test('requests that hold all connections can still look something up', async (t) => {
  const small = open({ name: 'aisle small', connections: 2 });
  t.after(small.close);
  const shares = createShares(2, 1);
  const requests = ['a', 'b'].map((chain) => shares.limit(small, chain));
  let holding = 0;
  const work = requests.map((request) =>
    request.transaction(async (tx) => {
      await tx.query('select 1');
      holding += 1;
      while (holding < 2) await sleep(5);
      return request.query<{ one: number }>('select 1 as one');
    }),
  );
  assert.deepEqual(await Promise.all(work), [[{ one: 1 }], [{ one: 1 }]]);
});

test('a read that deadlocks with the migration of another version is repeated', async (t) => {
  const { db, drop } = await cloneDatabase();
  for (const name of ['one', 'two']) await db.query(`create table ${name} (id int)`);
  const migrating = await db.pool.connect();
  t.after(() => (migrating.release(true), drop()));
  await migrating.query("set deadlock_timeout = '1min'; begin; lock table two in access exclusive mode");
  const reading = db.query('select one.id from one, two');
  await waitFor('the read to wait', () => isLockAwaited(db, 'relation'));
  await migrating.query('lock table one in access exclusive mode');
  await migrating.query('commit');
  assert.deepEqual(await reading, []);
});

test('a migration does not wait for long, so that a request of the previous version neither waits nor deadlocks', async (t) => {
  const { db, drop } = await cloneDatabase();
  for (const name of ['one', 'two']) await db.query(`create table ${name} (id int)`);
  const sql = 'lock table one in access exclusive mode; alter table two add column added int';
  const request = await db.pool.connect();
  t.after(() => (request.release(), drop()));
  await request.query('begin; lock table two in access share mode');
  const migrating = migrate(db, await withNext(db, sql));
  await waitFor('the migration to wait', () => isLockAwaited(db, 'relation'));
  // After a second, PostgreSQL looks for deadlocks once. If it finds none, the request would be the one that finds it.
  await sleep(1500);
  assert.equal((await request.query('select from one')).rowCount, 0);
  await request.query('commit');
  await migrating;
  assert.deepEqual(await db.query('select added from two'), []);
});

test('the state between two migrations, with which requests of the previous version fail, is never visible', async () => {
  // The default of applied_at is the time of the transaction.
  const sql = 'select count(distinct applied_at)::int as transactions from migrations where version in (43, 44)';
  assert.deepEqual(await database.db.query(sql), [{ transactions: 1 }]);
});

/** All migrations, and another one. */
async function withNext(db: Database, sql: string): Promise<Migration[]> {
  const [newest] = await db.query<{ version: number }>('select max(version) as version from migrations');
  const migrations = readMigrations(new URL('../migrations/', import.meta.url));
  return [...migrations, { version: Number(newest?.version) + 1, name: 'alter', sql }];
}

test('a migration that deadlocks with a request is repeated', async (t) => {
  const { db, drop } = await cloneDatabase();
  for (const name of ['one', 'two']) await db.query(`create table ${name} (id int)`);
  const sql = 'lock table one in access exclusive mode; select pg_sleep(0.3); alter table two add column added int';
  const request = await db.pool.connect();
  t.after(() => (request.release(), drop()));
  // The request has waited longer when the deadlock is noticed, so it would notice it first.
  await request.query("begin; set local deadlock_timeout = '1min'; lock table two in access exclusive mode");
  const migrating = migrate(db, await withNext(db, sql));
  await sleep(100);
  await request.query('select count(*) from one');
  await request.query('commit');
  await migrating;
  assert.deepEqual(await db.query('select added from two'), []);
});
