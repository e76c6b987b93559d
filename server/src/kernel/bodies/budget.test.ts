import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBodyBudget, type Reservation } from './budget.ts';
import { Failure } from '../failures/failure.ts';

const mebibyte = 1024 * 1024;
const isBusy = (error: unknown) =>
  error instanceof Failure && error.status === 503 && error.headers['retry-after'] === '5';

test('bodies that wait for memory are admitted in the order they arrived', async () => {
  const budget = createBodyBudget(20 * mebibyte);
  const first = await budget.reserve('a', 8 * mebibyte);
  const order: string[] = [];
  const enter = (name: string, size: number) =>
    budget.reserve('a', size * mebibyte).then((reservation) => {
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
  const budget = createBodyBudget(20 * mebibyte, 50);
  const held = await budget.reserve('a', 8 * mebibyte);
  const rejected = assert.rejects(budget.reserve('a', 9 * mebibyte), isBusy);
  await sleep(20);
  const behind: Reservation = await budget.reserve('a', 2 * mebibyte);
  await rejected;
  assert.deepEqual([budget.used(), budget.rejected()], [10 * mebibyte, 1]);
  held.release();
  held.release();
  behind.release();
  assert.equal(budget.used(), 0);
});

test('small bodies never wait, and bodies of unknown length reserve memory as they grow', async () => {
  const budget = createBodyBudget(6 * mebibyte);
  const full = await budget.reserve('a', 2 * mebibyte);
  const small = await budget.reserve('a', mebibyte);
  small.grow(mebibyte);
  assert.equal(budget.used(), 3 * mebibyte);
  small.release();
  const growing = await budget.reserve('a', 0);
  growing.grow(mebibyte / 2);
  assert.throws(() => growing.grow(1.5 * mebibyte), isBusy);
  full.release();
  growing.grow(1.5 * mebibyte);
  growing.grow(2.5 * mebibyte);
  assert.equal(budget.used(), 3 * mebibyte);
  growing.release();
  assert.equal(budget.used(), 0);
});

test('a chain gets half of the memory, and its waiting bodies do not delay those of other chains', async () => {
  const budget = createBodyBudget(10 * mebibyte);
  const first = await budget.reserve('a', 4 * mebibyte);
  const waiting = budget.reserve('a', 2 * mebibyte);
  const other = await budget.reserve('b', 5 * mebibyte);
  assert.equal(first.isAwaited(), false, 'the waiting body is one of the same chain');
  const growing = await budget.reserve('c', 0);
  assert.throws(() => growing.grow(2 * mebibyte), isBusy);
  other.release();
  growing.grow(5 * mebibyte);
  assert.throws(() => growing.grow(5 * mebibyte + 1), isBusy);
  assert.equal(budget.used(), 9 * mebibyte);
  first.release();
  (await waiting).release();
  growing.release();
  assert.equal(budget.used(), 0);
});

test('a reservation knows whether another chain waits for memory', async () => {
  const budget = createBodyBudget(8 * mebibyte);
  const held = [await budget.reserve('a', 4 * mebibyte), await budget.reserve('b', 4 * mebibyte)];
  const waiting = budget.reserve('c', 2 * mebibyte);
  assert.deepEqual(
    held.map((reservation) => [reservation.size(), reservation.isAwaited()]),
    [
      [4 * mebibyte, true],
      [4 * mebibyte, true],
    ],
  );
  held[0]?.release();
  await waiting;
  assert.deepEqual(
    held.map((reservation) => [reservation.size(), reservation.isAwaited()]),
    [
      [0, false],
      [4 * mebibyte, false],
    ],
  );
});

test('when memory is released, the chain that uses the least goes first', async () => {
  const budget = createBodyBudget(8 * mebibyte);
  const held = [
    await budget.reserve('a', 2 * mebibyte),
    await budget.reserve('a', 2 * mebibyte),
    await budget.reserve('b', 4 * mebibyte),
  ];
  const order: string[] = [];
  const enter = (chainId: string) => budget.reserve(chainId, 2 * mebibyte).then(() => order.push(chainId));
  const all = ['a', 'a', 'c'].map(enter);
  held[0]?.release();
  await all[2];
  assert.deepEqual(order, ['c']);
  held[1]?.release();
  held[2]?.release();
  await Promise.all(all);
  assert.deepEqual(order, ['c', 'a', 'a']);
});

test("a chain's small bodies wait only for its own ones, and tiny ones are not counted", async () => {
  const budget = createBodyBudget(8 * mebibyte, 50);
  const tiny = mebibyte / 16;
  await Promise.all(Array.from({ length: 100 }, () => budget.reserve('a', tiny)));
  assert.equal(budget.used(), 0);
  // The allowance of 16 MiB, and half of the budget.
  const own = await Promise.all(Array.from({ length: 20 }, () => budget.reserve('a', mebibyte)));
  assert.equal(budget.used(), 20 * mebibyte);
  await assert.rejects(budget.reserve('a', mebibyte), isBusy);
  const growing = await budget.reserve('a', 0);
  growing.grow(tiny);
  assert.throws(() => growing.grow(tiny + 1), isBusy);
  const others = [await budget.reserve('b', 4 * mebibyte), await budget.reserve('c', mebibyte)];
  for (const reservation of [...own, ...others]) reservation.release();
  growing.grow(mebibyte);
  assert.equal(budget.used(), mebibyte);
  growing.release();
  assert.equal(budget.used(), 0);
});

test('memory that is in use already is counted even if there is not enough, and a chain can be told that none is left', () => {
  const budget = createBodyBudget(8 * mebibyte);
  const held = Array.from({ length: 6 }, () => budget.hold('a', 4 * mebibyte));
  // The allowance of 16 MiB, and more than half of the budget.
  assert.deepEqual([budget.used(), budget.isExhausted('a'), budget.isExhausted('b')], [24 * mebibyte, true, false]);
  held[0]?.();
  held[0]?.();
  assert.deepEqual([budget.used(), budget.isExhausted('a')], [20 * mebibyte, false]);
  for (const release of held) release();
  assert.equal(budget.used(), 0);
});
