import assert from 'node:assert/strict';
import test from 'node:test';
import { labelInterval, ticksUpTo } from './chart-scale.ts';

test('the marks of an axis are whole numbers in equal steps, and include the largest value', () => {
  assert.deepEqual(ticksUpTo(0), [0, 1]);
  assert.deepEqual(ticksUpTo(1), [0, 1]);
  assert.deepEqual(ticksUpTo(3), [0, 1, 2, 3]);
  assert.deepEqual(ticksUpTo(7), [0, 2, 4, 6, 8]);
  assert.deepEqual(ticksUpTo(41), [0, 20, 40, 60]);
  assert.deepEqual(ticksUpTo(100), [0, 50, 100]);
  assert.deepEqual(ticksUpTo(12_345), [0, 5000, 10_000, 15_000]);
});

test('labels are left out if they would touch each other', () => {
  const days = Array.from({ length: 14 }, () => '17 Nov');
  assert.equal(labelInterval(days, 900), 1);
  assert.equal(labelInterval(days, 250), 3);
  assert.equal(labelInterval(days, 0), 14);
});
