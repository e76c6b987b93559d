import assert from 'node:assert/strict';
import test, { after, beforeEach } from 'node:test';
import { copyInto } from '../src/kernel/database/copy.ts';
import { type Database, type DatabaseOptions, openDatabase, savepoint, type Tx } from '../src/kernel/database/db.ts';
import { isUnavailable, sqlState } from '../src/kernel/database/errors.ts';
import { opaque } from '../src/kernel/database/opaque.ts';
import { cloneDatabase } from './support/database.ts';
import { startCountingProxy } from './support/round-trips.ts';

const database = await cloneDatabase();
const { db } = database;
after(() => database.drop());
await db.query('create table numbers (number int primary key)');
beforeEach(() => db.query('truncate numbers'));

const insert = 'insert into numbers values ($1)';
const numbers = async (of: Database = db) =>
  (await of.query<{ number: number }>('select number from numbers order by 1')).map(({ number }) => number);
const isDuplicate = (error: unknown) => sqlState(error) === '23505';

test('a transaction that loads and then saves needs two round trips, however many statements it has', async (t) => {
  const proxy = await startCountingProxy(database.url);
  t.after(proxy.close);
  const counted = openSingle(proxy.url);
  t.after(counted.close);
  const work = () =>
    counted.transaction(async (tx) => {
      const [ones, twos] = await Promise.all([tx.query('select 1 as one'), tx.query('select 2 as two')]);
      assert.deepEqual([ones, twos], [[{ one: 1 }], [{ two: 2 }]]);
      for (const number of [1, 2, 3]) tx.send(insert, [number]);
    });
  await work();
  await db.query('truncate numbers');
  const before = proxy.roundTrips();
  await work();
  assert.equal(proxy.roundTrips() - before, 2);
  assert.equal(proxy.transactions.at(-1), 2);
  assert.deepEqual(await numbers(), [1, 2, 3]);
});

test('statements go on when another process adds a column to what they select', async () => {
  await db.query('create table widening (number int)');
  const [single, first, last] = ['single', 'first', 'last'].map((name) => `select *, '${name}' as name from widening`);
  const readAll = async () => [
    await db.query(single ?? ''),
    await db.transaction((tx) => Promise.all([tx.query(first ?? ''), tx.query(last ?? '')])),
  ];
  await readAll();
  await db.query('insert into widening values (1)');
  await db.query('alter table widening add column text text');
  const row = { number: 1, text: null };
  assert.deepEqual(await readAll(), [
    [{ ...row, name: 'single' }],
    [[{ ...row, name: 'first' }], [{ ...row, name: 'last' }]],
  ]);
});

test('if a statement that was sent fails, the commit fails with its error and nothing is saved', async () => {
  const work = db.transaction((tx) => {
    for (const number of [1, 2, 2, 3]) tx.send(insert, [number]);
  });
  await assert.rejects(work, isDuplicate);
  assert.deepEqual(await numbers(), []);
});

test('if a statement that was sent fails, the next query fails with its error', async () => {
  const work = db.transaction(async (tx) => {
    for (const number of [1, 1]) tx.send(insert, [number]);
    await assert.rejects(tx.query('select 1'), isDuplicate);
    tx.send(insert, [2]);
  });
  await assert.rejects(work, isDuplicate);
  assert.deepEqual(await numbers(), []);
});

test('a transaction whose failed statement was ignored fails with the error of that statement', async () => {
  const work = db.transaction(async (tx) => {
    await tx.query(insert, [1]);
    await tx.query(insert, [1]).catch(() => {});
  });
  await assert.rejects(work, isDuplicate);
  assert.deepEqual(await numbers(), []);
});

test('rows can be awaited after the commit, which then travels with their statement', async () => {
  const read = await db.transaction((tx) => ({ rows: tx.query('select 1 as one') }));
  assert.deepEqual(await read.rows, [{ one: 1 }]);
  const failed = db.transaction((tx) => ({ rows: [1, 1].map((number) => tx.query(insert, [number])) }));
  await assert.rejects(failed, isDuplicate);
  assert.deepEqual(await numbers(), []);
});

test('a value that the driver may fail to convert is rejected before anything is sent', async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  for (const value of [cyclic, [cyclic], [[cyclic]]]) {
    const work = db.transaction((tx) => {
      tx.send(insert, [1]);
      tx.send(insert, [value]);
    });
    await assert.rejects(work, /circular structure/);
  }
  assert.deepEqual(await numbers(), []);
});

test('if a statement before a savepoint fails, its error is reported', async () => {
  const work = db.transaction(async (tx) => {
    for (const number of [1, 1]) tx.send(insert, [number]);
    await savepoint(tx, () => tx.query('select 1'));
  });
  await assert.rejects(work, isDuplicate);
  assert.deepEqual(await numbers(), []);
});

test('a failed statement inside a savepoint rolls back only the savepoint', async () => {
  await db.transaction(async (tx) => {
    tx.send(insert, [1]);
    const inner = savepoint(tx, async () => {
      tx.send(insert, [2]);
      tx.send(insert, [1]);
    });
    await assert.rejects(inner, isDuplicate);
    tx.send(insert, [3]);
  });
  assert.deepEqual(await numbers(), [1, 3]);
});

