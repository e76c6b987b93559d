import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { Closed, described } from './common.ts';

test('optional fields taken from a closed object stay optional', () => {
  const closed = Closed(Type.Object({ name: Type.String(), comment: Type.Optional(Type.String()) }));
  assert.deepEqual(Type.Object(closed.properties).required, ['name']);
});

test('an optional field stays optional when a description is added', () => {
  const schema = Type.Object({ comment: described(Type.Optional(Type.String()), 'A comment.') });
  assert.deepEqual(
    [schema.required ?? [], schema.properties.comment],
    [[], { type: 'string', description: 'A comment.' }],
  );
});
