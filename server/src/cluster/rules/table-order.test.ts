import assert from 'node:assert/strict';
import test from 'node:test';
import { sortByReferences } from './table-order.ts';

test('a table comes after those it refers to, and the first table comes first', () => {
  const references = [
    { source: 'items', target: 'orders' },
    { source: 'orders', target: 'vendors' },
    { source: 'vendors', target: 'chains' },
  ];
  const sorted = sortByReferences(['items', 'counts', 'orders', 'vendors'], references, 'vendors');
  assert.deepEqual(sorted, ['vendors', 'counts', 'orders', 'items']);
});

test('tables that refer to each other in a circle are reported', () => {
  const references = [
    { source: 'a', target: 'b' },
    { source: 'b', target: 'a' },
  ];
  assert.throws(() => sortByReferences(['a', 'b'], references, 'a'), /in a circle: a, b/);
});
