import assert from 'node:assert/strict';
import test from 'node:test';
import { parseCsv, writeCsv } from './csv.ts';

test('cells may be quoted, and hold commas, quotes and line breaks', () => {
  assert.deepEqual(parseCsv('a,b\n"1,5","say ""hi"""\r\n"two\nlines",\n'), [
    ['a', 'b'],
    ['1,5', 'say "hi"'],
    ['two\nlines', ''],
  ]);
});

test('a byte order mark, blank lines and a missing last line break do no harm', () => {
  assert.deepEqual(parseCsv('\ufeffsku,price\n\n\nA,1\n,\nB,2'), [
    ['sku', 'price'],
    ['A', '1'],
    ['B', '2'],
  ]);
  assert.deepEqual(parseCsv(''), []);
  assert.deepEqual(parseCsv('a,'), [['a', '']]);
});

test('a quote in the wrong place is told, with its line', () => {
  assert.throws(() => parseCsv('a\nb"c\n'), /Line 2/);
});

test('what is written reads back the same, and formulas are defused', () => {
  const rows = [['a,b', 'x"y', 'line\nbreak', '-5', '']];
  assert.deepEqual(parseCsv(writeCsv(rows)), rows);
  assert.equal(writeCsv([['=1+1', '-cmd', '@x']]), "'=1+1,'-cmd,'@x\n");
});
