import assert from 'node:assert/strict';
import test from 'node:test';
import { describeValue, recognizeValue, type ValueFault, valueFaults } from './value-faults.ts';

test('every reason is recognized by its text, with its field and values', () => {
  for (const code of Object.keys(valueFaults) as ValueFault[]) {
    const names = Array.from(valueFaults[code].matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '');
    const values = Object.fromEntries(names.map((name, index) => [name, String(index + 7)]));
    const text = describeValue(code, values);
    assert.deepEqual(recognizeValue(text), { code, values });
    assert.deepEqual(recognizeValue(`/items/0 ${text}`), { field: '/items/0', code, values });
  }
});

test('other texts are not recognized', () => {
  assert.equal(recognizeValue('start_time must be before end_time'), undefined);
  assert.equal(recognizeValue('the price must be at least 1'), undefined);
  assert.equal(recognizeValue('price must be at most 5; sku must not be repeated'), undefined);
});
