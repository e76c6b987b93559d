import assert from 'node:assert/strict';
import test from 'node:test';
import { readRow } from './cells.ts';
import type { Field } from './columns.ts';
import { createPlainRowReader } from './plain-row.ts';

const fields: (Field | null)[] = [
  { name: 'sku', type: 'text' },
  null,
  { name: 'price', type: 'number' },
  { name: 'active', type: 'boolean' },
];

for (const row of [
  'A-1,,5.25,true',
  'A-1',
  'A-1,ignored,0.001,no',
  ',,12,',
  'A 1,,99999999999.999,1',
  'A,,007.50,yes',
]) {
  test(`"${row}" is read directly, with the same result`, () => assert.deepEqual(readDirectly(row), readByCells(row)));
}

const prices = ['5.', '.5', '-5', '1,5', '1e3', '1 000', 'null', '1.2.3', '1234567890.123456'];
const unusual = ['', ',,,', ' A-1,,5,true', "'=1,,5,true", 'A,,5,TRUE', 'A,,"5",true', 'A,,5,true,more', 'é,,5,true'];
for (const row of [...unusual, ...prices.map((price) => `A,,${price},true`)]) {
  test(`"${row}" is left to the complete reader`, () => assert.equal(readDirectly(row), undefined));
}

test('rows of any characters are read directly only if the result is the same', () => {
  const alphabet = ['A', '7', '0', '.', ',', ';', '-', ' ', "'", 'e', 'é', '\t', 'true', '1'];
  let direct = 0;
  for (let seed = 1; seed <= 5000; seed++) {
    const row = Array.from({ length: seed % 13 }, (_, at) => alphabet[(seed * 7919 + at * at * 104_729) % 14]).join('');
    const item = readDirectly(row);
    if (item) assert.deepEqual(item, readByCells(row), row);
    if (item) direct += 1;
  }
  assert.ok(direct > 100, `${direct} rows`);
});

test('files with lists, locales or weights are left to the complete reader', () => {
  for (const field of [
    { name: 'barcodes', type: 'list' },
    { name: 'name', type: 'text', locale: 'en_US' },
    { name: 'base_weight', type: 'number' },
  ] satisfies Field[]) {
    assert.equal(createPlainRowReader([field], ','), undefined);
  }
});

function readDirectly(row: string): unknown {
  return createPlainRowReader(fields, ',')?.(row);
}

function readByCells(row: string): unknown {
  const { item, fault } = readRow(fields, row.split(','));
  assert.equal(fault, undefined);
  return item;
}
