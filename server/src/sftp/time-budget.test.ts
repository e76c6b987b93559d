import assert from 'node:assert/strict';
import test from 'node:test';
import { createTimeBudget } from './time-budget.ts';

test('a client that has used its time waits, and others do not', () => {
  let now = 0;
  const budget = createTimeBudget(() => now);
  assert.equal(budget.spend('a', 150), 0);
  assert.equal(budget.spend('a', 150), 500);
  assert.equal(budget.spend('b', 150), 0);
  now += 500;
  assert.equal(budget.spend('a', 10), 50);
  now += 10_000;
  assert.equal(budget.spend('a', 150), 0);
});

test('in the long run, a client uses a fifth of the time', () => {
  let now = 0;
  let spent = 0;
  const budget = createTimeBudget(() => now);
  while (now < 60_000) {
    spent += 4;
    now += 4 + budget.spend('a', 4);
  }
  assert.ok(spent / now < 0.21, `${spent / now}`);
});
