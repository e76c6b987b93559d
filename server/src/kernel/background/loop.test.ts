import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../monitoring/log.ts';
import { startLoop } from './loop.ts';

const log = createLog('silent');
const never = 60_000;

test('the next round starts immediately if a round finds work, and after a pause if it finds nothing', async () => {
  let rounds = 0;
  const loop = startLoop({ name: 'test', pollMs: never, log, run: async () => ++rounds < 3 });
  await sleep(50);
  assert.equal(rounds, 3);
  await loop.stop();
});

test('a wake-up during a round starts another round', async () => {
  let rounds = 0;
  const loop = startLoop({
    name: 'test',
    pollMs: never,
    log,
    async run() {
      rounds += 1;
      await sleep(30);
      return false;
    },
  });
  loop.wake();
  await sleep(100);
  assert.equal(rounds, 2);
  loop.wake();
  await sleep(50);
  assert.equal(rounds, 3);
  await loop.stop();
});

test('the loop polls at its interval without being woken, and continues after a failure', async () => {
  let rounds = 0;
  const loop = startLoop({
    name: 'test',
    pollMs: 5,
    log,
    async run() {
      rounds += 1;
      throw new Error('no database');
    },
  });
  await sleep(100);
  assert.ok(rounds > 2);
  assert.equal(loop.isAlive(), true, 'a few seconds without success are tolerated');
  await loop.stop();
  const ended = rounds;
  await sleep(30);
  assert.equal(rounds, ended);
});

test('there is a minimum time between rounds that find work', async () => {
  let rounds = 0;
  const loop = startLoop({ name: 'test', pollMs: never, gapMs: 40, log, run: async () => ++rounds > 0 });
  await sleep(150);
  assert.ok(rounds >= 2 && rounds <= 5, String(rounds));
  await loop.stop();
});

test('a wake-up soon after a round waits for the minimum time, and a later one does not', async () => {
  const starts: number[] = [];
  const run = async () => starts.push(performance.now()) === 0;
  const round = async (number: number) => {
    while (starts.length < number) await sleep(1);
  };
  const loop = startLoop({ name: 'test', pollMs: never, gapMs: 100, log, run });
  await round(1);
  loop.wake();
  await round(2);
  await sleep(150);
  const woken = performance.now();
  loop.wake();
  await round(3);
  await loop.stop();
  const [first = 0, second = 0, third = 0] = starts;
  assert.ok(second - first > 95, 'the second round waits');
  assert.ok(third - woken < 95, 'the third round does not');
});
