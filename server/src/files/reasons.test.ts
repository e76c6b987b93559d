import assert from 'node:assert/strict';
import test from 'node:test';
import { createReasons } from './reasons.ts';

test('a reason that applies to several vendors is written once', () => {
  const reasons = createReasons<number>();
  reasons.add(2, 'Not found.', 'a1');
  reasons.add(2, 'Not found.', 'b2');
  reasons.add(2, 'Too cheap.', 'b2');
  reasons.add(3, 'No price.', '');
  assert.equal(reasons.find(2), 'a1, b2: Not found. b2: Too cheap.');
  assert.equal(reasons.find(3), 'No price.');
  assert.equal(reasons.find(4), undefined);
});

test('a row that fails in thousands of stores names only a few of them', () => {
  const reasons = createReasons<string>();
  for (let vendor = 0; vendor < 5000; vendor++) reasons.add('SKU', 'Not found.', `v${vendor}`);
  assert.match(reasons.find('SKU') ?? '', /^v0, v1, .*, v19 and 4980 others: Not found\.$/);
});
