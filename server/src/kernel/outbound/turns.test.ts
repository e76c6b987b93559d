import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from './turns.ts';

test('work that takes long is continued in later turns of the event loop, and owners take turns', async () => {
  const done: string[] = [];
  const inTurn = start(done);
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) inTurn(name.slice(0, 1), name, 2);
  const turns = [[...done]];
  while (done.length < 5) {
    await nextTurn();
    turns.push(done.slice(turns.flat().length));
  }
  assert.deepEqual(turns, [['a1'], ['a2'], ['b1'], ['a3'], ['b2']]);
});

test('short work is done at once', async () => {
  const done: string[] = [];
  const inTurn = start(done);
  for (let count = 0; count < 10; count++) inTurn('a', String(count), 0.1);
  assert.equal(done.length, 10);
  await nextTurn();
  inTurn('a', 'later', 2);
  assert.equal(done.length, 11);
});

/** Work that takes this long by a clock of its own. */
function start(done: string[]) {
  let now = 0;
  const inTurn = createTurns(() => now);
  return (owner: string, name: string, ms: number) =>
    inTurn(owner, () => {
      done.push(name);
      now += ms;
    });
}
