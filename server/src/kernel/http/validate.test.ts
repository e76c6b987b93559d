import assert from 'node:assert/strict';
import test from 'node:test';
import { Nullable, OneOf } from '@aisle/contract/common';
import Type from 'typebox';
import { bodyCheck } from './validate.ts';

test('fields that any schema in a union declares are kept', () => {
  const check = bodyCheck(Type.Union([Type.Object({ sku: Type.String() }), Type.Object({ barcode: Type.String() })]));
  assert.deepEqual(check({ barcode: '1', other: 2 }), { value: { barcode: '1' }, errors: [] });
  assert.deepEqual(check({ sku: 'a', barcode: null }), { value: { sku: 'a' }, errors: [] });
});

test('null is kept where the schema allows it, including in a union with an enum', () => {
  const check = bodyCheck(Type.Object({ kind: Nullable(OneOf(['PICKING'])), name: Type.Optional(Type.String()) }));
  assert.deepEqual(check({ kind: null, name: null }), { value: { kind: null }, errors: [] });
  assert.equal(check({ kind: 'BAGGING' }).errors[0]?.message, 'must be one of PICKING, null');
});

test('a body that is nested too deeply is rejected', () => {
  const check = bodyCheck(Type.Object({ anything: Type.Unknown() }));
  const deep = JSON.parse(`{"anything":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  assert.equal(check(deep).errors[0]?.code, 'too_deep');
});

test('only as many elements of a list that is too long are validated as are needed to reject it', () => {
  const check = bodyCheck(Type.Object({ items: Type.Array(Type.Object({ sku: Type.String() }), { maxItems: 3 }) }));
  const { value, errors } = check({ items: Array.from({ length: 30_000 }, () => ({ sku: 'A' })) });
  assert.equal((value as { items: unknown[] }).items.length, 4);
  assert.deepEqual(
    errors.map(({ pointer, code }) => [pointer, code]),
    [['/items', 'too_long']],
  );
});
