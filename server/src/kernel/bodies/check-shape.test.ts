import assert from 'node:assert/strict';
import test from 'node:test';
import { Failure } from '../failures/failure.ts';
import { type BodyShape, checkShape } from './check-shape.ts';

function check(text: string, path: string[], max: number, maxParts = 100): void {
  const tooLong = () => new Failure('invalid_request', 'too long');
  checkShape(Buffer.from(text), { maxParts, maxNames: 100, list: { path, max, tooLong } });
}

function checkLimits(text: string, limits: Partial<BodyShape>): void {
  checkShape(Buffer.from(text), { maxParts: 100, maxNames: 100, ...limits });
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

test('a document with too many different names is rejected, however often each name is repeated', () => {
  const text = '[{"a": 1, "b" :"c:"}, {"b": {"a": "x"}}, {"a": ["d", "e"], "c": 1}]';
  checkLimits(text, { maxNames: 3 });
  assert.throws(() => checkLimits(text, { maxNames: 2 }), /more than 2 different field names/);
  const unique = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
  assert.throws(() => checkLimits(unique(12_000), { maxNames: 10_000 }), /more than 10000 different field names/);
  checkLimits(unique(10_000), { maxNames: 10_000 });
});

test('a document with too many values is rejected', () => {
  const text = '{"a": [1, 2, "3,4"], "b": {"c": 5, "d": 6}}';
  checkLimits(text, { maxValues: 4 });
  assert.throws(() => checkLimits(text, { maxValues: 3 }), /more than 3 values/);
});

test('a document that is nested too deeply is rejected', () => {
  checkLimits('[[{"a":[1]}]]', { maxDepth: 4 });
  assert.throws(() => checkLimits('[[{"a":[1]}]]', { maxDepth: 3 }), /must not be nested deeper/);
});
