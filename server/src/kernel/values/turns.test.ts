import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createOwnTurns, createTurns } from './turns.ts';

test('names take turns, whatever the number of functions of a name', async () => {
  const takeTurn = createTurns(1);
  const started: string[] = [];
  const run = (name: string, number: number) =>
    takeTurn(name, async () => {
      started.push(`${name} ${number}`);
      await Promise.resolve();
    });
  const all = [run('flood', 1), run('flood', 2), run('flood', 3), run('flood', 4), run('user', 1), run('other', 1)];
  await Promise.all(all);
  assert.deepEqual(started, ['flood 1', 'flood 2', 'user 1', 'other 1', 'flood 3', 'flood 4']);
});

test('a failed function passes its slot on', async () => {
  const takeTurn = createTurns(1);
  const failing = takeTurn('a', () => Promise.reject(new Error('wrong')));
  const next = takeTurn('b', async () => 'right');
  await assert.rejects(failing, /wrong/);
  assert.equal(await next, 'right');
  assert.equal(await takeTurn('c', async () => 'again'), 'again');
});

test('with own turns, a name runs one function in a turn of the event loop, and names do not wait for each other', async () => {
  const takeTurn = createOwnTurns();
  const started: string[] = [];
  const run = (name: string) => takeTurn(name, async () => void started.push(name));
  const all = [...Array.from({ length: 3 }, () => run('flood')), run('user')];
  for (const count of [2, 3, 4]) {
    await nextTurn();
    assert.ok(started.length <= count, `${started.length} after ${count - 1} turns`);
  }
  await Promise.all(all);
  assert.deepEqual(started, ['flood', 'user', 'flood', 'flood']);
  await assert.rejects(
    takeTurn('flood', () => Promise.reject(new Error('wrong'))),
    /wrong/,
  );
  assert.equal(await takeTurn('flood', async () => 'again'), 'again');
});
