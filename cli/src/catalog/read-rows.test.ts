import assert from 'node:assert/strict';
import test from 'node:test';
import { csvRow, formatOf } from './read-rows.ts';

test('a product becomes a row, in which absent fields are empty and null means unknown', () => {
  const row = { sku: 'A,"1"', price: 1.5, quantity: null, active: false, max_sales_quantity: 3, barcode: null };
  assert.equal(csvRow(row, 'Item 1'), '"A,""1""",,1.5,null,false,3');
  assert.equal(csvRow({ sku: 'B' }, 'Item 2'), 'B,,,,,');
});

test('a row that is not a product is reported with its place', () => {
  assert.throws(() => csvRow({ sku: 'A', prize: 1 }, 'Line 7'), /^UsageError: Line 7 has an unknown field prize\.$/);
  assert.throws(() => csvRow({ sku: ['A'] }, 'Line 8'), /Line 8: sku must be a single value/);
  assert.throws(() => csvRow('A', 'Line 9'), /Line 9 is not an object/);
});

test('the format follows from the name of the file', () => {
  const names = ['a.csv', 'a.JSON', 'a.ndjson', 'a.jsonl', 'a.csv.gz', 'a', 'a.XLSX', 'a.xls'];
  assert.deepEqual(names.map(formatOf), ['csv', 'json', 'ndjson', 'ndjson', 'csv', 'csv', 'xlsx', 'xlsx']);
});
