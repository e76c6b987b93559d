import assert from 'node:assert/strict';
import test from 'node:test';
import { createTurns } from './take-turns.ts';

test('many requests that need no I/O do not keep other work from running', async () => {
  const takeTurn = createTurns();
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  for (let requests = 0; requests < 20; requests++) {
    await takeTurn();
    const end = performance.now() + 1;
    while (performance.now() < end);
  }
  clearImmediate(counting);
  assert.ok(turns >= 10, `${turns} turns`);
});
