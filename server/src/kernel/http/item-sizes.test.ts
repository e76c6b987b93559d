import assert from 'node:assert/strict';
import test from 'node:test';
import { createItemSizes } from './item-sizes.ts';

const kilobyte = 1024;

test('a list is large if its items were large before, for this chain and as many items', () => {
  const sizes = createItemSizes();
  assert.equal(sizes.isLarge('a', 100), false);
  sizes.note('a', 20, 20 * 5 * kilobyte);
  assert.equal(sizes.isLarge('a', 20), false);
  assert.equal(sizes.isLarge('a', 100), true);
  assert.equal(sizes.isLarge('b', 100), false);
});

test('the largest items count until there has been no large page for ten minutes', () => {
  let now = 0;
  const sizes = createItemSizes(undefined, () => now);
  sizes.note('a', 1, 250 * kilobyte);
  now = 500_000;
  sizes.note('a', 3, 300 * kilobyte);
  sizes.note('a', 100, 100 * kilobyte);
  sizes.note('a', 100, 0);
  now = 1_000_000;
  assert.equal(sizes.isLarge('a', 2), true);
  now = 1_100_000;
  assert.equal(sizes.isLarge('a', 2), false);
  sizes.note('a', 100, 100 * kilobyte);
  assert.equal(sizes.isLarge('a', 100), false);
});
