import assert from 'node:assert/strict';
import test from 'node:test';
import { detailsOf } from './entry.ts';

test('the details of a large body are valid JSON, however many fields it has', () => {
  const withFields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`field-${index}`, 'x'.repeat(200)]));
  const sizes = Object.fromEntries(Object.keys(withFields(30)).map((name) => [name, '200 characters']));
  assert.deepEqual(JSON.parse(detailsOf(withFields(30)) ?? ''), sizes);
  assert.deepEqual(JSON.parse(detailsOf(withFields(500)) ?? ''), { fields: 500 });
});
