import assert from 'node:assert/strict';
import test from 'node:test';
import { listFunctions } from './functions.ts';
import { isTest, parseSource, type Source, sources } from './sources.ts';

const maxLines = 300;
const maxTestLines = 400;
const maxFunctionLines = 60;

test('no source file has more than 300 lines, and no test file has more than 400', () => {
  const written = [...sources.values()].filter(({ path }) => !path.startsWith('sdk/src/generated/'));
  assert.deepEqual(written.flatMap(findLongFile), []);
});

test('no function has more than 60 lines, not counting tables of data, except in tests and components', () => {
  assert.deepEqual([...sources.values()].flatMap(findLongFunctions), []);
});

test('the scan finds long files and long functions', () => {
  const source = (path: string, text: string) => parseSource(path, text);
  const lines = (count: number) => 'a();\n'.repeat(count);
  assert.deepEqual(findLongFile(source('server/src/catalog/end-job.ts', lines(300))), []);
  assert.notDeepEqual(findLongFile(source('server/src/catalog/end-job.ts', lines(301))), []);
  assert.deepEqual(findLongFile(source('e2e/start.test.ts', lines(400))), []);
  assert.notDeepEqual(findLongFile(source('e2e/start.test.ts', lines(401))), []);
  const long = [
    `function a() {\n${lines(59)}}`,
    `export const a = () => {\n${lines(59)}};`,
    `const a = {\nb() {\n${lines(59)}},\n};`,
  ];
  for (const text of long) {
    assert.notDeepEqual(findLongFunctions(source('server/src/catalog/end-job.ts', text)), [], text);
    assert.deepEqual(findLongFunctions(source('server/src/catalog/end-job.ts', text.replace('a();\n', ''))), []);
  }
  const table = `export function handlers() {\n${lines(50)} return {\n${'a: 1,\n'.repeat(50)}};\n}`;
  assert.deepEqual(findLongFunctions(source('server/src/catalog/handlers.ts', table)), []);
});

function findLongFile({ path, text }: Source): string[] {
  const count = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const max = isTest(path) ? maxTestLines : maxLines;
  return count > max ? [`${path} has ${count} lines; at most ${max} are allowed`] : [];
}

/** Lines in tables are not counted, because tables are data. Functions in a table are checked individually. */
function findLongFunctions(source: Source): string[] {
  if (isTest(source.path) || source.path.endsWith('.tsx')) return [];
  return listFunctions(source)
    .map((one) => ({ ...one, length: one.lines - one.tableLines }))
    .filter(({ length }) => length > maxFunctionLines)
    .map(({ line, length, name }) => `${source.path}:${line} ${name ?? 'a function'} has ${length} lines`);
}
