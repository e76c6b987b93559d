import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../failures/failure.ts';
import type { Database } from './db.ts';
import { createShares } from './shares.ts';

test('a chain cannot hold more than its share, and its requests run in the order of arrival', async () => {
  const shares = createShares(2, 10);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (chainId: string, name: string) =>
    shares.run(chainId, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => run(name.slice(0, 1), name));
  assert.deepEqual(started, ['a1', 'a2', 'b1']);
  ends.get('a2')?.();
  await nextTurn();
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'b1']) ends.get(name)?.();
  await nextTurn();
  ends.get('a4')?.();
  await Promise.all(all);
});

test('requests that wait for a share of their chain start in turns by caller', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const shares = createShares(1, 5);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string) => {
    const work = () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    return shares.run('a', work, name.replace(/\d/, ''));
  };
  const [late, ...all] = ['token1', 'token2', 'token3', 'user1', 'token4', 'user2'].map(run).toReversed();
  for (const order of [['token1'], ['token2'], ['user1'], ['token3']]) {
    assert.deepEqual(started.slice(-1), order);
    ends.at(-1)?.();
    await nextTurn();
  }
  assert.equal(started.at(-1), 'user2');
  t.mock.timers.tick(5000);
  ends.at(-1)?.();
  await Promise.allSettled(all);
  await late;
  assert.deepEqual(started.slice(5), []);
  assert.equal(await shares.run('a', async () => 'done', 'token'), 'done');
});

test('a request that fails passes on its connection', async () => {
  const shares = createShares(1, 10);
  const failing = shares.run('a', async () => Promise.reject(new Error('broken')));
  const next = shares.run('a', async () => 'done');
  await assert.rejects(failing, /broken/);
  assert.equal(await next, 'done');
});

test('a request that waits too long for its share fails, and takes nothing from the next one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const shares = createShares(1, 5);
  let end = () => {};
  const first = shares.run('a', () => new Promise<void>((resolve) => (end = resolve)));
  const second = shares.run('a', async () => {});
  t.mock.timers.tick(5000);
  await assert.rejects(second, (error: unknown) => error instanceof Failure && error.code === 'service_unavailable');
  end();
  await first;
  assert.equal(await shares.run('a', async () => 'done'), 'done');
});

test("a statement beside the request's own transaction needs no further connection of the chain", async () => {
  const shares = createShares(1, 10);
  const query = async () => ['row'];
  const db = { query, reserved: { query }, transaction: (work: (tx: unknown) => unknown) => Promise.resolve(work({})) };
  const limited = shares.limit(db as unknown as Database, 'a');
  assert.deepEqual(await limited.transaction(() => limited.query('select 1')), ['row']);
  // Another request waits for the connection.
  let end = () => {};
  const first = limited.transaction(() => new Promise<void>((resolve) => (end = resolve)));
  let isRead = false;
  const second = shares
    .limit(db as unknown as Database, 'a')
    .query('select 1')
    .then(() => (isRead = true));
  await nextTurn();
  assert.equal(isRead, false);
  end();
  await Promise.all([first, second]);
});
