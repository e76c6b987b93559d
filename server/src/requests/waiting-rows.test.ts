import assert from 'node:assert/strict';
import test from 'node:test';
import { createWaitingRows } from './waiting-rows.ts';

const row = (chainId: string, text = 'row') => ({ chainId, text });

test('only a limited number of requests per chain is admitted each second', () => {
  let dropped = 0;
  const waiting = createWaitingRows({ perSecond: 2, rows: 10, length: 100 }, (count) => (dropped += count));
  assert.deepEqual(
    [1, 2, 3].map(() => waiting.admit('a')),
    [true, true, false],
  );
  assert.equal(waiting.admit('b'), true);
  waiting.startSecond();
  assert.equal(waiting.admit('a'), true);
  assert.equal(dropped, 1);
  assert.deepEqual(waiting.take()?.dropped, new Map([['a', 1]]));
  assert.equal(waiting.take(), undefined);
});

test('rows that exceed the limit on their number or total length are dropped and counted', () => {
  const few = createWaitingRows({ perSecond: 10, rows: 2, length: 100 }, () => {});
  for (const chainId of ['a', 'b', 'b', 'c']) few.add(row(chainId));
  const batch = few.take();
  assert.deepEqual(batch?.rows, [row('a'), row('b')]);
  assert.deepEqual(
    batch?.dropped,
    new Map([
      ['b', 1],
      ['c', 1],
    ]),
  );
  const short = createWaitingRows({ perSecond: 10, rows: 10, length: 5 }, () => {});
  for (const text of ['123', '456', '45']) short.add(row('a', text));
  assert.deepEqual(short.take()?.rows, [row('a', '123'), row('a', '45')]);
});

test('rows that could not be written are put back ahead of newer ones, within the same limits', () => {
  const waiting = createWaitingRows({ perSecond: 10, rows: 3, length: 100 }, () => {});
  for (const text of ['1', '2', '3', '4']) waiting.add(row('a', text));
  const batch = waiting.take();
  for (const text of ['5', '6']) waiting.add(row('b', text));
  assert.ok(batch);
  waiting.putBack(batch);
  const again = waiting.take();
  assert.deepEqual(
    again?.rows,
    ['1', '2', '3'].map((text) => row('a', text)),
  );
  assert.deepEqual(
    again?.dropped,
    new Map([
      ['a', 1],
      ['b', 2],
    ]),
  );
});

test('a batch that cannot be written is counted as dropped', () => {
  let dropped = 0;
  const waiting = createWaitingRows({ perSecond: 10, rows: 3, length: 100 }, (count) => (dropped += count));
  for (const chainId of ['a', 'a', 'b', 'a']) waiting.add(row(chainId));
  const batch = waiting.take();
  assert.ok(batch);
  waiting.dropAll(batch);
  assert.equal(dropped, 4);
  assert.deepEqual(waiting.take(), {
    rows: [],
    dropped: new Map([
      ['a', 3],
      ['b', 1],
    ]),
  });
});
