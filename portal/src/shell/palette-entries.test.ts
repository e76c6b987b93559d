import assert from 'node:assert/strict';
import test from 'node:test';
import { hasWords, moveIndex } from './palette-entries.ts';

test('all words must be in the texts, in any order and case', () => {
  assert.ok(hasWords('walk MAR', 'Marina Walk', null));
  assert.ok(hasWords('17 marina', 'Marina Walk', '17'));
  assert.ok(hasWords('', 'Orders'));
  assert.equal(hasWords('marina hill', 'Marina Walk'), false);
});

test('moving past the end of the list continues at the other end', () => {
  assert.equal(moveIndex(2, 1, 3), 0);
  assert.equal(moveIndex(0, -1, 3), 2);
  assert.equal(moveIndex(0, 1, 0), 0);
});
