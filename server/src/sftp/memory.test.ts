import assert from 'node:assert/strict';
import test from 'node:test';
import { createMemory } from './memory.ts';

test('a chain cannot use the memory of the other chains', () => {
  const memory = createMemory(100, 60);
  const [first, second] = [memory.forChain('first'), memory.forChain('second')];
  assert.equal(first.take(60), true);
  assert.equal(first.take(1), false);
  assert.equal(second.take(41), false);
  assert.equal(second.take(40), true);
  first.give(60);
  assert.equal(second.take(20), true);
  assert.equal(memory.forChain('first').take(40), true);
});
