import assert from 'node:assert/strict';
import test from 'node:test';
import { barOf, nameOf } from './labels.ts';

test('a bar covers the duration of its promotion, clipped to the axis', () => {
  assert.deepEqual(barOf(25, 75, 0, 100), { offset: 25, width: 50 });
  assert.deepEqual(barOf(-50, 50, 0, 100), { offset: 0, width: 50 });
  assert.deepEqual(barOf(-50, 500, 0, 100), { offset: 0, width: 100 });
});

test('even a very short promotion has a visible bar', () => {
  assert.ok(barOf(10, 10, 0, 100).width > 0);
});

test("a name without a translation into the store's language is shown in another language", () => {
  assert.equal(nameOf({ display_name: { ar_AE: 'أ', en_AE: 'A' } }, 'en_AE'), 'A');
  assert.equal(nameOf({ display_name: { ar_AE: 'أ', en_AE: 'A' } }, 'en_KW'), 'A');
  assert.equal(nameOf({ display_name: { ar_AE: 'أ' } }, 'en_AE'), 'أ');
});
