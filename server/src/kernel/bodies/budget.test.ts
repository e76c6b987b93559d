import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBodyBudget, type Reservation } from './budget.ts';
import { Failure } from '../failures/failure.ts';

const mebibyte = 1024 * 1024;
const isBusy = (error: unknown) =>
  error instanceof Failure && error.status === 503 && error.headers['retry-after'] === '5';

test('bodies that wait for memory are admitted in the order they arrived', async () => {
  const budget = createBodyBudget(10 * mebibyte);
  const first = await budget.reserve(8 * mebibyte);
  const order: string[] = [];
  const enter = (name: string, size: number) =>
    budget.reserve(size * mebibyte).then((reservation) => {
      order.push(name);
      return reservation;
    });
  const large = enter('large', 9);
  // This body would fit, but admitting it first could starve large bodies.
  const later = enter('later', 2);
  await sleep(20);
  assert.deepEqual(order, []);
  first.release();
  const reservation = await large;
  assert.deepEqual([order, budget.used()], [['large'], 9 * mebibyte]);
  reservation.release();
  await later;
  assert.deepEqual([order, budget.used()], [['large', 'later'], 2 * mebibyte]);
});

test('a body that waits too long is rejected, and the next one in the queue moves up', async () => {
  const budget = createBodyBudget(10 * mebibyte, 50);
  const held = await budget.reserve(8 * mebibyte);
  const rejected = assert.rejects(budget.reserve(9 * mebibyte), isBusy);
  await sleep(20);
  const behind: Reservation = await budget.reserve(2 * mebibyte);
  await rejected;
  assert.deepEqual([budget.used(), budget.rejected()], [10 * mebibyte, 1]);
  held.release();
  held.release();
  behind.release();
  assert.equal(budget.used(), 0);
});

test('small bodies never wait, and bodies of unknown length reserve memory as they grow', async () => {
  const budget = createBodyBudget(3 * mebibyte);
  const full = await budget.reserve(2 * mebibyte);
  const small = await budget.reserve(mebibyte);
  small.grow(mebibyte);
  assert.equal(budget.used(), 2 * mebibyte);
  const growing = await budget.reserve(0);
  growing.grow(mebibyte / 2);
  assert.throws(() => growing.grow(1.5 * mebibyte), isBusy);
  full.release();
  growing.grow(1.5 * mebibyte);
  growing.grow(2.5 * mebibyte);
  assert.equal(budget.used(), 3 * mebibyte);
  growing.release();
  assert.equal(budget.used(), 0);
});
