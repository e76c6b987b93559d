import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBodyBudget, type Room } from './budget.ts';
import { Failure } from '../failures/failure.ts';

const mebibyte = 1024 * 1024;
const isBusy = (error: unknown) =>
  error instanceof Failure && error.status === 503 && error.headers['retry-after'] === '5';

test('bodies wait for room in a queue, first in, first out', async () => {
  const budget = createBodyBudget(10 * mebibyte);
  const first = await budget.take(8 * mebibyte);
  const order: string[] = [];
  const enter = (name: string, size: number) =>
    budget.take(size * mebibyte).then((room) => {
      order.push(name);
      return room;
    });
  const large = enter('large', 9);
  // There would be room for it, but then large ones could wait forever.
  const later = enter('later', 2);
  await sleep(20);
  assert.deepEqual(order, []);
  first.free();
  const room = await large;
  assert.deepEqual([order, budget.used()], [['large'], 9 * mebibyte]);
  room.free();
  await later;
  assert.deepEqual([order, budget.used()], [['large', 'later'], 2 * mebibyte]);
});

test('a body that waits too long is refused, and the next in the queue moves up', async () => {
  const budget = createBodyBudget(10 * mebibyte, 50);
  const held = await budget.take(8 * mebibyte);
  const refused = assert.rejects(budget.take(9 * mebibyte), isBusy);
  await sleep(20);
  const behind: Room = await budget.take(2 * mebibyte);
  await refused;
  assert.deepEqual([budget.used(), budget.refused()], [10 * mebibyte, 1]);
  held.free();
  held.free();
  behind.free();
  assert.equal(budget.used(), 0);
});

test('small bodies always have room, and bodies of unknown length take room as they grow', async () => {
  const budget = createBodyBudget(3 * mebibyte);
  const full = await budget.take(2 * mebibyte);
  const small = await budget.take(mebibyte);
  small.grow(mebibyte);
  assert.equal(budget.used(), 2 * mebibyte);
  const growing = await budget.take(0);
  growing.grow(mebibyte / 2);
  assert.throws(() => growing.grow(1.5 * mebibyte), isBusy);
  full.free();
  growing.grow(1.5 * mebibyte);
  growing.grow(2.5 * mebibyte);
  assert.equal(budget.used(), 3 * mebibyte);
  growing.free();
  assert.equal(budget.used(), 0);
});
