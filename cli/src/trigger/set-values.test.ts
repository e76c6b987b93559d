import assert from 'node:assert/strict';
import test from 'node:test';
import { parseSetting, setValues } from './set-values.ts';

test('values are read as JSON if possible, and otherwise as text', () => {
  const values = ['a=1', 'a=true', 'a=null', 'a=MLK-00012', 'a="1"', 'a=[1,2]', 'a=', 'a=b=c'];
  assert.deepEqual(
    values.map((text) => parseSetting(text).value),
    [1, true, null, 'MLK-00012', '1', [1, 2], '', 'b=c'],
  );
});

test('paths create objects and arrays that do not exist, and leave the original unchanged', () => {
  const body = { items: [{ sku: 'A', quantity: 1 }], payment: { type: 'PAID' } };
  const settings = ['items.0.sku=B', 'items.1.sku=C', 'customer.address.city=Dubai', 'tags.0=x'].map(parseSetting);
  assert.deepEqual(setValues(body, settings), {
    items: [{ sku: 'B', quantity: 1 }, { sku: 'C' }],
    payment: { type: 'PAID' },
    customer: { address: { city: 'Dubai' } },
    tags: ['x'],
  });
  assert.equal(body.items.length, 1);
});

for (const text of ['items', '=1', 'a..b=1', '__proto__.x=1', 'a.constructor.x=1']) {
  test(`--set ${text} is rejected`, () => {
    assert.throws(() => parseSetting(text), /is not a change/);
  });
}
