import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { validateUpdate } from './update-item.ts';

function item(raw: Record<string, unknown>) {
  const result = validateUpdate(raw, false);
  assert.ok('item' in result, JSON.stringify(result));
  return result.item;
}

function faults(raw: Record<string, unknown>): string[] {
  const result = validateUpdate(raw, false);
  return 'faults' in result ? result.faults.map(({ field, code }) => `${field} ${code}`) : [];
}

test('unknown fields are ignored, and absent fields stay absent', () => {
  assert.deepEqual(item({ sku: 'A', price: 1.5 }), { sku: 'A', price: '1.5' });
  assert.deepEqual(item({ sku: 'A', active: false, title: 'ignored' }), { sku: 'A', active: false });
  assert.deepEqual(
    item({ sku: 'A', barcode: '007', price: 0, quantity: 0, active: true, maximum_sales_quantity: 2_147_483_647 }),
    { sku: 'A', barcode: '007', price: '0', quantity: 0, active: true, maximum: 2_147_483_647 },
  );
});

test('stock and maximum can be null, and other fields that are null count as absent', () => {
  assert.deepEqual(item({ sku: 'A', quantity: null }), { sku: 'A', quantity: null });
  assert.deepEqual(item({ sku: 'A', max_sales_quantity: null }), { sku: 'A', maximum: null });
  assert.deepEqual(item({ sku: 'A', price: null, active: null, barcode: null, quantity: 1 }), {
    sku: 'A',
    quantity: 1,
  });
  assert.deepEqual(faults({ sku: 'A', price: null, active: null, barcode: null }), [' nothing_to_update']);
});

test('the maximum can be sent under two names, and the longer name takes precedence', () => {
  assert.deepEqual(item({ sku: 'A', max_sales_quantity: 3 }), { sku: 'A', maximum: 3 });
  assert.deepEqual(item({ sku: 'A', maximum_sales_quantity: 4, max_sales_quantity: 3 }), { sku: 'A', maximum: 4 });
  assert.deepEqual(item({ sku: 'A', maximum_sales_quantity: null, max_sales_quantity: 3 }), {
    sku: 'A',
    maximum: null,
  });
});

test('a price is truncated to three decimal places, not rounded', () => {
  const cuts: [number, string][] = [
    [4.5559, '4.555'],
    [0.1 + 0.2, '0.300'],
    [0.001, '0.001'],
    [9_999_999.999, '9999999.999'],
    [1_000_000, '1000000'],
  ];
  for (const [price, text] of cuts) assert.equal(item({ sku: 'A', price }).price, text);
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 9_999_999.999, noNaN: true }), (price) => {
      const kept = Number(item({ sku: 'A', price }).price);
      assert.ok(kept <= price && price - kept < 0.001 + 1e-8, `${price} became ${kept}`);
    }),
  );
});

test('a price that would be truncated to 0 is rejected, but 0 itself is accepted', () => {
  for (const price of [0.0004, 0.000999, 1e-7, 1e-300]) {
    assert.deepEqual(faults({ sku: 'A', price }), ['price out_of_range']);
  }
  for (const price of [0, -0]) assert.equal(item({ sku: 'A', price }).price, '0');
});

test('all errors are reported with the field, a code and the rejected value', () => {
  assert.deepEqual(faults({}), ['sku missing']);
  assert.deepEqual(faults({ sku: 'A', price: '1', quantity: -1, active: 1, barcode: 5, max_sales_quantity: 0.5 }), [
    'barcode bad_format',
    'price wrong_type',
    'quantity out_of_range',
    'active wrong_type',
    'maximum_sales_quantity not_whole',
  ]);
  const result = validateUpdate({ sku: 'A', price: Number.POSITIVE_INFINITY }, false);
  assert.ok('faults' in result);
  assert.equal(result.faults[0]?.rejected, Number.POSITIVE_INFINITY);
});

test('a SKU is a string of 1 to 64 characters that can be stored', () => {
  const price = 1;
  assert.deepEqual(faults({ sku: 'x'.repeat(64), price }), []);
  assert.deepEqual(faults({ sku: '🥛'.repeat(64), price }), []);
  for (const sku of ['', 'x'.repeat(65), '🥛'.repeat(65), 'x'.repeat(10_000_000)]) {
    assert.deepEqual(faults({ sku, price }), ['sku bad_length']);
  }
  for (const sku of [5, {}, [], true]) assert.deepEqual(faults({ sku, price }), ['sku wrong_type']);
  for (const sku of ['a\0', '\ud800', '\udc00x']) assert.deepEqual(faults({ sku, price }), ['sku bad_character']);
});

test('a SKU can contain spaces, but cannot start or end with one', () => {
  for (const sku of [' A', 'A ', ' ', '\tA', 'A\n', '\u00a0A'])
    assert.deepEqual(faults({ sku, price: 1 }), ['sku bad_format']);
  assert.deepEqual(faults({ sku: 'A B', price: 1 }), []);
});

test('a SKU with a character that cannot be stored is not reported as too long', () => {
  const result = validateUpdate({ sku: 'a\0', price: 1 }, false);
  assert.match('faults' in result ? String(result.faults[0]?.message) : '', /must not contain U\+0000/);
});

test('any input is either accepted as an item or rejected with an error', () => {
  const field = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.double(), fc.string());
  const raw = fc.record({
    sku: fc.oneof(field, fc.string({ minLength: 1, maxLength: 64 })),
    barcode: field,
    price: field,
    quantity: field,
    active: field,
    maximum_sales_quantity: field,
  });
  fc.assert(
    fc.property(raw, (given) => {
      const result = validateUpdate(given, false);
      if ('faults' in result) assert.ok(result.faults.length > 0);
      else assert.ok(Object.keys(result.item).length > 1);
    }),
  );
});
