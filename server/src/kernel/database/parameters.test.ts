import assert from 'node:assert/strict';
import test from 'node:test';
import { toParameters } from './parameters.ts';

test('values are converted to text, bytes or null', () => {
  const bytes = new Uint8Array([0, 1, 255]);
  const time = new Date('2026-03-01T09:30:00.123Z');
  assert.deepEqual(toParameters(['a', 1.5, 10n, true, null, undefined, time, bytes, { a: 1 }]), [
    'a',
    '1.5',
    '10',
    'true',
    null,
    null,
    '2026-03-01T09:30:00.123Z',
    Buffer.from([0, 1, 255]),
    '{"a":1}',
  ]);
});

test('arrays are converted to array literals', () => {
  const time = new Date('2026-03-01T09:30:00.123Z');
  const arrays = [[], ['a', 'b,c', '{}', 'NULL', '', null], ['"', '\\', '\\"', 'ü\n']];
  assert.deepEqual(toParameters([...arrays, [[1, 2], [3]], [time, undefined], [{ a: '"' }], [Buffer.from([255])]]), [
    '{}',
    '{"a","b,c","{}","NULL","",NULL}',
    '{"\\"","\\\\","\\\\\\"","ü\n"}',
    '{{"1","2"},{"3"}}',
    '{"2026-03-01T09:30:00.123Z",NULL}',
    '{"{\\"a\\":\\"\\\\\\"\\"}"}',
    '{"\\\\xff"}',
  ]);
});

test('a value that cannot be converted is an error', () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  for (const value of [circular, [circular], new Date(Number.NaN)]) assert.throws(() => toParameters([value]));
});
