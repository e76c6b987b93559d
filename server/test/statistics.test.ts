import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { estimateRows } from '../src/kernel/database/estimate-rows.ts';
import { analyzeGrownTables } from '../src/kernel/database/statistics.ts';
import { cloneDatabase } from './support/database.ts';
import { waitFor } from './support/wait.ts';

const { db, url, drop } = await cloneDatabase();
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

test('a table whose file was empty is analyzed when it has grown, because plans from that time are still used', async () => {
  await db.query('create table emptied (id int primary key)');
  await db.query('vacuum (analyze) emptied');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query('prepare pick as select from emptied where id > $1');
    const countExpected = async () => {
      const { rows } = await client.query('explain (format json) execute pick (0)');
      return rows[0]['QUERY PLAN'][0].Plan['Plan Rows'];
    };
    assert.equal(await countExpected(), 1);
    await db.query('insert into emptied select generate_series(1, 5000)');
    assert.equal(await countExpected(), 1);
    await waitFor('the table to be analyzed', async () => (await analyzeGrownTables(db)).includes('emptied'));
    assert.equal(await countExpected(), 1667);
  } finally {
    await client.end();
  }
});
