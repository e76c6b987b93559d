import assert from 'node:assert/strict';
import test from 'node:test';
import { duration, indented, shortPath } from './describe.ts';

test('a path is shown without the chain prefix', () => {
  assert.equal(shortPath('/v2/chains/0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b77/orders/1'), '/orders/1');
  assert.equal(shortPath('/v2/whoami'), '/v2/whoami');
});

test('a duration is shown in a suitable unit', () => {
  assert.deepEqual([0.4, 9.9, 12.3, 999.4, 3210].map(duration), ['0.4 ms', '9.9 ms', '12 ms', '999 ms', '3.2 s']);
});

test('JSON is indented, but truncated JSON is shown unchanged', () => {
  assert.equal(indented('{"a":1}'), '{\n  "a": 1\n}');
  assert.equal(indented('{"a":'), '{"a":');
});
