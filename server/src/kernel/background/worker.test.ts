import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Tx } from '../database/db.ts';
import { createLog } from '../monitoring/log.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { Task } from './queue.ts';
import { startWorker } from './worker.ts';

/** A claim in progress. The test determines when it returns, and with which tasks. */
type Claim = { count: number; exceptChains: string[]; found(tasks: Task[]): void };

/**
 * A worker with a fake database that the test controls. Timers are mocked, so the worker does not poll by itself.
 */
function startOnFakeDatabase(t: TestContext, slots = 2) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const claims: Claim[] = [];
  const running = new Map<string, () => void>();
  const tx = { query: async () => [{}], send() {} } as unknown as Tx;
  const db = {
    query: (_sql: string, [count, , exceptChains]: [number, string, string[]]) =>
      new Promise((found: (tasks: Task[]) => void) => claims.push({ count, exceptChains, found })),
    transaction: (work: (tx: Tx) => Promise<unknown>) => work(tx),
  } as unknown as Database;
  const handlers = {
    test: {
      giveUp: async () => {},
      run: (_tx: Tx, task: Task) => new Promise<'done'>((resolve) => running.set(task.task_id, () => resolve('done'))),
    },
  };
  const metrics = { observeTask() {} } as unknown as Metrics;
  const worker = startWorker({ db, handlers, slots, log: createLog('silent'), metrics });
  return { worker, claims, running };
}

function taskOf(id: string, chainId = 'chain'): Task {
  return { task_id: id, chain_id: chainId, lane: id, kind: 'test', payload: {}, claim: '1', attempts: 1, deaths: 0 };
}

/** Waits until the worker is idle, or is waiting for a timer or the test. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await nextTurn();
}

test('a wake-up during a claim that finds nothing is not lost', async (t) => {
  const { worker, claims } = startOnFakeDatabase(t);
  assert.equal(claims.length, 1);
  worker.wake();
  claims[0]?.found([]);
  await settle();
  assert.equal(claims.length, 2);
  claims[1]?.found([]);
  await worker.drain();
});

test('a claim that finds nothing is repeated after the poll interval', async (t) => {
  const { worker, claims } = startOnFakeDatabase(t);
  claims[0]?.found([]);
  await settle();
  assert.equal(claims.length, 1);
  t.mock.timers.tick(500);
  await settle();
  assert.equal(claims.length, 2);
  claims[1]?.found([]);
  await worker.drain();
});

test('free slots are filled immediately, and a full worker claims nothing until a task finishes', async (t) => {
  const { worker, claims, running } = startOnFakeDatabase(t);
  assert.equal(claims[0]?.count, 2);
  claims[0]?.found([taskOf('a', 'chain 1')]);
  await settle();
  assert.equal(claims[1]?.count, 1);
  claims[1]?.found([taskOf('b', 'chain 2')]);
  await settle();
  worker.wake();
  await settle();
  assert.equal(claims.length, 2, 'both slots are taken');
  running.get('a')?.();
  await settle();
  assert.deepEqual([claims.length, claims[2]?.count], [3, 1]);
  claims[2]?.found([]);
  running.get('b')?.();
  await settle();
  claims[3]?.found([]);
  await worker.drain();
});

test('a chain whose long tasks hold every slot does not keep the other chains waiting', async (t) => {
  const { worker, claims, running } = startOnFakeDatabase(t);
  claims[0]?.found([taskOf('a', 'flood'), taskOf('b', 'flood')]);
  await settle();
  assert.deepEqual([claims[1]?.count, claims[1]?.exceptChains], [1, ['flood']], 'one more task, of another chain');
  claims[1]?.found([taskOf('c', 'other')]);
  await settle();
  assert.ok(running.has('c'));
  worker.wake();
  await settle();
  assert.equal(claims.length, 2, 'the worker is full');
  running.get('a')?.();
  await settle();
  assert.equal(claims.length, 2, 'two tasks are running');
  running.get('b')?.();
  await settle();
  assert.deepEqual([claims[2]?.count, claims[2]?.exceptChains], [1, []], 'any chain can have a free slot');
  claims[2]?.found([]);
  running.get('c')?.();
  await settle();
  claims[3]?.found([]);
  await worker.drain();
});

test('a worker with one slot runs one task at a time', async (t) => {
  const { worker, claims, running } = startOnFakeDatabase(t, 1);
  claims[0]?.found([taskOf('a')]);
  await settle();
  worker.wake();
  await settle();
  assert.equal(claims.length, 1);
  running.get('a')?.();
  await settle();
  claims[1]?.found([]);
  await worker.drain();
});

test('a draining worker claims nothing new and waits for its running tasks', async (t) => {
  const { worker, claims, running } = startOnFakeDatabase(t);
  claims[0]?.found([taskOf('a')]);
  await settle();
  let isDrained = false;
  const draining = worker.drain().then(() => {
    isDrained = true;
  });
  claims[1]?.found([]);
  await settle();
  assert.deepEqual([claims.length, isDrained], [2, false]);
  running.get('a')?.();
  await draining;
  assert.equal(claims.length, 2);
});
