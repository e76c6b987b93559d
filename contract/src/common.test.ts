import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { Closed, described } from './common.ts';

test('fields stay optional when they are taken from a closed object', () => {
  const closed = Closed(Type.Object({ name: Type.String(), comment: Type.Optional(Type.String()) }));
  assert.deepEqual(Type.Object(closed.properties).required, ['name']);
});

test('a described field stays optional', () => {
  const schema = Type.Object({ comment: described(Type.Optional(Type.String()), 'A comment.') });
  assert.deepEqual(
    [schema.required ?? [], schema.properties.comment],
    [[], { type: 'string', description: 'A comment.' }],
  );
});