test('rows can be copied between other statements', async () => {
  await db.transaction(async (tx) => {
    tx.send(insert, [1]);
    await copyInto(tx, 'numbers', Buffer.from('2\n3\n'));
    tx.send(insert, [4]);
    assert.deepEqual(await tx.query('select count(*)::int as count from numbers'), [{ count: 4 }]);
  });
  assert.deepEqual(await numbers(), [1, 2, 3, 4]);
});

test('after a failed transaction, its connection can be used again', async (t) => {
  const single = openSingle(database.url);
  t.after(single.close);
  for (let round = 0; round < 3; round++) {
    const work = single.transaction(async (tx) => {
      for (const number of [1, 1]) tx.send(insert, [number]);
      // Prepared for the first time in a transaction that has already failed.
      await Promise.all([tx.query(`select ${round}`), tx.query(`select 1${round}`)]);
    });
    await assert.rejects(work, isDuplicate);
    assert.equal((await single.query(`select 1${round} as value`)).length, 1);
  }
  assert.deepEqual(await numbers(single), []);
});

test('if BEGIN fails, nothing is saved, and the connection can be used again', async (t) => {
  const proxy = await startCountingProxy(database.url);
  t.after(proxy.close);
  const single = openSingle(proxy.url);
  t.after(single.close);
  const works: ((tx: Tx) => Promise<unknown> | void)[] = [
    (tx) => [1, 2].forEach((number) => tx.send(insert, [number])),
    (tx) => Promise.all([tx.query(insert, [1]), tx.query('select 1'), tx.query(insert, [2])]),
    async (tx) => {
      await tx.query(insert, [1]).catch(() => {});
      tx.send(insert, [2]);
    },
    async (tx) => {
      await savepoint(tx, () => tx.query(insert, [1])).catch(() => {});
      await tx.query(insert, [2]);
    },
  ];
  for (const work of works) {
    for (const database of [single, single.withoutTimeout, single.withIdleLimit]) {
      proxy.spoilNext('begin');
      await assert.rejects(database.transaction(work), (error) => sqlState(error) === '42601');
      assert.deepEqual(await numbers(), []);
    }
  }
  for (const number of [1, 2, 3]) await single.transaction((tx) => tx.send(insert, [number]));
  assert.deepEqual(await numbers(), [1, 2, 3]);
});

test('a statement that is sent after the end of the transaction fails', async () => {
  const kept: Tx[] = [];
  await db.transaction((tx) => void kept.push(tx));
  await assert.rejects(
    db.transaction((tx) => {
      kept.push(tx);
      tx.send(insert, [1]);
      throw new Error('stop');
    }),
    /stop/,
  );
  for (const tx of kept) await assert.rejects(tx.query(insert, [2]), /The transaction has ended/);
  assert.deepEqual(await numbers(), []);
});

test('a server that stops responding is noticed, and the next statement uses another connection', async (t) => {
  const proxy = await startCountingProxy(database.url);
  t.after(proxy.close);
  // PostgreSQL would cancel a statement after a second. The proxy keeps it from getting there.
  const impatient = openSingle(proxy.url, { statementSeconds: 1 });
  t.after(impatient.close);
  assert.deepEqual(await numbers(impatient), []);
  proxy.swallow();
  assert.deepEqual(await impatient.transaction((tx) => tx.query('select 1 as one')), [{ one: 1 }]);
  proxy.swallow();
  await assert.rejects(impatient.query('select 1'), isUnavailable);
  assert.deepEqual(await numbers(impatient), []);
});

test('the plan of a statement with few values in an opaque array is kept', async (t) => {
  await db.query('create table planned (chain int, name text, primary key (chain, name))');
  await db.query("insert into planned select i % 10, 'name ' || i from generate_series(1, 5000) as i");
  await db.query('analyze planned', [], { prepare: false });
  // The server of the tests never plans a statement twice.
  await db.query(`alter database ${new URL(database.url).pathname.slice(1)} set plan_cache_mode = auto`);
  const single = openSingle(database.url);
  t.after(single.close);
  const find = (names: string) => `select * from planned where chain = $1 and name = any (${names})`;
  for (let run = 0; run < 10; run++) {
    for (const names of ['$2::text[]', opaque('$2::text[]')]) {
      assert.deepEqual(await single.query(find(names), [1, ['name 11', 'name 12']]), [{ chain: 1, name: 'name 11' }]);
    }
  }
  const kept = await single.query(
    'select generic_plans > 0 as is_kept from pg_prepared_statements where statement = any ($1) order by length(statement)',
    [[find('$2::text[]'), find(opaque('$2::text[]'))]],
  );
  assert.deepEqual(kept, [{ is_kept: false }, { is_kept: true }]);
});

test('statements that vary are not kept by the connection', async (t) => {
  const single = openSingle(database.url);
  t.after(single.close);
  const kept = () => single.query('select name from pg_prepared_statements');
  await kept();
  const before = await kept();
  for (let index = 0; index < 10; index++) await single.query(`select ${index}`, [], { prepare: false });
  await single.transaction((tx) => tx.query('select 11', [], { prepare: false }));
  assert.deepEqual(await kept(), before);
});

/** Opens a database with one connection, so that all statements use the same one. */
function openSingle(url: string, options: Partial<DatabaseOptions> = {}): Database {
  const name = 'aisle single';
  return openDatabase({ url, connections: 1, preparedStatements: true, name, onError: () => {}, ...options });
}
