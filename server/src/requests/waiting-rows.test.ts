import assert from 'node:assert/strict';
import test from 'node:test';
import { createWaitingRows, splitBatch, splitByNode } from './waiting-rows.ts';

const chunk = (chainId: string, text = 'row') => ({ chainIds: [chainId], text: Buffer.from(text) });

test('the number of requests admitted per second is limited for each chain', () => {
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

test('chunks that exceed the limit on rows or total length are dropped, and each of their rows is counted', () => {
  const few = createWaitingRows({ perSecond: 10, rows: 2, length: 100 }, () => {});
  for (const chainId of ['a', 'b']) few.add(chunk(chainId));
  few.add({ chainIds: ['b', 'c'], text: Buffer.from('rows') });
  const batch = few.take();
  assert.deepEqual(batch?.chunks, [chunk('a'), chunk('b')]);
  assert.deepEqual(
    batch?.dropped,
    new Map([
      ['b', 1],
      ['c', 1],
    ]),
  );
  const short = createWaitingRows({ perSecond: 10, rows: 10, length: 5 }, () => {});
  for (const text of ['123', '456', '45']) short.add(chunk('a', text));
  assert.deepEqual(short.take()?.chunks, [chunk('a', '123'), chunk('a', '45')]);
});

test('rows that could not be written are put back ahead of newer ones, within the same limits', () => {
  const waiting = createWaitingRows({ perSecond: 10, rows: 3, length: 100 }, () => {});
  for (const text of ['1', '2', '3', '4']) waiting.add(chunk('a', text));
  const batch = waiting.take();
  for (const text of ['5', '6']) waiting.add(chunk('b', text));
  assert.ok(batch);
  waiting.putBack(batch);
  const again = waiting.take();
  assert.deepEqual(
    again?.chunks,
    ['1', '2', '3'].map((text) => chunk('a', text)),
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
  for (const chainId of ['a', 'a', 'b', 'a']) waiting.add(chunk(chainId));
  const batch = waiting.take();
  assert.ok(batch);
  waiting.dropAll(batch);
  assert.equal(dropped, 4);
  assert.deepEqual(waiting.take(), {
    chunks: [],
    dropped: new Map([
      ['a', 3],
      ['b', 1],
    ]),
  });
});

test('a batch is split in halves down to single rows', () => {
  const dropped = new Map([['a', 2]]);
  const whole = {
    chunks: [chunk('a', 'one\n'), { chainIds: ['a', 'b'], text: Buffer.from('two\nth\\nree\n') }],
    dropped,
  };
  const [first, second] = splitBatch(whole) ?? [];
  assert.deepEqual(first, { chunks: [chunk('a', 'one\n')], dropped });
  assert.ok(first && second);
  assert.equal(splitBatch(first), undefined);
  assert.deepEqual(splitBatch(second), [
    { chunks: [chunk('a', 'two\n')], dropped: new Map() },
    { chunks: [chunk('b', 'th\\nree\n')], dropped: new Map() },
  ]);
});

test('a batch is split by the nodes that store the rows', () => {
  const nodeOf = (chainId: string) => (chainId === 'a' ? 'one' : 'two');
  const batch = { chunks: [chunk('a', '1'), chunk('b', '2'), chunk('a', '3')], dropped: new Map([['c', 4]]) };
  assert.deepEqual(
    splitByNode(batch, nodeOf),
    new Map([
      ['one', { chunks: [chunk('a', '1'), chunk('a', '3')], dropped: new Map() }],
      ['two', { chunks: [chunk('b', '2')], dropped: new Map([['c', 4]]) }],
    ]),
  );
});
