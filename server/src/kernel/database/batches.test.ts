import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createBatches } from './batches.ts';

/** Each run waits until it is released, and returns its items in upper case. */
function heldBatches(maxItems = 100, itemBytes = 0) {
  const runs: string[][] = [];
  const releases: (() => void)[] = [];
  const batches = createBatches<string, string>(
    async (items) => {
      runs.push(items);
      await new Promise<void>((resolve) => releases.push(resolve));
      if (items.includes('bad run')) throw new Error('The run failed.');
      const results = items.map((item) =>
        item === 'bad' ? Promise.reject(new Error('One failed.')) : item.toUpperCase(),
      );
      return { results, bytes: items.length * itemBytes };
    },
    (item) => item[0] ?? '',
    { items: maxItems, bytes: 1000 },
  );
  const release = async () => {
    releases.shift()?.();
    await setImmediate();
  };
  return { batches, runs, release };
}

test('a call runs at once, and the calls that arrive while it runs are run together', async () => {
  const { batches, runs, release } = heldBatches();
  const results = Promise.all(['a', 'b', 'c', 'd'].map((item) => batches('key', item)));
  assert.deepEqual(runs, [['a']]);
  await release();
  assert.deepEqual(runs, [['a'], ['b', 'c', 'd']]);
  await release();
  assert.deepEqual(await results, ['A', 'B', 'C', 'D']);
});

test('calls with different keys do not wait for each other', async () => {
  const { batches, runs, release } = heldBatches();
  const results = Promise.all([batches('one', 'a'), batches('two', 'b')]);
  assert.deepEqual(runs, [['a'], ['b']]);
  await release();
  await release();
  assert.deepEqual(await results, ['A', 'B']);
});

test('calls with the same id run one after the other, in the order in which they arrived', async () => {
  const { batches, runs, release } = heldBatches();
  const results = Promise.all(['x', 'a1', 'b1', 'a2', 'b2', 'a3'].map((item) => batches('key', item)));
  for (let run = 0; run < 4; run++) await release();
  assert.deepEqual(runs, [['x'], ['a1', 'b1'], ['a2', 'b2'], ['a3']]);
  assert.deepEqual(await results, ['X', 'A1', 'B1', 'A2', 'B2', 'A3']);
});

test('a batch has at most the given number of calls', async () => {
  const { batches, runs, release } = heldBatches(2);
  const results = Promise.all(['x', 'a', 'b', 'c'].map((item) => batches('key', item)));
  for (let run = 0; run < 3; run++) await release();
  assert.deepEqual(runs, [['x'], ['a', 'b'], ['c']]);
  await results;
});

test('a batch has fewer calls if those before it were large, but at least one', async () => {
  const large = heldBatches(100, 400);
  const results = Promise.all(['x', 'a', 'b', 'c'].map((item) => large.batches('key', item)));
  for (let run = 0; run < 3; run++) await large.release();
  assert.deepEqual(large.runs, [['x'], ['a', 'b'], ['c']]);
  await results;
  const larger = heldBatches(100, 4000);
  const all = Promise.all(['x', 'a', 'b'].map((item) => larger.batches('key', item)));
  for (let run = 0; run < 3; run++) await larger.release();
  assert.deepEqual(larger.runs, [['x'], ['a'], ['b']]);
  await all;
});

test('a call that fails does not affect the others, and a run that fails does not affect later ones', async () => {
  const { batches, release } = heldBatches();
  const results = Promise.allSettled(['x', 'bad run', 'c'].map((item) => batches('key', item)));
  await release();
  await release();
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  );
  const later = Promise.allSettled(['x', 'bad', 'c'].map((item) => batches('key', item)));
  await release();
  await release();
  assert.deepEqual(
    (await later).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});
