import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { defuse, parseCsv, quoteCell } from './csv.ts';

test('a cell that a spreadsheet would run as a formula is made a text', () => {
  for (const cell of ['=1+1', '+1', '-1', '@x', '\t=1', "'=1"]) assert.ok(defuse(cell).startsWith("'"), cell);
  for (const cell of ['plain', '1', "it's", "'quoted'", '']) assert.equal(defuse(cell), cell);
});

test('quotes, commas and line ends inside a cell are quoted', () => {
  assert.equal(quoteCell('a,b'), '"a,b"');
  assert.equal(quoteCell('say "x"'), '"say ""x"""');
  assert.equal(quoteCell('plain'), 'plain');
});

test('any table comes back as it was written', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('=x', "'=x", "''=", '"', '\r\n', ',', '-', ''));
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
  fc.assert(
    fc.property(table, (rows) => {
      const text = rows.map((row) => `${row.map(quoteCell).join(',')}\r\n`).join('');
      assert.deepEqual([...parseCsv(text)], rows);
    }),
  );
});
