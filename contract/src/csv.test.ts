import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { escapeFormula, parseCsv, quoteCell, writeCsv } from './csv.ts';

test('a cell that a spreadsheet would evaluate is escaped', () => {
  for (const cell of ['=1+1', '+1', '-1', '@x', '＝1+1', '＋1', '－1', '＠x', '\t=1', '\r', '\n', "'=1"]) {
    assert.equal(escapeFormula(cell), `'${cell}`);
  }
  for (const cell of ['plain', '1', "it's", "'quoted'", "'", '']) assert.equal(escapeFormula(cell), cell);
});

test('a cell with quotes, commas or line breaks is quoted', () => {
  assert.equal(quoteCell('a,b'), '"a,b"');
  assert.equal(quoteCell('say "x"'), '"say ""x"""');
  assert.equal(quoteCell('plain'), 'plain');
});

test('all line endings are supported, and the last one is optional', () => {
  const rows = [
    ['a', 'b'],
    ['1,5', 'say "hi"'],
    ['two\nlines', ''],
  ];
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['a,b', '"1,5","say ""hi"""', '"two\nlines",'].join(end);
    assert.deepEqual([...parseCsv(text)], rows);
    assert.deepEqual([...parseCsv(text + end)], rows);
  }
  assert.deepEqual([...parseCsv('')], []);
});

test('a misplaced or unclosed quote is reported with its row number', () => {
  assert.throws(() => [...parseCsv('a\nb"c\n')], /Row 2/);
  assert.throws(() => [...parseCsv('a\n"b\n')], /Row 2/);
});

test('a SKU such as -5A survives a round trip through CSV', () => {
  assert.equal(writeCsv([['-5A', "'-5A", "''-5A"]]), "'-5A,''-5A,'''-5A\n");
  assert.deepEqual([...parseCsv("'-5A,''-5A,'''-5A\n")], [['-5A', "'-5A", "''-5A"]]);
});

test('any table survives a round trip through CSV', () => {
  const special = fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', 'a', '5', '\ufeff', ' ');
  const cell = fc.oneof(fc.string({ unit: special, maxLength: 6 }), fc.string({ unit: 'binary' }));
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
  fc.assert(
    fc.property(table, (rows) => assert.deepEqual([...parseCsv(writeCsv(rows))], rows)),
    { numRuns: 2000 },
  );
});
