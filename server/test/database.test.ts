import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { openDatabase } from '../src/kernel/db.ts';
import { cloneDatabase } from './support/database.ts';

const database = await cloneDatabase();
after(() => database.drop());

test('once a database is closed, its connections are gone', async () => {
  const name = 'aisle closing';
  const losses: Error[] = [];
  const onError = (error: Error) => losses.push(error);
  const db = openDatabase({ url: database.url, connections: 20, preparedStatements: true, name, onError });
  await Promise.all(Array.from({ length: 20 }, () => db.query('select pg_sleep(0.2)')));
  const open = () => database.db.query('select 1 from pg_stat_activity where application_name = $1', [name]);
  assert.equal((await open()).length, 20);
  await db.close();
  assert.deepEqual(await open(), []);
  assert.deepEqual(losses, []);
});
