import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import test, { after } from 'node:test';
import { Worker } from 'node:worker_threads';
import { type Database, openDatabase } from '../src/kernel/database/db.ts';
import { cloneDatabase } from './support/database.ts';

const database = await cloneDatabase();
after(() => database.drop());
const isLinux = process.platform === 'linux';

/** The priorities of the processes that serve `count` statements at the same time. */
async function prioritiesOf(db: Database, count: number): Promise<number[]> {
  const sql = 'select pg_backend_pid() as pid, pg_sleep(0.2)';
  const rows = await Promise.all(Array.from({ length: count }, () => db.query<{ pid: number }>(sql)));
  return [...new Set(rows.map(([row]) => row?.pid ?? 0))].map((pid) => getPriority(pid));
}

function open(taskConnections?: number): Database {
  return openDatabase({
    url: database.url,
    connections: 3,
    preparedStatements: true,
    name: 'aisle priority',
    onError: () => {},
    ...(taskConnections !== undefined && { taskConnections }),
  });
}

test('on this machine, tasks have connections of their own, whose processes have a lower priority', async (t) => {
  const db = open(3);
  t.after(db.close);
  assert.deepEqual(await prioritiesOf(db.forTasks, 3), Array(3).fill(isLinux ? 10 : 0));
  assert.deepEqual(await prioritiesOf(db, 3), [0, 0, 0]);
  assert.deepEqual(await prioritiesOf(db.withoutTimeout, 3), [0, 0, 0]);
});

test('without connections of their own, tasks use the others', async (t) => {
  const db = open();
  t.after(db.close);
  assert.deepEqual(await prioritiesOf(db.forTasks, 3), [0, 0, 0]);
  assert.equal(db.forTasks.pool, db.pool);
});

test('a thread can lower its own priority, without that of the process', async () => {
  const module = new URL('../src/kernel/values/low-priority.ts', import.meta.url);
  const code = `import('${module.href}').then(async ({ lowerThreadPriority }) => {
    lowerThreadPriority();
    require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority());
  })`;
  const worker = new Worker(code, { eval: true });
  const priority = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  assert.deepEqual([priority, getPriority()], [isLinux ? 10 : 0, 0]);
});
