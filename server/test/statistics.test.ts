import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { estimateRows } from '../src/kernel/database/estimate-rows.ts';
import { analyzeGrownTables } from '../src/kernel/database/statistics.ts';
import { cloneDatabase } from './support/database.ts';
import { waitFor } from './support/wait.ts';

const { db, drop } = await cloneDatabase();
after(drop);

test('a table that was analyzed when it was empty is analyzed again when it has grown', async () => {
  await db.query('create table waiting (id int primary key)');
  const insert = () => db.query('insert into waiting select generate_series(1, 5000)');
  const countExpected = () => estimateRows(db, 'select from waiting', []);
  await insert();
  await db.query('delete from waiting');
  await db.query('analyze waiting');
  await insert();
  assert.ok((await countExpected()) < 10);
  const analyzed: string[] = [];
  await waitFor('the table to be analyzed', async () => {
    analyzed.push(...(await analyzeGrownTables(db)));
    return (await countExpected()) > 4000;
  });
  assert.deepEqual([...new Set(analyzed)], ['waiting']);
  assert.deepEqual(await analyzeGrownTables(db), []);
});
