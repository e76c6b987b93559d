import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { findUnknownFields, knownFields, maxInspected, maxReported } from './known-fields.ts';

const schema = Type.Object({
  name: Type.String(),
  texts: Type.Record(Type.String(), Type.String()),
  any: Type.Unknown(),
  items: Type.Array(Type.Object({ id: Type.String(), size: Type.Optional(Type.Object({ height: Type.Number() })) })),
  choice: Type.Union([Type.String(), Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]),
  closed: Type.Object({ a: Type.String() }, { additionalProperties: false }),
});
// Cloned, because worker threads receive a clone.
const known = structuredClone(knownFields(schema));
const find = (body: unknown) => findUnknownFields(known, body);

test('an unknown field is reported once, with its path', () => {
  const items = [{ id: 1, colour: 2 }, { colour: 3, size: { width: 4, height: 5 } }, null, 'x'];
  assert.deepEqual(find({ name: 'x', items, color: 1 }), ['items[].colour', 'items[].size.width', 'color']);
  assert.deepEqual(find({ items: [[{ a: 1 }]] }), []);
});

test('keys chosen by the client and unknown fields in a closed schema are not reported', () => {
  assert.deepEqual(find({ texts: { en: 'x' }, any: { a: { b: 1 } }, closed: { b: 1 } }), []);
});

test('a field declared in any branch of a union is known', () => {
  assert.deepEqual(find({ choice: { a: 1, b: 2, c: 3 } }), ['choice.c']);
  assert.deepEqual(find({ choice: 'x' }), []);
});

test('names from the object prototype are reported as unknown', () => {
  assert.deepEqual(find(JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}')), [
    '__proto__',
    'constructor',
    'toString',
  ]);
});

test('nothing is reported for a body that is not an object', () => {
  for (const body of [null, 'x', 1, [], [{ a: 1 }], undefined]) assert.deepEqual(find(body), []);
});

test('the number of reported fields and the number of inspected items are limited', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, 1]));
  assert.equal(find(many).length, maxReported);
  const items = Array.from({ length: maxInspected + 1 }, (_, index) => ({ id: index }));
  assert.deepEqual(find({ items: [...items, { late: 1 }] }), []);
  assert.deepEqual(find({ items: [...items.slice(2), { late: 1 }] }), ['items[].late']);
});
