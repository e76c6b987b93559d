import assert from 'node:assert/strict';
import test from 'node:test';
import { indented, shortPath } from './describe.ts';

test('a path is shown without the chain prefix', () => {
  assert.equal(shortPath('/v2/chains/0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b77/orders/1'), '/orders/1');
  assert.equal(shortPath('/v2/whoami'), '/v2/whoami');
});

test('JSON is indented, but truncated JSON is shown unchanged', () => {
  assert.equal(indented('{"a":1}'), '{\n  "a": 1\n}');
  assert.equal(indented('{"a":'), '{"a":');
});
