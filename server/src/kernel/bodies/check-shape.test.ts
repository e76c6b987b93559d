import assert from 'node:assert/strict';
import test from 'node:test';
import { Failure } from '../failures/failure.ts';
import { checkShape } from './check-shape.ts';

function check(text: string, path: string[], max: number, maxParts = 100): void {
  const tooLong = () => new Failure('invalid_request', 'too long');
  checkShape(Buffer.from(text), { maxParts, list: { path, max, tooLong } });
}

const nested =
  '{"a": {"skus": [1,2,3,4]}, "list": [{"skus": ["a,b", "c\\"],"]}, {"x": [1,2,3], "skus": [{"y": 1}]}], "skus": [1,2,3,4]}';

const lists: [text: string, path: string[], count: number][] = [
  ['{"list": [1, [2, 3], {"list": [4, 5]}, "a,b"]}', ['list'], 4],
  ['{"x": "list", "list" : [{"a": 1, "b": 2}, {"a": 1}]}', ['list'], 2],
  [nested, ['list', 'skus'], 3],
  [nested, ['a', 'skus'], 4],
  [nested, ['skus'], 4],
  [nested, ['list'], 2],
];
for (const [text, path, count] of lists) {
  test(`${text} has ${count} elements in ${path.join('.')}`, () => {
    check(text, path, count);
    assert.throws(() => check(text, path, count - 1), /too long/);
  });
}

test('other values and malformed documents are left to the parser', () => {
  for (const text of [
    '',
    '[[1,2,3]]',
    '{"list": 1}',
    '{"list": {"list": [1,2,3]}}',
    ']]}{"list": [1',
    '"',
    '{"list": ["\\',
  ]) {
    check(text, ['list'], 1);
  }
});

test('a document with too many arrays and objects is rejected', () => {
  check('[{},{"a":[]}]', ['list'], 1, 4);
  assert.throws(() => check('[{},{"a":[]}]', ['list'], 1, 3), /more than 3 arrays and objects/);
});
