import assert from 'node:assert/strict';
import test, { after, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../src/kernel/database/db.ts';
import { sqlState } from '../src/kernel/database/errors.ts';
import { receivedBytes } from '../src/kernel/database/statement.ts';
import { cloneDatabase } from './support/database.ts';
import { startCountingProxy } from './support/round-trips.ts';

const database = await cloneDatabase();
after(() => database.drop());
await database.db.query('create table words (word_id int primary key, word text)');
await database.db.query("insert into words select n, repeat('ä', n) from generate_series(1, 100) n");

const readWord = 'select word from words where $1::text is not null and word_id = $2::text::int';
const read = (db: Database, id: string, chain = 'chain') => db.query<{ word: string }>(readWord, [chain, id]);
const wordsOf = (results: { word: string }[][]) => results.map((rows) => rows[0]?.word.length);

/** A database behind a proxy, which has executed `readWord` before, so it knows that the statement is quick. */
async function open(t: TestContext, connections = 8) {
  const proxy = await startCountingProxy(database.url);
  t.after(async () => proxy.close());
  const options = { connections, preparedStatements: true, name: 'aisle joined', onError: () => {} };
  const db = openDatabase({ url: proxy.url, ...options });
  t.after(db.close);
  await Promise.all(Array.from({ length: connections }, () => read(db, '1')));
  return { db, proxy };
}

/** Otherwise, a statement may take too long on a busy machine, and is not joined the next time. */
function stopClock(t: TestContext): void {
  t.mock.method(performance, 'now', () => 0);
}

test('reads that start together share round trips, and each gets its own rows', async (t) => {
  stopClock(t);
  const { db, proxy } = await open(t);
  const ids = Array.from({ length: 12 }, (_, index) => index + 1);
  const before = proxy.roundTrips();
  assert.deepEqual(wordsOf(await Promise.all(ids.map((id) => read(db, String(id))))), ids);
  assert.equal(proxy.roundTrips() - before, 3);
});

test('reads of different chains are not joined, so that no chain waits for another', async (t) => {
  const { db, proxy } = await open(t);
  const before = proxy.roundTrips();
  await Promise.all(['a', 'b', 'c'].map((chain) => read(db, '1', chain)));
  assert.equal(proxy.roundTrips() - before, 3);
});

test('a read that fails does not affect those that were sent with it', async (t) => {
  const { db } = await open(t);
  const ids = ['1', '2', 'two', '3', 'x', '4', '5', '6'];
  const results = await Promise.allSettled(ids.map((id) => read(db, id)));
  for (const [index, id] of ids.entries()) {
    const result = results[index];
    if (/^\d$/.test(id)) assert.equal(result?.status === 'fulfilled' && result.value[0]?.word.length, Number(id));
    else assert.equal(result?.status === 'rejected' && sqlState(result.reason), '22P02');
  }
  assert.deepEqual(wordsOf(await Promise.all(['7', '8'].map((id) => read(db, id)))), [7, 8]);
});

test('a read whose rows are too large, or whose values cannot be sent, fails alone', async (t) => {
  const { db } = await open(t, 1);
  const seen: number[] = [];
  const onReceived = (bytes: number) => {
    seen.push(bytes);
    if (bytes > 100) throw new Error('too large');
  };
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const [small, large, other, unsent] = await Promise.allSettled([
    db.query(readWord, ['chain', '2'], { onReceived }),
    db.query(readWord, ['chain', '99'], { onReceived }),
    read(db, '3'),
    db.query(readWord, ['chain', cyclic]),
  ]);
  assert.match(unsent.status === 'rejected' ? (unsent.reason as Error).message : '', /circular structure/);
  assert.equal(small.status, 'fulfilled');
  assert.equal(large.status === 'rejected' && (large.reason as Error).message, 'too large');
  assert.equal(other.status, 'fulfilled');
  assert.equal(receivedBytes(small.status === 'fulfilled' ? small.value : []), seen[0]);
  assert.deepEqual(wordsOf(await Promise.all(['4', '5'].map((id) => read(db, id)))), [4, 5]);
});

test('if the connection is lost, all reads on it fail, and later ones use another', async (t) => {
  stopClock(t);
  const { db, proxy } = await open(t, 1);
  proxy.swallow();
  const reads = Promise.allSettled(['1', '2', '3'].map((id) => read(db, id)));
  await sleep(50);
  for (const client of await database.db.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'aisle joined' and datname = current_database()",
  )) {
    await database.db.query('select pg_terminate_backend($1::int)', [client.pid]);
  }
  for (const { status } of await reads) assert.equal(status, 'rejected');
  assert.deepEqual(wordsOf(await Promise.all(['4', '5'].map((id) => read(db, id)))), [4, 5]);
});

test('a statement that took long is not joined, so that no other waits for it', async (t) => {
  const { db } = await open(t, 4);
  const slow = 'select word from words, pg_sleep($1::float8) where word_id = 1';
  await db.query(slow, [0.001]);
  const started = performance.now();
  let firstAt = 0;
  await Promise.all([
    db.query(slow, [0.5]),
    ...['1', '2'].map((id) => read(db, id).then(() => (firstAt ||= performance.now() - started))),
  ]);
  assert.ok(firstAt < 400, `${firstAt} ms`);
});

test('statements that change something are not joined', async (t) => {
  const { db, proxy } = await open(t);
  const update = 'update words set word = word where word_id = $1 returning word_id';
  const lock = 'select word_id from words where word_id = $1 for update';
  for (const text of [update, lock]) {
    await db.query(text, [1]);
    const before = proxy.roundTrips();
    await Promise.all([1, 2, 3].map((id) => db.query(text, [id])));
    assert.equal(proxy.roundTrips() - before, 3);
  }
});

test('reads go on when another process adds a column to what they select', async (t) => {
  const { db } = await open(t, 1);
  await database.db.query('create table growing (number int)');
  await database.db.query('insert into growing values (1)');
  const all = () => Promise.all([1, 2, 3].map(() => db.query('select * from growing where number = $1', [1])));
  await all();
  await all();
  await database.db.query('alter table growing add column text text');
  assert.deepEqual(
    await all(),
    Array.from({ length: 3 }, () => [{ number: 1, text: null }]),
  );
});
