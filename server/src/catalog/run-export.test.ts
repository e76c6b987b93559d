import assert from 'node:assert/strict';
import test from 'node:test';
import { wholeLines } from './run-export.ts';

async function partsOf(pieces: string[], minBytes: number) {
  const source = async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
  };
  const parts: [string, number][] = [];
  for await (const { bytes, lines } of wholeLines(source(), minBytes)) parts.push([bytes.toString(), lines]);
  return parts;
}

test('a part ends at the end of a line, even if lines arrive in pieces', async () => {
  const parts = await partsOf(['a,1\nb', ',2\n', 'c,3\n', 'd'], 5);
  assert.deepEqual(parts, [
    ['a,1\nb,2\n', 2],
    ['c,3\nd', 1],
  ]);
});

test('a line break inside quotes does not end a line or a part', async () => {
  const parts = await partsOf(['"two\n', 'lines",1\n', '"say ""\n', '""",2\n', 'x,3\n'], 1);
  assert.deepEqual(parts, [
    ['"two\nlines",1\n', 1],
    ['"say ""\n""",2\n', 1],
    ['x,3\n', 1],
    ['', 0],
  ]);
});

test('an empty export has one empty part', async () => {
  assert.deepEqual(await partsOf([], 100), [['', 0]]);
});
